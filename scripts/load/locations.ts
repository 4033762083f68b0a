import type { Position } from "../diagnostic.js";
import { getOwnValue, parsePointer, toPointer } from "../json.js";
import type { LocationTarget, SourceText } from "./source-text.js";

interface Location {
  source: SourceText;
  keys: LocationPath | undefined;
}

/** Linked keys from a node up to its root. Siblings share the upper part, which keeps the locations of large documents small. */
export interface LocationPath {
  key: string;
  up: LocationPath | undefined;
}

/** Source locations of the objects and arrays of parsed files. Bundling keeps the objects, so they are found by identity. */
export class Locations {
  private readonly locations = new Map<object, Location>();

  /** Registers a node. An aliased node is registered once, at its anchor. */
  register(node: object, source: SourceText, keys: LocationPath | undefined): void {
    this.locations.set(node, { source, keys });
  }

  /**
   * Returns the source position of the node at a JSON pointer of `root`, or of the nearest node above it with a known
   * location. `root` must be registered.
   *
   * @param target whether to point at the key of the node, if it has one, or at its value
   */
  locate(root: object, pointer: string, target: LocationTarget = "key"): Position {
    let node: unknown = root;
    let location = this.locations.get(root);
    let unlocatedKeys: string[] = [];
    for (const key of parsePointer(pointer)) {
      node = getOwnValue(node, key);
      if (node === undefined) break;
      const nodeLocation = typeof node === "object" && node !== null ? this.locations.get(node) : undefined;
      if (nodeLocation) {
        location = nodeLocation;
        unlocatedKeys = [];
      } else {
        unlocatedKeys.push(key);
      }
    }
    if (!location) throw new Error("The root of the document has no registered location.");
    const locationKeys = listKeys(location.keys);
    const keys = [...locationKeys, ...unlocatedKeys];
    // Cuts off trailing keys that are not in the source, because bundling has added them.
    const { depth } = location.source.find(keys, target);
    const sourceKeys = keys.slice(0, Math.max(depth, locationKeys.length));
    return locateInFile(location.source, sourceKeys, target);
  }
}

/** Lists keys from the root down. */
export function listKeys(keys: LocationPath | undefined): string[] {
  const list: string[] = [];
  for (let node = keys; node; node = node.up) list.push(node.key);
  return list.reverse();
}

/** Returns the position of a value in a source file, given the keys that lead to it: of its last key, or of a value without one. */
export function locateInFile(
  source: SourceText,
  keys: readonly string[],
  target: LocationTarget = "key",
): Position {
  const { offset } = source.find(keys, target);
  return { file: source.absoluteRef, ...source.getLineAndColumn(offset), pointer: toPointer(keys) };
}

import type { Position } from "../diagnostic.js";
import { getOwnValue, parsePointer, toPointer } from "../json.js";
import type { LocationTarget, SourceText } from "./text/source-text.js";

interface Location {
  source: SourceText;
  pointer: string;
}

/** Source locations of the objects and arrays of parsed files. Bundling keeps the objects, so they are found by identity. */
export class Locations {
  private readonly locations = new Map<object, Location>();

  /** Registers a node by its JSON pointer in a file. An aliased node is registered once, at its anchor. */
  register(node: object, source: SourceText, pointer: string): void {
    this.locations.set(node, { source, pointer });
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
    const locationKeys = parsePointer(location.pointer);
    const keys = [...locationKeys, ...unlocatedKeys];
    // Cuts off trailing keys that are not in the source, because bundling has added them.
    const { depth } = location.source.find(keys, target);
    const sourceKeys = keys.slice(0, Math.max(depth, locationKeys.length));
    return locateInFile(location.source, toPointer(sourceKeys), target);
  }
}

/** Returns the position of the value at a JSON pointer of a source file: of its key, or of a value without one. */
export function locateInFile(source: SourceText, pointer: string, target: LocationTarget = "key"): Position {
  const { offset } = source.find(parsePointer(pointer), target);
  return { file: source.absoluteRef, ...source.getLineAndColumn(offset), pointer };
}

import { getLineColLocation, type Source } from "@redocly/openapi-core";
import type { Position } from "../diagnostic.js";
import { ownValue, parsePointer, toPointer } from "./pointer.js";

/** A position in a text; the first line and column are 1. */
interface Point {
  line: number;
  col: number;
}

interface Location {
  source: Source;
  keys: Keys | undefined;
}

/** Keys from a node up to its root. Siblings share the upper part, which keeps the locations of large documents small. */
export interface Keys {
  key: string;
  up: Keys | undefined;
}

/** Maps each object and array of the parsed files to its source location, by identity, which bundling keeps. */
export class Locations {
  readonly #locations = new Map<object, Location>();

  /** Registers a node. The first location wins: an aliased node is located at its anchor. */
  register(node: object, source: Source, keys: Keys | undefined): void {
    if (!this.#locations.has(node)) this.#locations.set(node, { source, keys });
  }

  /**
   * Returns the source position of the node at a JSON pointer of `root`, or of the nearest node above it with a known
   * location. `root` must be registered.
   *
   * @param onKey whether to point at the key of the node instead of its value
   */
  locate(root: object, pointer: string, onKey = true): Position {
    let node: unknown = root;
    let location = this.#locations.get(root);
    let rest: string[] = [];
    for (const key of parsePointer(pointer)) {
      node = ownValue(node, key);
      if (node === undefined) break;
      const known = typeof node === "object" && node !== null ? this.#locations.get(node) : undefined;
      if (known) {
        location = known;
        rest = [];
      } else {
        rest.push(key);
      }
    }
    if (!location) throw new Error("The root of the document has no registered location.");
    const { source, keys } = location;
    const known = toKeyList(keys);
    return positionIn(source, toPointer(withoutBundled(source, [...known, ...rest], known.length)), onKey);
  }
}

/** Lists keys from the root down. */
export function toKeyList(keys: Keys | undefined): string[] {
  const list: string[] = [];
  for (let at = keys; at; at = at.up) list.push(at.key);
  return list.reverse();
}

/** Returns the position of a JSON pointer in a source file: that of its key, where there is one, or of its value. */
export function positionIn(source: Source, pointer: string, onKey = true): Position {
  const { line, col } = spanIn(source, pointer, onKey).start;
  return { file: source.absoluteRef, line, col, pointer };
}

/** Returns the start of the value at a JSON pointer in a source file. */
export function pointOf(source: Source, pointer: string): Point {
  return spanIn(source, pointer, false).start;
}

/** Drops trailing keys that bundling has added. The source does not have them, so their parent's span comes back. */
function withoutBundled(source: Source, keys: string[], known: number): string[] {
  let kept = keys;
  while (kept.length > known && haveSameSpan(source, kept, kept.slice(0, -1))) kept = kept.slice(0, -1);
  return kept;
}

function haveSameSpan(source: Source, a: string[], b: string[]): boolean {
  const one = spanIn(source, toPointer(a), false);
  const other = spanIn(source, toPointer(b), false);
  return isSamePoint(one.start, other.start) && isSamePoint(one.end, other.end);
}

function isSamePoint(a: Point | undefined, b: Point | undefined): boolean {
  return a?.line === b?.line && a?.col === b?.col;
}

function spanIn(source: Source, pointer: string, onKey: boolean): { start: Point; end?: Point } {
  try {
    // It decodes percent signs, which our pointers do not encode.
    const escaped = pointer.replaceAll("%", "%25");
    return getLineColLocation({ source, pointer: `#${escaped || "/"}`, reportOnKey: onKey });
  } catch {
    // Positions come from a second, older parser. Where it gives up, the file is still the right location.
    return { start: { line: 1, col: 1 } };
  }
}

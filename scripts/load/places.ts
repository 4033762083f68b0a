import { getLineColLocation, type Source } from "@redocly/openapi-core";
import type { Position } from "../diagnostic.js";
import { spanInJson, type Point } from "./json-text.js";
import { ownValue, parsePointer, toPointer } from "./pointer.js";

interface Place {
  source: Source;
  keys: Keys | undefined;
}

/** Keys from a node up to its root. Siblings share the upper part, which keeps a large document's places small. */
interface Keys {
  key: string;
  up: Keys | undefined;
}

/** Remembers where each object and array of the parsed files stands, by identity, which bundling keeps. */
export class Places {
  readonly #places = new Map<object, Place>();

  /** Registers a node. The first place wins: an aliased node stands where its anchor is. */
  register(node: object, source: Source, keys: Keys | undefined): void {
    if (!this.#places.has(node)) this.#places.set(node, { source, keys });
  }

  /**
   * Gives the source position of the node that `pointer` names in `root`, or of the nearest node above it
   * whose place is known. `root` must be registered.
   */
  locate(root: object, pointer: string): Position {
    let node: unknown = root;
    let place = this.#places.get(root);
    let rest: string[] = [];
    for (const key of parsePointer(pointer)) {
      node = ownValue(node, key);
      if (node === undefined) break;
      const known = typeof node === "object" && node !== null ? this.#places.get(node) : undefined;
      if (known) {
        place = known;
        rest = [];
      } else {
        rest.push(key);
      }
    }
    if (!place) throw new Error("The root of the document has no registered place.");
    return nearestWritten(place.source, [...keysOf(place), ...rest], keysOf(place).length);
  }
}

/** Gives the position of a JSON pointer in a source file: that of the key, where there is one. */
export function positionIn(source: Source, pointer: string, onKey = true): Position {
  const { line, col } = startOf(source, pointer, onKey).start;
  return { file: source.absoluteRef, line, col, pointer };
}

/** Where the value of a JSON pointer begins in a source file. */
export function pointOf(source: Source, pointer: string): Point {
  return startOf(source, pointer, false).start;
}

/** Drops the keys at the end that only bundling has put there. They have no place, so their parent's comes back. */
function nearestWritten(source: Source, keys: string[], known: number): Position {
  let kept = keys;
  while (kept.length > known && sameSpan(source, kept, kept.slice(0, -1))) kept = kept.slice(0, -1);
  return positionIn(source, toPointer(kept));
}

function sameSpan(source: Source, a: string[], b: string[]): boolean {
  const one = startOf(source, toPointer(a), false);
  const other = startOf(source, toPointer(b), false);
  return samePoint(one.start, other.start) && samePoint(one.end, other.end);
}

function samePoint(a: Point | undefined, b: Point | undefined): boolean {
  return a?.line === b?.line && a?.col === b?.col;
}

function startOf(source: Source, pointer: string, reportOnKey: boolean): { start: Point; end?: Point } {
  const inJson = spanInJson(source, parsePointer(pointer), reportOnKey);
  if (inJson) return inJson;
  try {
    // It decodes percent signs, which pointers of ours do not have encoded.
    const escaped = pointer.replaceAll("%", "%25");
    return getLineColLocation({ source, pointer: `#${escaped || "/"}`, reportOnKey });
  } catch {
    // Positions come from a second, older parser. Where it gives up, the file is still the right place.
    return { start: { line: 1, col: 1 } };
  }
}

function keysOf(place: Place): string[] {
  const keys: string[] = [];
  for (let at = place.keys; at; at = at.up) keys.push(at.key);
  return keys.reverse();
}

export type { Keys };

import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE } from "js-yaml";
import { parsePointer } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { type Child, findJsonRoot, indexJsonChildren } from "./json-children.js";

/** The part of a member to which a location points. */
export type LocationTarget = "key" | "value";

/** Text of a file of a document, with the positions of its values. */
export class SourceText {
  /** Whether the text is JSON without duplicate keys, whose positions need no YAML events, which took 130 MB for GitHub's document. */
  isJson = false;
  private parsedEvents: Event[] | undefined;
  private ends: Int32Array | undefined;
  private lineStarts: number[] | undefined;
  /** Children of the collections that were searched, by the node of the collection. */
  private readonly children = new Map<number, ReadonlyMap<string, Child>>();

  /**
   * @param absoluteRef absolute path; Redocly reads the property of this name
   * @param body with `\n` line ends
   */
  constructor(
    readonly absoluteRef: string,
    readonly body: string,
  ) {}

  /** The text as the events of the YAML parser. Throws a YAMLException. */
  get events(): Event[] {
    this.parsedEvents ??= parseEvents(this.body, { filename: this.absoluteRef });
    return this.parsedEvents;
  }

  /**
   * Finds the value at a path of keys, or its nearest ancestor in the text.
   *
   * @param target whether to return the offset of its key, if it has one, or of its value
   * @returns the offset, and how many of the keys were followed
   */
  find(keys: readonly string[], target: LocationTarget): { offset: number; depth: number } {
    // The file is the right location even if its text cannot be parsed.
    if (!this.canParse()) return { offset: 0, depth: 0 };
    // Event 0 is that of the document itself.
    let current: Child = { value: this.isJson ? findJsonRoot(this.body) : 1, key: undefined };
    let parent = current;
    let depth = 0;
    for (const key of keys) {
      const child = this.findChild(current.value, key);
      if (!child) break;
      parent = current;
      current = child;
      depth += 1;
    }
    const keyOffset = current.key === undefined ? undefined : this.findOffset(current.key);
    const valueOffset = this.findOffset(current.value);
    const offset = target === "key" ? (keyOffset ?? valueOffset) : (valueOffset ?? keyOffset);
    // An empty item of a list has no text.
    return { offset: offset ?? this.findOffset(parent.value) ?? 0, depth };
  }

  /** Returns the text of the value at a JSON pointer up to the end of a match of the sticky pattern; undefined without a match. */
  matchValue(pointer: string, pattern: RegExp): string | undefined {
    pattern.lastIndex = this.find(parsePointer(pointer), "value").offset;
    return pattern.exec(this.body)?.[0];
  }

  private canParse(): boolean {
    try {
      return this.isJson || this.events.length > 0;
    } catch {
      return false;
    }
  }

  /** Returns line and column of an offset; both start at 1. */
  getLineAndColumn(offset: number): { line: number; col: number } {
    this.lineStarts ??= findLineStarts(this.body);
    let [first, last] = [0, this.lineStarts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((this.lineStarts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, col: offset - (this.lineStarts[first] ?? 0) + 1 };
  }

  /** Finds the child of a collection under a key, or under an index for a list; undefined if there is none. */
  private findChild(parent: number, key: string): Child | undefined {
    const index = (): ReadonlyMap<string, Child> =>
      this.isJson ? indexJsonChildren(this.body, parent) : this.indexChildren(parent);
    return getOrCreate(this.children, parent, index).get(key);
  }

  /** Indexes the children of a collection. A large one can have many locations to find. The first of equal keys counts. */
  private indexChildren(parent: number): Map<string, Child> {
    const children = new Map<string, Child>();
    const type = this.events[parent]?.type;
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return children;
    const end = this.findEnd(parent) - 1;
    for (let first = parent + 1; first < end;) {
      const isItem = type === EVENT_ID.SEQUENCE;
      const value = isItem ? first : this.findEnd(first);
      const event = this.events[first];
      if (isItem) children.set(String(children.size), { value, key: undefined });
      else if (event?.type === EVENT_ID.SCALAR) {
        const child = { value, key: first };
        getOrCreate(children, getScalarValue(this.body, event), () => child);
      }
      first = this.findEnd(value);
    }
    return children;
  }

  /** Returns the index after the last event of a value. */
  private findEnd(eventIndex: number): number {
    this.ends ??= findEnds(this.events);
    return this.ends[eventIndex] ?? eventIndex + 1;
  }

  /** Returns the offset of a value in the text; undefined for an empty value, as in `key:`. */
  private findOffset(node: number): number | undefined {
    if (this.isJson) return node;
    const event = this.events[node];
    switch (event?.type) {
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        return event.start;
      case EVENT_ID.ALIAS:
        // A `*` precedes the name of the anchor.
        return event.anchorStart - 1;
      case EVENT_ID.SCALAR: {
        const { style, valueStart } = event;
        if (valueStart < 0) return undefined;
        if (style === SCALAR_STYLE.PLAIN) return valueStart;
        if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK)
          return findBlockHeader(this.body, valueStart);
        // A quote precedes the text.
        return valueStart - 1;
      }
      default:
        return undefined;
    }
  }
}

/** Returns the offset of the `|` or `>` on the line before the text of a block scalar, or else the offset of the text. */
function findBlockHeader(body: string, textStart: number): number {
  const lineStart = body.lastIndexOf("\n", textStart - 2) + 1;
  const column = body.slice(lineStart, textStart - 1).search(/[|>][-+1-9]*[ \t]*(?:[ \t]#.*)?$/);
  return column === -1 ? textStart : lineStart + column;
}

/** Returns for each event the index after the last event of the same value. */
function findEnds(events: readonly Event[]): Int32Array {
  const ends = new Int32Array(events.length);
  const open: number[] = [];
  for (const [eventIndex, { type }] of events.entries()) {
    ends[eventIndex] = eventIndex + 1;
    if (type === EVENT_ID.POP) ends[open.pop() ?? 0] = eventIndex + 1;
    else if (type !== EVENT_ID.SCALAR && type !== EVENT_ID.ALIAS) open.push(eventIndex);
  }
  return ends;
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

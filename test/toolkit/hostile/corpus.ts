import { isObject, type JsonObject, type JsonValue } from "../../../scripts/json.js";
import { PAYLOADS } from "./payloads.js";
import { SINKS } from "./sinks.js";

/** A text in a position of a document. */
export interface Case {
  sink: string;
  payload: string;
  /** Distinguishes the copies of a sink in one document. */
  index: number;
}

/** A document with cases, and the positions of each case in it. */
export interface CaseDocument {
  document: JsonObject;
  /** Returns the cases of a position; none for parts of every document. */
  ownersOf(pointer: string): Case[];
}

/** The document to which parts are added. */
const BASE: JsonObject = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: { "/linked": { get: { operationId: "linked", responses: { "200": { description: "ok" } } } } },
  components: {
    schemas: {
      One: { type: "object", properties: { one: { type: "string" } } },
      Two: { type: "object", properties: { two: { type: "string" } } },
    },
  },
};

const PAYLOAD_NAMES = Object.keys(PAYLOADS);

/** Whether a case may end in an error, such as a lone surrogate, which a file cannot contain. */
export function mayBeRefused({ sink, payload }: Case): boolean {
  const text = PAYLOADS[payload] ?? "";
  return !text.isWellFormed() || (SINKS[sink]?.mayBeRefused?.(text) ?? false);
}

/**
 * Lists all cases of the corpus by document: cases that must be generated in one document, cases that may be refused in
 * another, and sinks that a document can contain only once in one document per text.
 */
export function listDocuments(): Case[][] {
  const sinks = Object.entries(SINKS);
  const cases = (once: boolean, payload: string, index: number): Case[] =>
    sinks.flatMap(([sink, { once: single = false }]) => (single === once ? [{ sink, payload, index }] : []));
  const many = PAYLOAD_NAMES.flatMap((payload, index) => cases(false, payload, index));
  return [
    many.filter((each) => !mayBeRefused(each)),
    many.filter(mayBeRefused),
    ...PAYLOAD_NAMES.map((payload) => cases(true, payload, 0)),
  ];
}

/** Creates the text of a case. */
function createText({ payload }: Case): string {
  return PAYLOADS[payload] ?? "";
}

/** Creates a document with cases. */
export function createDocument(cases: readonly Case[]): CaseDocument {
  const owners = new Map<string, Case[]>();
  const document = structuredClone(BASE);
  for (const each of cases) {
    const part = SINKS[each.sink]?.build(createText(each), each.index) ?? {};
    for (const pointer of listAddedPointers(part, document)) {
      const known = owners.get(pointer);
      if (known) known.push(each);
      else owners.set(pointer, [each]);
    }
    // Cloned, because parts share values.
    mergeInto(document, structuredClone(part));
  }
  return {
    document,
    ownersOf(pointer) {
      const keys = pointer.split("/");
      for (let length = keys.length; length > 0; length -= 1) {
        const found = owners.get(keys.slice(0, length).join("/"));
        if (found) return found;
      }
      return [];
    },
  };
}

/** Merges a part into a document: objects by member, lists by concatenation; the later of two other values wins. */
function mergeInto(document: JsonObject, part: JsonObject): void {
  for (const [key, value] of Object.entries(part)) {
    const before = Object.hasOwn(document, key) ? document[key] : undefined;
    if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
    else if (isObject(before) && isObject(value)) mergeInto(before, value);
    // Defined instead of assigned, because assigning to __proto__ changes the prototype.
    else
      Object.defineProperty(document, key, { value, enumerable: true, configurable: true, writable: true });
  }
}

/** Lists the pointers that a part adds to a document, at the second level, and at the third below `components`. */
function listAddedPointers(part: JsonObject, document: JsonObject): string[] {
  return Object.entries(part).flatMap(([key, value]) => {
    const at = `/${escape(key)}`;
    if (Array.isArray(value)) {
      const before = document[key];
      const offset = Array.isArray(before) ? before.length : 0;
      return value.map((_, index) => `${at}/${offset + index}`);
    }
    if (key === "components") {
      return listMembers(value).flatMap(([section, named]) =>
        listMembers(named).map(([name]) => `${at}/${section}/${escape(name)}`),
      );
    }
    const below = key === "paths" || key === "webhooks" || key === "info";
    return below ? listMembers(value).map(([name]) => `${at}/${escape(name)}`) : [at];
  });
}

function listMembers(value: JsonValue | undefined): [string, JsonValue][] {
  return isObject(value) ? Object.entries(value) : [];
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

import type { JsonObject, JsonValue } from "../../../scripts/model/model.js";
import { BASE, merge, SINKS } from "./sinks.js";
import { PAYLOADS } from "./payloads.js";

/** One text in one place. */
export interface Case {
  sink: string;
  payload: string;
  /** Tells the copies of a sink in one document apart. */
  index: number;
}

/** A document of cases, and which places in it are whose. */
export interface CaseDocument {
  document: JsonObject;
  /** The cases that a place belongs to; none for what is there in every document. */
  ownersOf(pointer: string): Case[];
}

const PAYLOAD_NAMES = Object.keys(PAYLOADS);

/** Whether a case may end in an error: half a surrogate pair, say, is nothing that a file can hold. */
export function mayBeRefused({ sink, payload }: Case): boolean {
  const text = PAYLOADS[payload] ?? "";
  return !text.isWellFormed() || (SINKS[sink]?.mayBeRefused?.(text) ?? false);
}

/**
 * All cases of the corpus: those that must be generated from in one document, those that may be refused in another, and
 * those of which a document has but one in one for each text.
 */
export function allDocuments(): Case[][] {
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

/** Text of a case. */
function textOf({ payload }: Case): string {
  return PAYLOADS[payload] ?? "";
}

/** Puts cases into one document. */
export function documentOf(cases: readonly Case[]): CaseDocument {
  const owners = new Map<string, Case[]>();
  let document: JsonObject = BASE;
  for (const each of cases) {
    const part = SINKS[each.sink]?.build(textOf(each), each.index) ?? {};
    for (const pointer of ownPlaces(part, document)) {
      const known = owners.get(pointer);
      if (known) known.push(each);
      else owners.set(pointer, [each]);
    }
    // The cast: two objects give an object.
    document = merge(document, part) as JsonObject;
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

/** Pointers of what a part adds to a document, two levels down and three below `components`. */
function ownPlaces(part: JsonObject, document: JsonObject): string[] {
  return Object.entries(part).flatMap(([key, value]) => {
    const at = `/${escape(key)}`;
    if (Array.isArray(value)) {
      const before = document[key];
      const offset = Array.isArray(before) ? before.length : 0;
      return value.map((_, index) => `${at}/${offset + index}`);
    }
    if (key === "components") {
      return members(value).flatMap(([section, named]) =>
        members(named).map(([name]) => `${at}/${section}/${escape(name)}`),
      );
    }
    const below = key === "paths" || key === "webhooks" || key === "info";
    return below ? members(value).map(([name]) => `${at}/${escape(name)}`) : [at];
  });
}

function members(value: JsonValue | undefined): [string, JsonValue][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

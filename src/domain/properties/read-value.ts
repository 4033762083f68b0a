import { parseId } from "../ids.js";
import { isRichTextInput, toRichText } from "../rich-text.js";
import type { PropertyDefinition, PropertyType } from "../schema.js";
import type { OptionList } from "./options.js";
import { readOption } from "./options.js";
import { readDate } from "./read-date.js";
import { isObject, placeOf, Refusal, refuseShape } from "./refusal.js";
import { isComputed, type FileValue, type StoredValue } from "./stored.js";

/** Most elements of a value that is a list. */
export const MAX_ELEMENTS = 100;

/** Most characters of the values that are plain texts. */
export const MAX_LENGTH = { url: 2000, email: 200, phone_number: 200 } as const;

/** A value of a request, read: what to store, or for a relation the pages that it names. Null clears the property. */
export type Read = { readonly value: StoredValue | null } | { readonly pageIds: readonly string[] };

/**
 * Reads the new value of a property: `{type: value}`, with `type`, `id` and `name` as responses have them or without, or
 * the bare value. Null, bare or inside, clears the property.
 *
 * @param options the options of a property that has some; an option of a new name is added, but for status
 */
export function readValue(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): Read | Refusal {
  const { name, type } = property;
  if (isComputed(property)) return new Refusal(`${name} is computed by the service and cannot be written.`);
  const bare = unwrap(type, input);
  if (type === "relation") {
    const pageIds = bare === null ? [] : readIds(bare);
    return pageIds instanceof Refusal ? pageIds : pageIds ? { pageIds } : refuseType(property);
  }
  if (bare === null) return { value: null };
  const value = readBare(property, bare, options);
  if (value instanceof Refusal) return value;
  return value === undefined ? refuseType(property) : { value };
}

function refuseType({ name, type }: PropertyDefinition): Refusal {
  return new Refusal(`${name} is expected to be ${type}.`);
}

/** Members that may stand beside the value, as responses have them. */
const ECHOED = ["id", "name", "has_more"];

/** Takes the bare value out of `{type, [type]: value}`; undefined when the wrapping is that of another type. */
function unwrap(type: PropertyType, input: unknown): unknown {
  if (!isObject(input)) return input;
  if (!Object.hasOwn(input, type)) {
    // The bare values that are objects themselves.
    return type === "select" || type === "status" || type === "date" ? input : undefined;
  }
  for (const [key, member] of Object.entries(input)) {
    if (key !== type && (key === "type" ? member !== type : !ECHOED.includes(key))) return undefined;
  }
  return input[type];
}

/** The value to store; undefined when the input is of another type. */
function readBare(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): StoredValue | Refusal | undefined {
  const { name, type } = property;
  const place = `${placeOf(name)}.${type}`;
  switch (type) {
    case "title":
    case "rich_text":
      if (!isRichTextInput(input)) return undefined;
      return refuseLength(input, place) ?? input.map((run) => toRichText(run));
    case "number":
      if (typeof input !== "number") return undefined;
      // JSON can write numbers that are too large to be one.
      return Number.isFinite(input) ? input : refuseShape(place, "a number", input);
    case "checkbox":
      return typeof input === "boolean" ? input : undefined;
    case "select":
    case "status": {
      const option = options && readOption(input, name, options, type === "select");
      return option instanceof Refusal ? option : option?.id;
    }
    case "multi_select":
      return options && readOptions(input, name, options, place);
    case "date":
      return readDate(input, name, place);
    case "people":
      return readIds(input);
    case "files":
      return readFiles(input, place);
    case "url":
    case "email":
    case "phone_number":
      return typeof input === "string" ? readText(input, MAX_LENGTH[type], place) : undefined;
    default:
      // Relations were read before, and the others are computed.
      return undefined;
  }
}

function refuseLength(list: readonly unknown[], place: string): Refusal | undefined {
  if (list.length <= MAX_ELEMENTS) return undefined;
  return refuseShape(`${place}.length`, `≤ \`${MAX_ELEMENTS}\``, list.length);
}

function readText(text: string, maxLength: number, place: string): string | Refusal {
  const { length } = text;
  if (length === 0) return refuseShape(`${place}.length`, "≥ `1`", length);
  return length > maxLength ? refuseShape(`${place}.length`, `≤ \`${maxLength}\``, length) : text;
}

function readOptions(
  input: unknown,
  name: string,
  options: OptionList,
  place: string,
): string[] | Refusal | undefined {
  if (!Array.isArray(input)) return undefined;
  const refusal = refuseLength(input, place);
  if (refusal !== undefined) return refusal;
  const ids = new Set<string>();
  for (const element of input) {
    const option = readOption(element, name, options, true);
    if (option === undefined || option instanceof Refusal) return option;
    ids.add(option.id);
  }
  return [...ids];
}

/** Reads a list of `{id}`, of people or pages; each comes once. */
function readIds(input: unknown): string[] | Refusal | undefined {
  if (!Array.isArray(input)) return undefined;
  const ids = new Set<string>();
  for (const element of input) {
    const id = isObject(element) && typeof element.id === "string" ? parseId(element.id) : undefined;
    if (id === undefined) return undefined;
    ids.add(id);
  }
  if (ids.size > MAX_ELEMENTS)
    return new Refusal(`At most ${MAX_ELEMENTS} people or pages can be named at once.`);
  return [...ids];
}

function readFiles(input: unknown, place: string): FileValue[] | Refusal | undefined {
  if (!Array.isArray(input)) return undefined;
  const refusal = refuseLength(input, place);
  if (refusal !== undefined) return refusal;
  const files: FileValue[] = [];
  for (const element of input) {
    const file = readFile(element);
    if (file === undefined) return undefined;
    files.push(file);
  }
  return files;
}

/** Reads a file by its address. One that another service hosts comes in as a file elsewhere, like all others. */
function readFile(input: unknown): FileValue | undefined {
  if (!isObject(input) || typeof input.name !== "string") return undefined;
  const place = isObject(input.external) ? input.external : input.file;
  if (!isObject(place) || typeof place.url !== "string") return undefined;
  return { name: input.name, type: "external", external: { url: place.url } };
}

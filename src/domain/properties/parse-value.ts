import type { Schemas } from "../api-schemas.js";
import { type DomainError, createInvalidValueError, createValidationError } from "../errors.js";
import { parseId } from "../ids.js";
import { isObject } from "../is-object.js";
import { isRichTextInput, parseRichText } from "../rich-text.js";
import {
  type DefinitionOf,
  isComputedProperty,
  type PropertyDefinition,
  type PropertyType,
} from "../schema.js";
import { type OptionList, parseOption } from "./options.js";
import type { FileValue, StoredValue } from "./stored-values.js";
import { parseDateValue } from "./dates.js";
import { abbreviate, hasLineBreak } from "../text.js";

/** Maximum length of plain texts in UTF-16 units. */
export const MAX_TEXT_LENGTHS = { url: 2000, email: 200, phone_number: 200 } as const;

/**
 * Parses the new value of a property other than a relation; null clears it. Accepts `{[type]: value}`, optionally with `type`, `id`
 * and `name` as in responses, and the bare value. Adds unknown options to `options`, except for a status. Throws a DomainError
 * (validation) for an invalid value.
 */
export function parseValue(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): StoredValue | null {
  if (isComputedProperty(property)) {
    throw createValidationError(
      `${abbreviate(property.name)} is computed by the service and cannot be written.`,
    );
  }
  const bare = unwrapValue(property.type, input);
  const value = bare === null ? null : parseBareValue(property, bare, options);
  if (value === undefined) throw createWrongTypeError(property);
  return value;
}

/** Parses the new value of a relation, see parseValue. Returns the ids of the linked pages. */
export function parseLinks(relation: DefinitionOf<"relation">, input: unknown): readonly string[] {
  const bare = unwrapValue(relation.type, input);
  const pageIds = bare === null ? [] : parseIds(bare);
  if (pageIds === undefined) throw createWrongTypeError(relation);
  return pageIds;
}

function createWrongTypeError({ name, type }: PropertyDefinition): DomainError {
  return createValidationError(`${abbreviate(name)} is expected to be ${type}.`);
}

/** Fields of responses that are allowed next to the value, so that clients can send values as they received them. */
const ECHOED_FIELDS = ["id", "name", "has_more"];

/** Returns the bare value of `{type, [type]: value}`, and an input that is bare itself; undefined for a value of another type. */
function unwrapValue(type: PropertyType, input: unknown): unknown {
  if (!isObject(input)) return input;
  if (!Object.hasOwn(input, type)) {
    // Bare values of these types are objects.
    return type === "select" || type === "status" || type === "date" ? input : undefined;
  }
  for (const [key, member] of Object.entries(input)) {
    if (key !== type && (key === "type" ? member !== type : !ECHOED_FIELDS.includes(key))) return undefined;
  }
  return input[type];
}

function formatPropertyPath(name: string): string {
  const segment = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return `body.properties${segment}`;
}

/** Parses a bare value; undefined when the input is of another type. */
function parseBareValue(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): StoredValue | undefined {
  const { type } = property;
  const name = abbreviate(property.name);
  const path = `${formatPropertyPath(name)}.${type}`;
  switch (type) {
    case "title":
    case "rich_text":
      return isRichTextInput(input) ? parseRichText(input, path) : undefined;
    case "number":
      if (typeof input !== "number") return undefined;
      // JSON allows numbers that are too large for a double.
      if (!Number.isFinite(input)) throw createInvalidValueError(path, "a number", input);
      return input;
    case "checkbox":
      return typeof input === "boolean" ? input : undefined;
    case "select":
    case "status":
      return options && parseOption(input, name, options, type === "select")?.id;
    case "multi_select": {
      const ids = options && parseElements(input, (option) => parseOption(option, name, options, true)?.id);
      return ids && [...new Set(ids)];
    }
    case "date":
      // Safe cast: see parseOption.
      return isObject(input) && "start" in input
        ? parseDateValue(input as Schemas["DateInput"], name, path)
        : undefined;
    case "people":
      return parseIds(input);
    case "files":
      return parseElements(input, parseFile);
    case "email":
    case "url":
    case "phone_number":
      if (typeof input !== "string") return undefined;
      if (type === "email" && hasLineBreak(input)) {
        throw createInvalidValueError(path, "an e-mail address without line breaks", input);
      }
      if (input === "") throw createInvalidValueError(`${path}.length`, "≥ `1`", 0);
      if (input.length > MAX_TEXT_LENGTHS[type]) {
        throw createInvalidValueError(`${path}.length`, `≤ \`${MAX_TEXT_LENGTHS[type]}\``, input.length);
      }
      return input;
    // For relations parseLinks is called, and the other types are computed.
    case "relation":
    case "rollup":
    case "unique_id":
    case "created_time":
    case "created_by":
    case "last_edited_time":
    case "last_edited_by":
      return undefined;
  }
}

/** Parses a list; undefined when the input is not a list, or `parseElement` returns undefined for an element. */
function parseElements<Element>(
  input: unknown,
  parseElement: (element: unknown) => Element | undefined,
): Element[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const elements: Element[] = [];
  for (const item of input) {
    const element = parseElement(item);
    if (element === undefined) return undefined;
    elements.push(element);
  }
  return elements;
}

/** Parses a list of people or pages, each as `{id}`. Returns their ids without duplicates. */
function parseIds(input: unknown): string[] | undefined {
  const ids = parseElements(input, (element) =>
    isObject(element) && typeof element.id === "string" ? parseId(element.id) : undefined,
  );
  return ids && [...new Set(ids)];
}

/** Parses a file; undefined when it has no name or URL. */
function parseFile(input: unknown): FileValue | undefined {
  if (!isObject(input)) return undefined;
  // Safe cast: see parseOption.
  const { name, external, file } = input as Partial<Schemas["FileInput"]>;
  if (typeof name !== "string") return undefined;
  if (external !== undefined) return { name, type: "external", external: { url: external.url } };
  return file && { name, type: "file", file };
}

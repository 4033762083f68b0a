import { type DomainError, createInvalidValueError, createValidationError } from "../errors.js";
import { parseId } from "../ids.js";
import { isObject } from "../is-object.js";
import { isRichTextInput, toRichText } from "../rich-text.js";
import type { PropertyDefinition, PropertyType } from "../schema.js";
import { type OptionList, readOption } from "./options.js";
import { isComputed, type FileValue, type StoredValue } from "./stored-values.js";
import { readDate } from "./dates.js";

export const MAX_ELEMENTS = 100;

/** Maximum length of plain texts in UTF-16 units. */
export const MAX_TEXT_LENGTHS = { url: 2000, email: 200, phone_number: 200 } as const;

/** A value to store, where null clears the property, or the links of a relation. */
export type NewValue = { readonly value: StoredValue | null } | { readonly pageIds: readonly string[] };

/**
 * Reads the new value of a property: `{[type]: value}`, optionally with `type`, `id` and `name` as in responses, or the
 * bare value. Null clears the property. Adds new options, except to a status. Throws a DomainError (validation).
 */
export function readValue(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): NewValue {
  const { name, type } = property;
  if (isComputed(property)) {
    throw createValidationError(`${name} is computed by the service and cannot be written.`);
  }
  const bare = unwrapValue(type, input);
  if (type === "relation") {
    const pageIds = bare === null ? [] : readIds(bare);
    if (pageIds === undefined) throw createWrongTypeError(property);
    return { pageIds };
  }
  if (bare === null) return { value: null };
  const value = readBare(property, bare, options);
  if (value === undefined) throw createWrongTypeError(property);
  return { value };
}

function createWrongTypeError({ name, type }: PropertyDefinition): DomainError {
  return createValidationError(`${name} is expected to be ${type}.`);
}

/** Response fields that may accompany the value, so that clients can send back what they received. */
const ECHOED_FIELDS = ["id", "name", "has_more"];

/** Unwraps `{type, [type]: value}`; undefined when it is of another type. */
function unwrapValue(type: PropertyType, input: unknown): unknown {
  if (!isObject(input)) return input;
  if (!Object.hasOwn(input, type)) {
    // Bare values that are objects.
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

/** Reads a bare value; undefined when the input is of another type. */
function readBare(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): StoredValue | undefined {
  const { name, type } = property;
  const path = `${formatPropertyPath(name)}.${type}`;
  switch (type) {
    case "title":
    case "rich_text":
      if (!isRichTextInput(input)) return undefined;
      checkElementCount(input, path);
      return input.map((run) => toRichText(run));
    case "number":
      if (typeof input !== "number") return undefined;
      // JSON allows numbers that are too large for a double.
      if (!Number.isFinite(input)) throw createInvalidValueError(path, "a number", input);
      return input;
    case "checkbox":
      return typeof input === "boolean" ? input : undefined;
    case "select":
    case "status":
      return options && readOption(input, name, options, type === "select")?.id;
    case "multi_select":
      return options && readOptions(input, name, options, path);
    case "date":
      return readDate(input, name, path);
    case "people":
      return readIds(input);
    case "files":
      return readElements(input, path, readFile);
    case "email":
    case "url":
    case "phone_number":
      if (typeof input !== "string") return undefined;
      if (type === "email" && hasLineBreak(input)) {
        throw createInvalidValueError(path, "an e-mail address without line breaks", input);
      }
      return readText(input, MAX_TEXT_LENGTHS[type], path);
    default:
      // Relations are read elsewhere, and the other types are computed.
      return undefined;
  }
}

function checkElementCount({ length }: readonly unknown[], path: string): void {
  if (length > MAX_ELEMENTS) throw createInvalidValueError(`${path}.length`, `≤ \`${MAX_ELEMENTS}\``, length);
}

/** Whether a text has a line break, which in an e-mail address could add headers to a message. */
export function hasLineBreak(text: string): boolean {
  return /[\n\v\f\r\u0085\u2028\u2029]/.test(text);
}

function readText(text: string, maxLength: number, path: string): string {
  const { length } = text;
  if (length === 0) throw createInvalidValueError(`${path}.length`, "≥ `1`", length);
  if (length > maxLength) throw createInvalidValueError(`${path}.length`, `≤ \`${maxLength}\``, length);
  return text;
}

function readOptions(input: unknown, name: string, options: OptionList, path: string): string[] | undefined {
  const ids = readElements(input, path, (element) => readOption(element, name, options, true)?.id);
  return ids && [...new Set(ids)];
}

/** Reads a list; undefined when the input is no list, or `readElement` returns undefined for an element. */
function readElements<Element>(
  input: unknown,
  path: string,
  readElement: (element: unknown) => Element | undefined,
): Element[] | undefined {
  if (!Array.isArray(input)) return undefined;
  checkElementCount(input, path);
  const elements: Element[] = [];
  for (const item of input) {
    const element = readElement(item);
    if (element === undefined) return undefined;
    elements.push(element);
  }
  return elements;
}

/** Reads a list of `{id}` of people or pages, without duplicates. */
function readIds(input: unknown): string[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const ids = new Set<string>();
  for (const element of input) {
    const id = isObject(element) && typeof element.id === "string" ? parseId(element.id) : undefined;
    if (id === undefined) return undefined;
    ids.add(id);
  }
  if (ids.size > MAX_ELEMENTS) {
    throw createValidationError(`At most ${MAX_ELEMENTS} people or pages can be named at once.`);
  }
  return [...ids];
}

/** Reads a file by its URL; undefined when it has none. */
function readFile(input: unknown): FileValue | undefined {
  if (!isObject(input) || typeof input.name !== "string") return undefined;
  const { name, external, file } = input;
  if (isObject(external)) {
    return typeof external.url === "string"
      ? { name, type: "external", external: { url: external.url } }
      : undefined;
  }
  if (!isObject(file) || typeof file.url !== "string") return undefined;
  const expiry = typeof file.expiry_time === "string" ? { expiry_time: file.expiry_time } : {};
  return { name, type: "file", file: { url: file.url, ...expiry } };
}

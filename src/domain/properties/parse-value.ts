import { type DomainError, createInvalidValueError, createValidationError } from "../errors.js";
import { parseId } from "../ids.js";
import { isObject } from "../is-object.js";
import { isRichTextInput, toRichText } from "../rich-text.js";
import { isComputedProperty, type PropertyDefinition, type PropertyType } from "../schema.js";
import { type OptionList, parseOption } from "./options.js";
import type { FileValue, StoredValue } from "./stored-values.js";
import { parseDateValue } from "./dates.js";

export const MAX_ELEMENTS = 100;

/** Maximum length of plain texts in UTF-16 units. */
export const MAX_TEXT_LENGTHS = { url: 2000, email: 200, phone_number: 200 } as const;

/** The new value of a property, where null clears it, or the ids of the linked pages of a relation. */
export type NewValue = { readonly value: StoredValue | null } | { readonly pageIds: readonly string[] };

/**
 * Parses the new value of a property. Accepts `{[type]: value}`, optionally with `type`, `id` and `name` as in responses, and
 * the bare value. Adds unknown options to `options`, except for a status. Throws a DomainError (validation) for an invalid value.
 */
export function parseValue(
  property: PropertyDefinition,
  input: unknown,
  options: OptionList | undefined,
): NewValue {
  const { name, type } = property;
  if (isComputedProperty(property)) {
    throw createValidationError(`${name} is computed by the service and cannot be written.`);
  }
  const bare = unwrapValue(type, input);
  if (type === "relation") {
    const pageIds = bare === null ? [] : parseIds(bare);
    if (pageIds === undefined) throw createWrongTypeError(property);
    return { pageIds };
  }
  if (bare === null) return { value: null };
  const value = parseBareValue(property, bare, options);
  if (value === undefined) throw createWrongTypeError(property);
  return { value };
}

function createWrongTypeError({ name, type }: PropertyDefinition): DomainError {
  return createValidationError(`${name} is expected to be ${type}.`);
}

/** Fields of responses that are allowed next to the value, so that clients can send values as they received them. */
const ECHOED_FIELDS = ["id", "name", "has_more"];

/** Returns the bare value of `{type, [type]: value}`; undefined for a value of another type. */
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
      return options && parseOption(input, name, options, type === "select")?.id;
    case "multi_select":
      return options && parseOptions(input, name, options, path);
    case "date":
      return parseDateValue(input, name, path);
    case "people":
      return parseIds(input);
    case "files":
      return parseElements(input, path, parseFile);
    case "email":
    case "url":
    case "phone_number":
      if (typeof input !== "string") return undefined;
      if (type === "email" && hasLineBreak(input)) {
        throw createInvalidValueError(path, "an e-mail address without line breaks", input);
      }
      return parseText(input, MAX_TEXT_LENGTHS[type], path);
    default:
      // parseValue handles relations, and the other types are computed.
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

function parseText(text: string, maxLength: number, path: string): string {
  const { length } = text;
  if (length === 0) throw createInvalidValueError(`${path}.length`, "≥ `1`", length);
  if (length > maxLength) throw createInvalidValueError(`${path}.length`, `≤ \`${maxLength}\``, length);
  return text;
}

function parseOptions(input: unknown, name: string, options: OptionList, path: string): string[] | undefined {
  const ids = parseElements(input, path, (element) => parseOption(element, name, options, true)?.id);
  return ids && [...new Set(ids)];
}

/** Parses a list; undefined when the input is not a list, or `parseElement` returns undefined for an element. */
function parseElements<Element>(
  input: unknown,
  path: string,
  parseElement: (element: unknown) => Element | undefined,
): Element[] | undefined {
  if (!Array.isArray(input)) return undefined;
  checkElementCount(input, path);
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

/** Parses a file; undefined when it has no name or URL. */
function parseFile(input: unknown): FileValue | undefined {
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

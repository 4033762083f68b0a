import {
  convertScalar,
  convertValue,
  getPropertyType,
  isListType,
  isObjectType,
} from "./parameters/text-values.js";
import type { FieldType, HttpField, HttpParameter, ValidationError, Validator } from "./types.js";
import { getValueAt, parsePath, validate } from "./validation.js";

/**
 * Checks values that were decoded from text. In a union such as `type: [integer, string], maxLength: 3`, the text `1234` can only
 * be an integer. If the values are invalid, converts strings to numbers and booleans, and then to lists of one item, in place.
 *
 * @param declared the parameters or fields that have the values
 * @throws InvalidRequestError about the values as they were sent
 */
export function convertAndValidate(
  validator: Validator,
  part: string,
  values: unknown,
  declared: readonly (HttpParameter | HttpField)[],
): void {
  if (validator(values)) return;
  const paths = listPaths(validator.errors ?? []).map(parsePath);
  const fields = new Map(declared.map((field) => [field.name, field]));
  const additionalField = declared.find((field) => "additional" in field);
  for (const convert of [toNumberOrBoolean, toOnlyItem]) {
    const undo = paths.flatMap((path) => {
      const field = fields.get(path[0] ?? "") ?? additionalField;
      return field ? replaceInPlace(values, path, (value) => convert(value, field, path)) : [];
    });
    if (undo.length > 0 && validator(values)) return;
    for (const restore of undo) restore();
  }
  validate(validator, part, values);
}

/** Whether a value, and all values in it, are text instead of JSON. Strings in JSON are not meant as numbers. */
function isText(type: FieldType): boolean {
  if (isListType(type)) return isText(type.items);
  if (isObjectType(type))
    return [...Object.values(type.properties), type.additionalProperties ?? "string"].every(isText);
  return typeof type === "string" && type !== "json";
}

/** Lists the locations of errors, also of those in the branches of unions. */
function listPaths(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ instancePath, branches = [] }) => [instancePath, ...listPaths(branches.flat())]);
}

function toNumberOrBoolean(value: unknown, { type }: HttpParameter | HttpField): unknown {
  return typeof value === "string" && isText(type) ? convertScalar("numberOrBoolean", value) : value;
}

/** Converts a value that was read as a scalar to a list, if the value can be one. */
function toOnlyItem(value: unknown, field: HttpParameter | HttpField, path: string[]): unknown {
  const type = findType(field.type, path.slice(1));
  if (!isListType(type) || Array.isArray(value)) return value;
  // JSON is parsed already, and an object is the placeholder of a file.
  const isParsed = type.items === "json" || typeof value === "object";
  const item = isParsed ? value : convertValue(type.items, String(value));
  // The text of a number is unknown: 7 can have been `007`.
  return typeof value === "string" || item === value ? [item] : value;
}

/** Finds the type of a value inside a parameter or field; undefined if it has none. */
function findType(outer: FieldType, path: readonly string[]): FieldType | undefined {
  let type: FieldType | undefined = outer;
  for (const name of path) {
    if (isListType(type)) type = type.items;
    else type = isObjectType(type) ? getPropertyType(type, name) : undefined;
  }
  return type;
}

/** Replaces a member. Returns functions that restore it; none if it stays the same. */
function replaceInPlace(
  values: unknown,
  path: readonly string[],
  convert: (value: unknown) => unknown,
): (() => void)[] {
  const owner = getValueAt(values, path.slice(0, -1));
  const name = path.at(-1);
  if (typeof owner !== "object" || owner === null || name === undefined) return [];
  const before = getValueAt(values, path);
  const after = convert(before);
  if (after === before) return [];
  // The member exists, so this does not set a prototype.
  const set = (value: unknown): void => void Object.defineProperty(owner, name, { value });
  set(after);
  return [() => set(before)];
}

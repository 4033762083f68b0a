import { convertScalar } from "./text-values.js";
import type { HttpField, HttpParameter, ValidationError, Validator } from "./types.js";
import { type Expectations, getValueAt, parsePath, validate } from "./validation.js";

/**
 * Checks values that were decoded from text. A text that is read as a string can be meant as a number or a boolean, in a
 * union such as `type: [integer, string], maxLength: 3`. If it is not allowed as a string, it is converted in place.
 *
 * @param declared the parameters or fields that have the values
 * @throws InvalidRequestError about the values as they were sent
 */
export function validateText(
  validator: Validator,
  part: string,
  values: unknown,
  declared: readonly (HttpParameter | HttpField)[],
  expectations: Expectations,
): void {
  if (validator(values)) return;
  const names = new Set(declared.filter(hasOnlyText).map(({ name }) => name));
  const undo = listPaths(validator.errors ?? [])
    .map(parsePath)
    .filter(([name = ""]) => names.has(name))
    .flatMap((path) => convertInPlace(values, path));
  if (undo.length > 0 && validator(values)) return;
  for (const restore of undo) restore();
  validate(validator, part, values, expectations);
}

/** Whether all members of a parameter or field are text. Strings in JSON are not meant as numbers. */
function hasOnlyText({ type, itemType, properties = {} }: HttpParameter | HttpField): boolean {
  return ![type, itemType, ...Object.values(properties)].some((each) => each === "json" || each === "mixed");
}

/** Lists the locations of errors, also of those in the branches of unions. */
function listPaths(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ instancePath, branches = [] }) => [instancePath, ...listPaths(branches.flat())]);
}

/** Converts a text that is a number or a boolean. Returns functions that restore it; none if it is another text. */
function convertInPlace(values: unknown, path: readonly string[]): (() => void)[] {
  const owner = getValueAt(values, path.slice(0, -1));
  const name = path.at(-1);
  const text = getValueAt(values, path);
  if (typeof text !== "string" || typeof owner !== "object" || owner === null || name === undefined)
    return [];
  const value = convertScalar("numberOrBoolean", text);
  if (value === text) return [];
  // The member exists, so this does not set a prototype.
  const set = (each: unknown): void => void Object.defineProperty(owner, name, { value: each });
  set(value);
  return [() => set(text)];
}

import { createInvalidValueError } from "./errors.js";

/** The only key of an object, as `kind`, and its value. */
type SingleKey<Input, Kind extends keyof Input> = {
  [Key in Kind]-?: { readonly kind: Key; readonly value: Exclude<Input[Key], undefined> };
}[Kind];

/**
 * Parses an object that must have exactly one of the keys `kinds`. Its `type`, if it has one, must be the same key. Throws a
 * DomainError (validation) otherwise. If the object has none of the keys, the message names the first of them.
 */
export function parseSingleKey<
  Kind extends string,
  Input extends { readonly [Key in Kind]?: unknown } & { readonly type?: Kind | undefined },
>(input: Input, kinds: readonly [Kind, ...Kind[]], path: string): SingleKey<Input, Kind> {
  const given = kinds.filter((kind) => input[kind] !== undefined);
  const kind = input.type ?? given[0] ?? kinds[0];
  const value = input[kind];
  if (value === undefined) throw createInvalidValueError(`${path}.${kind}`, "defined", value);
  const other = given.find((key) => key !== kind);
  if (other !== undefined) throw createInvalidValueError(`${path}.${other}`, "not present", input[other]);
  // Safe cast: the compiler does not know that `kind` and `value` belong together.
  return { kind, value } as SingleKey<Input, Kind>;
}

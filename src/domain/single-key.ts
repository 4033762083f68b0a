import { createInvalidValueError } from "./errors.js";

export type SingleKey<Input, Kind extends keyof Input> = {
  [Key in Kind]-?: { readonly kind: Key; readonly value: Exclude<Input[Key], undefined> };
}[Kind];

/**
 * Reads a single-key object: an object with exactly one of several keys, which `type` may repeat. Throws a DomainError
 * (validation) for any other object; without a key the message names the first of `kinds`.
 */
export function readSingleKey<
  Kind extends string,
  Input extends { readonly [Key in Kind]?: unknown } & { readonly type?: Kind | undefined },
>(input: Input, kinds: readonly [Kind, ...Kind[]], path: string): SingleKey<Input, Kind> {
  const given = kinds.filter((kind) => input[kind] !== undefined);
  const kind = input.type ?? given[0] ?? kinds[0];
  const value = input[kind];
  if (value === undefined) throw createInvalidValueError(`${path}.${kind}`, "defined", value);
  const other = given.find((key) => key !== kind);
  if (other !== undefined) throw createInvalidValueError(`${path}.${other}`, "not present", input[other]);
  // The cast: the compiler does not know that `kind` and `value` belong together.
  return { kind, value } as unknown as SingleKey<Input, Kind>;
}

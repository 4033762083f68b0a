import { shapeError } from "./errors.js";

/** The one member of `Input` that is given, and what it holds. */
export type OneMember<Input, Kind extends keyof Input> = {
  [Key in Kind]-?: { readonly kind: Key; readonly value: Exclude<Input[Key], undefined> };
}[Kind];

/**
 * Reads an object of which just one of several members may be given, which `type` may name besides.
 *
 * @param place where the object is, as error messages name it: `body.parent`
 * @param kinds the names of the members, the one first that is asked for where none is given
 * @throws DomainError (validation) when none of them is given, or several are, or `type` names another
 */
export function readOneMember<
  Kind extends string,
  Input extends { readonly [Key in Kind]?: unknown } & { readonly type?: Kind | undefined },
>(input: Input, kinds: readonly [Kind, ...Kind[]], place: string): OneMember<Input, Kind> {
  const given = kinds.filter((kind) => input[kind] !== undefined);
  const kind = input.type ?? given[0] ?? kinds[0];
  const value = input[kind];
  if (value === undefined) throw shapeError(`${place}.${kind}`, "defined", value);
  const other = given.find((key) => key !== kind);
  if (other !== undefined) throw shapeError(`${place}.${other}`, "not present", input[other]);
  // The type checker does not see that `kind` and `value` belong together.
  return { kind, value } as unknown as OneMember<Input, Kind>;
}

/** Parameter values by name. */
export type Values = Record<string, unknown>;

/** Encodes a value as text for its part of the request. */
export type Encode = (value: unknown) => string;

/** Writes a value as text. Values nested where the style has no syntax for nesting are JSON. */
export const toText: Encode = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Percent-encodes everything except the unreserved characters of RFC 3986, section 2.3. */
export const percentEncode: Encode = (value) => encodeURIComponent(toText(value));

/** Whether an entry is sent: undefined and null are not. */
export function isSet([, value]: [string, unknown]): boolean {
  return value !== undefined && value !== null;
}

/** Creates the error for a value without an unambiguous encoding. The request is not sent. */
export function createSerializationError(name: string, reason: string): TypeError {
  return new TypeError(`The parameter ${name} cannot be written: ${reason}.`);
}

/** Looks up an own property, so that a parameter called `constructor` finds no inherited member. */
export function getOwnValue<Value>(values: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Encodes the members of a list or an object: names and values, or `name=value` when exploded. */
export function encodeMembers(value: unknown, explode: boolean, encode: Encode): string[] {
  // RFC 6570, section 2.3: a null in a list is undefined and is skipped.
  if (Array.isArray(value)) return value.filter((item) => item !== undefined && item !== null).map(encode);
  if (typeof value !== "object" || value === null) return [encode(value)];
  return Object.entries(value)
    .filter(isSet)
    .flatMap(([key, member]) =>
      explode ? [`${encode(key)}=${encode(member)}`] : [encode(key), encode(member)],
    );
}

/**
 * Joins the members of a list or an object.
 *
 * @throws TypeError if the text cannot be split into the same members again
 */
export function joinMembers(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
  delimiter = ",",
): string {
  const members = encodeMembers(value, explode, encode);
  if (typeof value === "object" && members.length === 1 && members[0] === "")
    throw createSerializationError(name, "a list of one empty string looks like an empty list");
  if (typeof value === "object" && members.some((member) => member.includes(delimiter)))
    throw createSerializationError(
      name,
      `a member contains the delimiter ${JSON.stringify(decodeURIComponent(delimiter))}`,
    );
  return members.join(delimiter);
}

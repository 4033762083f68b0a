import {
  type Encode,
  isSet,
  joinMembers,
  getOwnValue,
  percentEncode,
  createSerializationError,
  type Values,
} from "./encode.js";

/** Writes a query parameter as `name=value` pairs. */
export type QueryWriter = (name: string, value: unknown) => string[];

/** Writes a query string without its question mark. Parameters without a writer are `form`, exploded. */
export function writeQuery(query: Values, writers: Record<string, QueryWriter> = {}): string {
  return Object.entries(query)
    .filter(isSet)
    .flatMap(([name, value]) => (getOwnValue(writers, name) ?? writePairs)(name, value))
    .join("&");
}

/** Writes a pair for a scalar, for each item of a list, or for each member of an object under its own name. */
function writePairs(name: string, value: unknown, encode: Encode = percentEncode): string[] {
  const members: Values = typeof value === "object" ? { ...value } : { [name]: value };
  return Object.entries(members)
    .filter(isSet)
    .map(([key, member]) => `${encodeURIComponent(Array.isArray(value) ? name : key)}=${encode(member)}`);
}

const DELIMITERS: Record<string, string> = { comma: ",", spaceDelimited: "%20", pipeDelimited: "%7C" };

/**
 * Creates the writer of a query parameter with a style of OpenAPI.
 *
 * @param style `form`, `comma` (form without explode), `spaceDelimited`, `pipeDelimited`, `deepObject`, `json` or `json*` (a pair for
 *   each item of a list), followed by a plus sign for `allowReserved`
 */
export function queryWriter(style: string): QueryWriter {
  const syntax = style.replace("+", "");
  const encode = style.endsWith("+") ? encodeReserved : percentEncode;
  return (name, value) => {
    const key = encodeURIComponent(name);
    const writeJson = (each: unknown): string => `${key}=${encode(JSON.stringify(each))}`;
    if (syntax === "json") return [writeJson(value)];
    if (syntax === "json*") return [value].flat().map(writeJson);
    if (typeof value !== "object") return writePairs(name, value, encode);
    // Lists in an object are repeated, too: `page=1&sort=a&sort=b`.
    if (syntax === "form")
      return Object.entries(Array.isArray(value) ? { [name]: value } : { ...value }).flatMap(
        ([member, inner]) => writePairs(member, [inner].flat(), encode),
      );
    if (syntax === "deepObject") return writeDeepObject(name, key, value, encode);
    // A comma within a member is encoded even where reserved characters stay, because it is the delimiter.
    const encodeMember: Encode = (member) => encode(member).replaceAll(",", "%2C");
    return [`${key}=${joinMembers(name, value, false, encodeMember, DELIMITERS[syntax])}`];
  };
}

/** Creates the writer of a query parameter without a declared type, which servers read as a text or a list of texts. */
export function untypedQueryWriter(style: string): QueryWriter {
  const write = queryWriter(style);
  return (name, value) => {
    if (typeof value === "object" && !Array.isArray(value))
      throw createSerializationError(name, "an object needs a declared type");
    return write(name, value);
  };
}

/** Keeps reserved characters (RFC 3986, section 2.2) except those that would end the value. */
const encodeReserved: Encode = (value) =>
  percentEncode(value).replace(/%(?:2F|3A|3B|3D|3F|40|24|2C)/g, (escape) => decodeURIComponent(escape));

/** Writes `filter[color]=red&filter[tags][0]=a`. OpenAPI does not define nesting; most servers read this form. */
function writeDeepObject(name: string, key: string, value: unknown, encode: Encode): string[] {
  if (typeof value !== "object" || value === null) return [`${key}=${encode(value)}`];
  return Object.entries(value)
    .filter(isSet)
    .flatMap(([member, inner]) => {
      if (member === "" || /[[\]]/.test(member))
        throw createSerializationError(name, "a property name is empty or contains brackets");
      return writeDeepObject(name, `${key}%5B${encodeURIComponent(member)}%5D`, inner, encode);
    });
}

import {
  type Encode,
  encodeMembers,
  isSet,
  joinMembers,
  getOwnValue,
  percentEncode,
  type Values,
} from "./encode.js";

/** Writes a path parameter that is not plain text. */
export type PathWriter = (name: string, value: unknown) => string;

/**
 * Fills in a path template. Encodes the characters of its text that RFC 3986, section 3.3, does not allow in a path, but that fetch
 * would send as they are, or as `/` in case of a backslash.
 *
 * @throws TypeError for a value that is empty, `.` or `..`: servers and proxies resolve such a segment to another path
 */
export function writePath(
  template: string,
  values: Values,
  writers: Record<string, PathWriter> = {},
): string {
  // The characters from `[` to `^` are `[`, `\`, `]` and `^`.
  return template.replace(/\{([^{}]+)\}|[[-^|]|%(?![\da-f]{2})/gi, (character, name?: string) => {
    if (!name) return encodeURIComponent(character);
    const value = getOwnValue(values, name);
    const text = isSet([name, value])
      ? (getOwnValue(writers, name)?.(name, value) ?? percentEncode(value))
      : "";
    if (/^(\.|%2e){0,2}$/i.test(text)) throw new TypeError(`The path parameter ${name} is empty, . or ..`);
    return text;
  });
}

/**
 * Refuses a path template with a literal segment `.` or `..`, which fetch would resolve to another path.
 *
 * @throws TypeError always
 */
export function unreachablePath(template: string): never {
  throw new TypeError(`The path ${template} cannot be sent: it has a segment . or ..`);
}

/**
 * Creates the writer of a path parameter with a style of OpenAPI.
 *
 * @param style name of the style, with a star when exploded; `json` for a parameter with `content`
 * @param adjacent literal text in the same segment, whose characters are encoded in the value
 */
export function pathWriter(style: string, adjacent: string): PathWriter {
  const explode = style.endsWith("*");
  const encode = encodeBeside(adjacent);
  if (style === "json") return (_, value) => encode(JSON.stringify(value));
  if (style.startsWith("label")) return (name, value) => writeLabel(name, value, explode, adjacent);
  if (style.startsWith("matrix")) return (name, value) => writeMatrix(name, value, explode, encode);
  return (name, value) => joinMembers(name, value, explode, encode);
}

/** Writes `.a,b`, or `.a.b` when exploded (RFC 6570, section 3.2.5). */
function writeLabel(name: string, value: unknown, explode: boolean, adjacent: string): string {
  return explode && typeof value === "object"
    ? `.${joinMembers(name, value, true, encodeBeside(`${adjacent}.`), ".")}`
    : `.${joinMembers(name, value, explode, encodeBeside(adjacent))}`;
}

/** Writes `;name=a,b`, or `;name=a;name=b` when exploded (RFC 6570, section 3.2.7). */
function writeMatrix(name: string, value: unknown, explode: boolean, encode: Encode): string {
  const key = encodeURIComponent(name);
  if (explode && typeof value === "object") {
    const members = encodeMembers(value, true, encode);
    const prefix = Array.isArray(value) ? `;${key}=` : ";";
    return members.length === 0 ? `;${key}` : members.map((member) => prefix + member).join("");
  }
  const text = joinMembers(name, value, false, encode);
  return text === "" ? `;${key}` : `;${key}=${text}`;
}

/** Creates an encoder that also encodes the characters of the text beside the value, so that a reader finds its end. */
function encodeBeside(adjacent: string): Encode {
  return (value) =>
    percentEncode(value).replace(/[!'()*\-.~_]/g, (character) =>
      adjacent.includes(character) ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : character,
    );
}

import {
  type Encode,
  encodeMembers,
  isSet,
  joinMembers,
  getOwnValue,
  percentEncode,
  toText,
  createSerializationError,
  type Values,
} from "./encode.js";

/** Writes cookie parameters as the Cookie header. */
export type CookieWriter = (cookies?: Values) => Record<string, string>;

/**
 * Creates the writer of the cookie parameters of an operation.
 *
 * @param styles by cookie name: `form` (the default), `cookie`, which does not percent-encode values, or `json`; `form*` and
 *   `cookie*` explode
 */
export function cookieWriter(styles: Record<string, string> = {}): CookieWriter {
  return (cookies = {}): Record<string, string> => {
    const pairs = Object.entries(cookies)
      .filter(isSet)
      .flatMap(([name, value]) => writeCookie(name, value, getOwnValue(styles, name) ?? ""));
    return pairs.length === 0 ? {} : { Cookie: pairs.join("; ") };
  };
}

function writeCookie(name: string, value: unknown, style: string): string[] {
  const encode = style.startsWith("cookie") ? requireCookieText(name) : percentEncode;
  const key = encodeURIComponent(name);
  if (style === "json") return [`${key}=${encode(JSON.stringify(value))}`];
  if (!style.endsWith("*") || typeof value !== "object")
    return [`${key}=${joinMembers(name, value, false, encode)}`];
  // One cookie per member, as in OpenAPI 3.2. OpenAPI 3.1 joins them with `&`, at which no cookie parser splits.
  return encodeMembers(value, true, encode).map((member) =>
    Array.isArray(value) ? `${key}=${member}` : member,
  );
}

/**
 * Creates an encoder for the style `cookie`, which has no escapes.
 *
 * @throws TypeError for text that would end the cookie
 */
function requireCookieText(name: string): Encode {
  return (value) => {
    const text = toText(value);
    if (/[^!-~]|[;,]/.test(text))
      throw createSerializationError(
        name,
        "it contains characters that a cookie cannot hold and that its style does not encode",
      );
    return text;
  };
}

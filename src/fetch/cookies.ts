import {
  type Encode,
  encodeMembers,
  isSet,
  joinMembers,
  getOwnValue,
  percentEncode,
  toText,
  createUnwritableError,
  type Values,
} from "./encode.js";

/** Writes cookie parameters as the Cookie header. */
export type CookieWriter = (cookies: Values) => Record<string, string>;

/**
 * Creates the writer of the cookie parameters of an operation.
 *
 * @param styles by name, where it is not `form` without explode: `form*`, `json`, or `cookie` and `cookie*`, which do not
 *   percent-encode
 */
export function cookieWriter(styles: Record<string, string> = {}): CookieWriter {
  return (cookies) => {
    const pairs = Object.entries(cookies)
      .filter(isSet)
      .flatMap(([name, value]) => writeCookie(name, value, getOwnValue(styles, name) ?? ""));
    const headers: Record<string, string> = {};
    return pairs.length === 0 ? headers : { Cookie: pairs.join("; ") };
  };
}

function writeCookie(name: string, value: unknown, style: string): string[] {
  const encode = style.startsWith("cookie") ? requireCookieText(name) : percentEncode;
  const key = encodeURIComponent(name);
  if (style === "json") return [`${key}=${encode(JSON.stringify(value))}`];
  if (!style.endsWith("*") || typeof value !== "object")
    return [`${key}=${joinMembers(name, value, false, encode)}`];
  // One cookie per member, as OpenAPI 3.2 has it: the ampersand of 3.1 does not separate cookies.
  return encodeMembers(value, true, encode).map((member) =>
    Array.isArray(value) ? `${key}=${member}` : member,
  );
}

/** Refuses text that would end a cookie, because the style `cookie` has no escapes. */
function requireCookieText(name: string): Encode {
  return (value) => {
    const text = toText(value);
    if (/[^!-~]|[;,]/.test(text))
      throw createUnwritableError(
        name,
        "it contains characters that a cookie cannot hold and that its style does not encode",
      );
    return text;
  };
}

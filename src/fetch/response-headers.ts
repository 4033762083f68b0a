import { getOwnValue, type Values } from "./encode.js";
import type { CreateError } from "./errors.js";

/** Turns the text of a response header into a value. `createError` creates the error for text that is not JSON. */
export type HeaderReader = (text: string, response: Response, createError: CreateError) => unknown;

/** Readers of the declared headers of a response, by name. */
export type HeaderReaders = Record<string, HeaderReader>;

/** Reads the declared headers that a response has. */
export function readHeaders(response: Response, readers: HeaderReaders, createError: CreateError): Values {
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, read]) => {
      const text = response.headers.get(name);
      return text === null ? [] : [[name, read(text, response, createError)] as const];
    }),
  );
}

/** Reads Set-Cookie, the one header whose lines cannot be joined with commas (RFC 9110, section 5.3). */
export function asCookies(_: string, { headers }: Response): string[] {
  return headers.getSetCookie();
}

/** Reads a header with `content` of JSON. For any other text, cancels the body, unless it has been read, and throws. */
export function asJson(text: string, { body }: Response, createError: CreateError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    body?.cancel().catch(() => {});
    throw createError(undefined, "a header is not JSON");
  }
}

/** Reads `true` as true and any other text as false. */
export function asBoolean(text: string): boolean {
  return text === "true";
}

/** Creates the reader of a text that can have several types. If one is string, only text like `String(number)` is a number. */
export function asScalar(
  ...types: readonly ("boolean" | "number" | "string")[]
): (text: string) => boolean | number | string {
  return (text) => {
    if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
    const number = Number(text);
    if (!types.includes("string")) return number;
    return types.includes("number") && String(number) === text ? number : text;
  };
}

/** Creates the reader of a list. */
export function asList(read: (text: string) => unknown): (text: string) => unknown[] {
  return (text) => splitItems(text).map((item) => read(item));
}

/**
 * Creates the reader of an object. A member without a value is empty.
 *
 * @param explode whether members are `a=1,b=2` instead of `a,1,b,2`
 * @param readers readers of members by name
 * @param readOther reader of all other members
 */
export function asObject(
  explode: boolean,
  readers: Record<string, (text: string) => unknown>,
  readOther: (text: string) => unknown = String,
): (text: string) => Values {
  return (text) => {
    const items = splitItems(text);
    const pairs = explode
      ? items.map((item) => {
          const [key = "", ...values] = item.split("=");
          return [key, values.join("=")] as const;
        })
      : items.flatMap((key, index) => (index % 2 === 0 ? [[key, items[index + 1] ?? ""] as const] : []));
    return Object.fromEntries(
      pairs.map(([key, item]) => [key, (getOwnValue(readers, key) ?? readOther)(item)]),
    );
  };
}

function splitItems(text: string): string[] {
  return text === "" ? [] : text.split(",").map((item) => item.trim());
}

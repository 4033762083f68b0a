import type { ServerResponse } from "node:http";
import { formatHeaderJson } from "../header-json.js";
import type { HeaderStyle } from "../types.js";

/** Headers of a response, as `writeHead` of node:http takes them. */
export type ResponseHeaders = Record<string, string | number | string[]>;

/** Finds the name of a header in the letter case that it has in `headers`. */
export function findHeaderName(headers: ResponseHeaders, name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.keys(headers).find((other) => other.length === name.length && other.toLowerCase() === lower);
}

/** Headers that the runtime sets by these names, by name in lower case. */
const RUNTIME_HEADERS: ReadonlyMap<string, string> = new Map([
  ["content-length", "Content-Length"],
  ["content-type", "Content-Type"],
]);

/**
 * Adds headers. A name replaces the same name in another letter case, so that no header is sent twice.
 *
 * @param styles styles of the headers that are neither text nor a list of texts, by name
 */
export function setHeaders(
  target: ResponseHeaders,
  source: object,
  styles: Readonly<Record<string, HeaderStyle>> = {},
): void {
  for (const [key, value] of Object.entries(source)) {
    if (value === undefined || value === null) continue;
    const name = RUNTIME_HEADERS.get(key.toLowerCase()) ?? key;
    const existing = findHeaderName(target, name);
    if (existing !== undefined) delete target[existing];
    // Cookies can contain commas, so each has its own line (RFC 9110, section 5.3).
    target[name] =
      name.toLowerCase() === "set-cookie" && Array.isArray(value)
        ? value.map(String)
        : formatHeader(name, value, styles[key]);
  }
}

/**
 * Writes the status and the headers of a response. If a header is invalid, the response keeps its earlier headers only, so that
 * an error response can follow. Express sets a header itself, which makes Node set the others one by one before it fails.
 */
export function writeHead<Response extends ServerResponse>(
  response: Response,
  status: number,
  headers: ResponseHeaders,
): Response {
  const earlierHeaders = response.getHeaders();
  try {
    return response.writeHead(status, headers);
  } catch (error) {
    for (const name of Object.keys(headers)) {
      const earlier = earlierHeaders[name.toLowerCase()];
      if (earlier === undefined) response.removeHeader(name);
      else response.setHeader(name, earlier);
    }
    throw error;
  }
}

/** Formats a value. Numbers stay numbers, which `writeHead` formats itself. Objects without a style are JSON. */
function formatHeader(name: string, value: unknown, style: HeaderStyle | undefined): string | number {
  if (typeof value === "number") return value;
  if (style === "json") return formatHeaderJson(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map((item) => formatListItem(name, item)).join(",");
  if (style === undefined) return formatHeaderJson(value);
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined && member !== null);
  // An exploded object is `a=1,b=2` instead of `a,1,b,2`.
  const sign = style === "simple*" ? "=" : ",";
  return members.map((pair) => pair.map((part) => formatListItem(name, part)).join(sign)).join(",");
}

/** Formats an item of a list, an undeclared object as JSON. Throws for a comma in it, because headers have no escape for it. */
function formatListItem(name: string, value: unknown): string {
  const text = typeof value === "object" ? formatHeaderJson(value) : String(value);
  if (!text.includes(",")) return text;
  throw new TypeError(
    `The header ${name} is a list, so its items cannot contain commas: ${JSON.stringify(text)}`,
  );
}

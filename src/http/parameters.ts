import type { IncomingMessage } from "node:http";
import type { HttpOperation, HttpParameter, HttpRequest } from "./types.js";
import {
  atEquals,
  commaParts,
  decodeParts,
  decodeQueryParameter,
  decodeText,
  define,
  safeDecode,
  scalar,
  SentPairs,
  shaped,
  type Values,
} from "./wire.js";

/** Decodes the parameters of one operation by their place, style and explode. */
export type ParameterDecoder = (request: IncomingMessage) => HttpRequest;

type Decode = (request: IncomingMessage) => Values;

/**
 * Prepares the decoder of an operation. Text that is not of the declared type stays text: the validator that runs next
 * says what was expected.
 */
export function parameterDecoder(operation: HttpOperation): ParameterDecoder {
  const at = (place: HttpParameter["in"]): readonly HttpParameter[] =>
    operation.parameters.filter((parameter) => parameter.in === place);
  const [path, query, headers, cookies] = [at("path"), at("query"), at("header"), at("cookie")];
  const decodePath = path.length > 0 ? pathDecoder(path, operation.path) : undefined;
  const decodeQuery = query.length > 0 ? queryDecoder(query) : undefined;
  return (request) => {
    const result: HttpRequest = {};
    if (decodePath) result.path = decodePath(request);
    if (decodeQuery) result.query = decodeQuery(request);
    if (headers.length > 0) result.headers = decodeHeaders(headers, request);
    if (cookies.length > 0) result.cookies = decodeCookies(cookies, request);
    return result;
  };
}

function pathDecoder(parameters: readonly HttpParameter[], template: string): Decode {
  const composed = parameters.some(isComposed);
  const segments = composed ? rawMatcher(template) : undefined;
  return (request) => {
    // `router` and Express put the matched parameters here, decoded.
    const matched: Record<string, string> =
      "params" in request ? (request.params as Record<string, string>) : {};
    const raw = segments?.(request.url ?? "");
    const values: Values = {};
    for (const parameter of parameters) {
      const { name } = parameter;
      const text = Object.hasOwn(matched, name) ? matched[name] : undefined;
      if (text === undefined) continue;
      const sent = raw?.get(name);
      if (!isComposed(parameter)) define(values, name, decodeText(parameter, withoutPrefix(parameter, text)));
      else if (sent !== undefined) define(values, name, decodePathParts(parameter, sent, safeDecode));
      // Mounted at another path than the document's, where only the decoded text is at hand.
      else
        define(
          values,
          name,
          decodePathParts(parameter, text, (part) => part),
        );
    }
    return values;
  };
}

function isComposed({ type }: HttpParameter): boolean {
  return type === "array" || type === "object";
}

/** Finds the parameters of a template in a URL as they were sent: what the router gives is decoded already. */
function rawMatcher(template: string): (url: string) => Map<string, string> | undefined {
  const names: string[] = [];
  // A query string in the template is no part of the path; what stands in braces is a name.
  const pathname = /^(?:\{[^}]*\}|[^?#])*/.exec(template)?.[0] ?? template;
  const source = pathname
    .split(/(\{[^}]*\})/)
    .map((piece) => {
      if (piece.startsWith("{")) {
        names.push(piece.slice(1, -1));
        return "([^/]+?)";
      }
      const sent = encodeURI(piece).replace(/%25([0-9A-Fa-f]{2})/g, "%$1");
      return sent.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  // Express is as lenient as this unless it is told otherwise; only what the router has matched comes here.
  const expression = new RegExp(`^${source}/?$`, "i");
  return (url) => {
    const end = url.indexOf("?");
    const match = expression.exec(end === -1 ? url : url.slice(0, end));
    return match ? new Map(names.map((name, index) => [name, match[index + 1] ?? ""])) : undefined;
  };
}

/** Takes off what the styles label (`.a`) and matrix (`;name=a`) put in front of a text. */
function withoutPrefix({ name, style }: HttpParameter, text: string): string {
  if (style === "label" && text.startsWith(".")) return text.slice(1);
  if (style !== "matrix") return text;
  if (text === `;${name}`) return "";
  return text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text;
}

/** A list or an object from its text as it was sent. */
function decodePathParts(parameter: HttpParameter, raw: string, decode: (text: string) => string): unknown {
  const { style, explode, type } = parameter;
  let parts: string[];
  if (style === "label") {
    const text = raw.replace(/^\./, "");
    parts = explode && text !== "" ? text.split(".") : commaParts(parameter, text);
  } else if (style === "matrix") {
    const pairs = raw.split(";").slice(1);
    if (explode && type === "object") parts = pairs.length === 1 && !raw.includes("=") ? [] : pairs;
    else if (explode) parts = pairs.flatMap((pair) => (pair.includes("=") ? [atEquals(pair)[1]] : []));
    else parts = commaParts(parameter, atEquals(pairs[0] ?? "")[1]);
  } else parts = commaParts(parameter, raw);
  return decodeParts(parameter, parts, decode);
}

function queryDecoder(parameters: readonly HttpParameter[]): Decode {
  const claims = parameters.map((parameter) => [
    parameter.name,
    ...(parameter.type === "object" ? Object.keys(parameter.properties ?? {}) : []),
  ]);
  const claimed = new Set(claims.flat());
  return (request) => {
    const url = request.url ?? "";
    const start = url.indexOf("?");
    const values: Values = {};
    if (start === -1) return values;
    const sent = new SentPairs(url.slice(start + 1));
    for (const parameter of parameters) {
      const value = decodeQueryParameter(parameter, sent, claimed);
      if (value !== undefined) define(values, parameter.name, value);
    }
    return values;
  };
}

function decodeHeaders(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  const values: Values = {};
  for (const parameter of parameters) {
    const name = parameter.name.toLowerCase();
    const sent = Object.hasOwn(request.headers, name) ? request.headers[name] : undefined;
    const text = Array.isArray(sent) ? sent.join(",") : sent;
    if (text !== undefined) define(values, parameter.name, decodeHeader(parameter, text));
  }
  return values;
}

/** What stands in a header is not encoded: OpenAPI leaves to the document what HTTP leaves to each header. */
function decodeHeader(parameter: HttpParameter, text: string): unknown {
  if (!isComposed(parameter)) return decodeText(parameter, text);
  const parts = text === "" ? [] : text.split(",").map((part) => part.trim());
  return decodeParts(parameter, parts, (part) => part);
}

function decodeCookies(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  const sent = new Map<string, string[]>();
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals <= 0) continue;
    const name = safeDecode(pair.slice(0, equals).trim());
    const value = pair.slice(equals + 1).trim();
    const known = sent.get(name);
    if (known) known.push(value);
    else sent.set(name, [value]);
  }
  const values: Values = {};
  for (const parameter of parameters) {
    const value = decodeCookie(parameter, sent);
    if (value !== undefined) define(values, parameter.name, value);
  }
  return values;
}

/**
 * The value of a cookie parameter. An exploded list is a cookie for each item, an exploded object one for each member:
 * OpenAPI 3.1 has an ampersand between them, which is no delimiter of cookies and is read as well.
 */
function decodeCookie(parameter: HttpParameter, sent: ReadonlyMap<string, readonly string[]>): unknown {
  const { name, style, explode, type, properties = {}, or } = parameter;
  const decode = style === "cookie" ? (text: string) => text : safeDecode;
  const all = sent.get(name);
  if (type === "object" && explode) {
    const values: Values = {};
    for (const key of Object.keys(properties)) {
      const text = sent.get(key)?.[0];
      if (text === undefined) continue;
      define(values, key, shaped(properties[key], decode(text)));
    }
    return Object.keys(values).length > 0 ? values : undefined;
  }
  const [first] = all ?? [];
  if (all === undefined || first === undefined) return undefined;
  if (type !== "array" && type !== "object") return decodeText(parameter, decode(first));
  if (!explode) return decodeParts(parameter, commaParts(parameter, first), decode);
  const items = all.flatMap((text) => text.split(`&${name}=`));
  return or !== undefined && items.length === 1
    ? scalar(or, decode(first))
    : decodeParts(parameter, items, decode);
}

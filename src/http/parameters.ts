import type { IncomingMessage } from "node:http";
import type { HttpOperation, HttpParameter, HttpRequest } from "./types.js";
import {
  splitPair,
  commaParts,
  decodeParts,
  decodeQueryParameter,
  decodeText,
  setOwn,
  safeDecode,
  decodeScalar,
  EncodedPairs,
  decodeShape,
  type Values,
} from "./wire.js";

/** Decodes the parameters of one operation by location, style and explode. */
export type ParameterDecoder = (request: IncomingMessage) => HttpRequest;

type Decode = (request: IncomingMessage) => Values;

/**
 * Creates the decoder of an operation. Text that is not of the declared type stays text, and the validator that runs next
 * reports the expected type.
 */
export function createParameterDecoder(operation: HttpOperation): ParameterDecoder {
  const parametersIn = (location: HttpParameter["in"]): readonly HttpParameter[] =>
    operation.parameters.filter((parameter) => parameter.in === location);
  const [path, query, headers, cookies] = [
    parametersIn("path"),
    parametersIn("query"),
    parametersIn("header"),
    parametersIn("cookie"),
  ];
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
    // Set by `router` and Express to the decoded parameters of the path.
    const matched: Record<string, string> =
      "params" in request ? (request.params as Record<string, string>) : {};
    const raw = segments?.(request.url ?? "");
    const values: Values = {};
    for (const parameter of parameters) {
      const { name } = parameter;
      const text = Object.hasOwn(matched, name) ? matched[name] : undefined;
      if (text === undefined) continue;
      const sent = raw?.get(name);
      if (!isComposed(parameter)) setOwn(values, name, decodeText(parameter, withoutPrefix(parameter, text)));
      else if (sent !== undefined) setOwn(values, name, decodePathParts(parameter, sent, safeDecode));
      // The route is mounted at another path than the document's, so only the decoded text is available.
      else
        setOwn(
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

/** Creates a matcher that returns the undecoded parameters of a path; those of the router are decoded. */
function rawMatcher(template: string): (url: string) => Map<string, string> | undefined {
  const names: string[] = [];
  // A query string in the template is not part of the path. Names in braces can contain any character.
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
  // Matches like Express's default options. The router has matched the path already.
  const expression = new RegExp(`^${source}/?$`, "i");
  return (url) => {
    const end = url.indexOf("?");
    const match = expression.exec(end === -1 ? url : url.slice(0, end));
    return match ? new Map(names.map((name, index) => [name, match[index + 1] ?? ""])) : undefined;
  };
}

/** Removes the prefix of the styles label (`.a`) and matrix (`;name=a`). */
function withoutPrefix({ name, style }: HttpParameter, text: string): string {
  if (style === "label" && text.startsWith(".")) return text.slice(1);
  if (style !== "matrix") return text;
  if (text === `;${name}`) return "";
  return text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text;
}

/** Decodes a list or an object from its undecoded text. */
function decodePathParts(parameter: HttpParameter, raw: string, decode: (text: string) => string): unknown {
  const { style, explode, type } = parameter;
  let parts: string[];
  if (style === "label") {
    const text = raw.replace(/^\./, "");
    parts = explode && text !== "" ? text.split(".") : commaParts(parameter, text);
  } else if (style === "matrix") {
    const pairs = raw.split(";").slice(1);
    if (explode && type === "object") parts = pairs.length === 1 && !raw.includes("=") ? [] : pairs;
    else if (explode) parts = pairs.flatMap((pair) => (pair.includes("=") ? [splitPair(pair)[1]] : []));
    else parts = commaParts(parameter, splitPair(pairs[0] ?? "")[1]);
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
    const sent = new EncodedPairs(url.slice(start + 1));
    for (const parameter of parameters) {
      const value = decodeQueryParameter(parameter, sent, claimed);
      if (value !== undefined) setOwn(values, parameter.name, value);
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
    if (text !== undefined) setOwn(values, parameter.name, decodeHeader(parameter, text));
  }
  return values;
}

/** Decodes a header. Headers are not percent-encoded; HTTP leaves the notation to each header. */
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
    if (value !== undefined) setOwn(values, parameter.name, value);
  }
  return values;
}

/**
 * Decodes a cookie parameter. An exploded list has a cookie for each item, an exploded object one for each member. The
 * ampersands between items that OpenAPI 3.1 describes are accepted too, although they do not separate cookies.
 */
function decodeCookie(parameter: HttpParameter, sent: ReadonlyMap<string, readonly string[]>): unknown {
  const { name, style, explode, type, properties = {}, scalarType } = parameter;
  const decode = style === "cookie" ? (text: string) => text : safeDecode;
  const all = sent.get(name);
  if (type === "object" && explode) {
    const values: Values = {};
    for (const key of Object.keys(properties)) {
      const text = sent.get(key)?.[0];
      if (text === undefined) continue;
      setOwn(values, key, decodeShape(properties[key], decode(text)));
    }
    return Object.keys(values).length > 0 ? values : undefined;
  }
  const [first] = all ?? [];
  if (all === undefined || first === undefined) return undefined;
  if (type !== "array" && type !== "object") return decodeText(parameter, decode(first));
  if (!explode) return decodeParts(parameter, commaParts(parameter, first), decode);
  const items = all.flatMap((text) => text.split(`&${name}=`));
  return scalarType !== undefined && items.length === 1
    ? decodeScalar(scalarType, decode(first))
    : decodeParts(parameter, items, decode);
}

import type { IncomingMessage } from "node:http";
import type { HttpOperation, HttpParameter, HttpRequest } from "./types.js";
import {
  splitPair,
  splitCommaList,
  decodeParts,
  decodeQueryParameter,
  decodeText,
  setOwn,
  decodeLeniently,
  decodeScalar,
  EncodedPairs,
  decodeShape,
  type Values,
} from "./wire.js";

/** Decodes the parameters of one operation by location, style and explode. */
export type ParameterDecoder = (request: IncomingMessage) => HttpRequest;

type LocationDecoder = (request: IncomingMessage) => Values;

/**
 * Creates the parameter decoder of an operation. Text that does not match the declared type stays text, so that the
 * validator, which runs next, reports the expected type.
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
  const decodePath = path.length > 0 ? createPathDecoder(path, operation.path) : undefined;
  const decodeQuery = query.length > 0 ? createQueryDecoder(query) : undefined;
  return (request) => {
    const result: HttpRequest = {};
    if (decodePath) result.path = decodePath(request);
    if (decodeQuery) result.query = decodeQuery(request);
    if (headers.length > 0) result.headers = decodeHeaders(headers, request);
    if (cookies.length > 0) result.cookies = decodeCookies(cookies, request);
    return result;
  };
}

function createPathDecoder(parameters: readonly HttpParameter[], template: string): LocationDecoder {
  const hasListOrObject = parameters.some(isListOrObject);
  const matchEncoded = hasListOrObject ? createEncodedPathMatcher(template) : undefined;
  return (request) => {
    // Set by `router` and Express to the decoded parameters of the path.
    const routerParameters: Record<string, string> =
      "params" in request ? (request.params as Record<string, string>) : {};
    const encodedParameters = matchEncoded?.(request.url ?? "");
    const values: Values = {};
    for (const parameter of parameters) {
      const { name } = parameter;
      const text = Object.hasOwn(routerParameters, name) ? routerParameters[name] : undefined;
      if (text === undefined) continue;
      const encoded = encodedParameters?.get(name);
      if (!isListOrObject(parameter))
        setOwn(values, name, decodeText(parameter, removeStylePrefix(parameter, text)));
      else if (encoded !== undefined)
        setOwn(values, name, decodePathListOrObject(parameter, encoded, decodeLeniently));
      // Only the decoded text is available, because the route is mounted at a different path than in the document.
      else
        setOwn(
          values,
          name,
          decodePathListOrObject(parameter, text, (part) => part),
        );
    }
    return values;
  };
}

function isListOrObject({ type }: HttpParameter): boolean {
  return type === "array" || type === "object";
}

/** Creates a matcher that returns the percent-encoded parameters of a path. The router only provides decoded ones. */
function createEncodedPathMatcher(template: string): (url: string) => Map<string, string> | undefined {
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
      const encoded = encodeURI(piece).replace(/%25([0-9A-Fa-f]{2})/g, "%$1");
      return encoded.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
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
function removeStylePrefix({ name, style }: HttpParameter, text: string): string {
  if (style === "label" && text.startsWith(".")) return text.slice(1);
  if (style !== "matrix") return text;
  if (text === `;${name}`) return "";
  return text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text;
}

/** Decodes a list or an object from its percent-encoded text. */
function decodePathListOrObject(
  parameter: HttpParameter,
  encoded: string,
  decode: (text: string) => string,
): unknown {
  const { style, explode, type } = parameter;
  let parts: string[];
  if (style === "label") {
    const text = encoded.replace(/^\./, "");
    parts = explode && text !== "" ? text.split(".") : splitCommaList(parameter, text);
  } else if (style === "matrix") {
    const pairs = encoded.split(";").slice(1);
    if (explode && type === "object") parts = pairs.length === 1 && !encoded.includes("=") ? [] : pairs;
    else if (explode) parts = pairs.flatMap((pair) => (pair.includes("=") ? [splitPair(pair)[1]] : []));
    else parts = splitCommaList(parameter, splitPair(pairs[0] ?? "")[1]);
  } else parts = splitCommaList(parameter, encoded);
  return decodeParts(parameter, parts, decode);
}

function createQueryDecoder(parameters: readonly HttpParameter[]): LocationDecoder {
  const namesByParameter = parameters.map((parameter) => [
    parameter.name,
    ...(parameter.type === "object" ? Object.keys(parameter.properties ?? {}) : []),
  ]);
  const reservedNames = new Set(namesByParameter.flat());
  return (request) => {
    const url = request.url ?? "";
    const start = url.indexOf("?");
    const values: Values = {};
    if (start === -1) return values;
    const sent = new EncodedPairs(url.slice(start + 1));
    for (const parameter of parameters) {
      const value = decodeQueryParameter(parameter, sent, reservedNames);
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

/** Decodes a header. Header values are not percent-encoded. */
function decodeHeader(parameter: HttpParameter, text: string): unknown {
  if (!isListOrObject(parameter)) return decodeText(parameter, text);
  const parts = text === "" ? [] : text.split(",").map((part) => part.trim());
  return decodeParts(parameter, parts, (part) => part);
}

function decodeCookies(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  const sent = new Map<string, string[]>();
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals <= 0) continue;
    const name = decodeLeniently(pair.slice(0, equals).trim());
    const value = pair.slice(equals + 1).trim();
    const existing = sent.get(name);
    if (existing) existing.push(value);
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
 * Decodes a cookie parameter. An exploded list has one cookie per item, and an exploded object one per member. Items
 * in one cookie, separated by `&name=` as in OpenAPI 3.1, are accepted, too.
 */
function decodeCookie(parameter: HttpParameter, sent: ReadonlyMap<string, readonly string[]>): unknown {
  const { name, style, explode, type, properties = {}, scalarType } = parameter;
  const decode = style === "cookie" ? (text: string) => text : decodeLeniently;
  const encodedValues = sent.get(name);
  if (type === "object" && explode) {
    const values: Values = {};
    for (const key of Object.keys(properties)) {
      const text = sent.get(key)?.[0];
      if (text === undefined) continue;
      setOwn(values, key, decodeShape(properties[key], decode(text)));
    }
    return Object.keys(values).length > 0 ? values : undefined;
  }
  const [first] = encodedValues ?? [];
  if (encodedValues === undefined || first === undefined) return undefined;
  if (type !== "array" && type !== "object") return decodeText(parameter, decode(first));
  if (!explode) return decodeParts(parameter, splitCommaList(parameter, first), decode);
  const items = encodedValues.flatMap((text) => text.split(`&${name}=`));
  return scalarType !== undefined && items.length === 1
    ? decodeScalar(scalarType, decode(first))
    : decodeParts(parameter, items, decode);
}

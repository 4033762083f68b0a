import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./errors.js";
import type { HttpOperation, HttpParameter, HttpRequest, ScalarType } from "./types.js";

type Values = Record<string, unknown>;

/** Decodes the parameters of one operation by their place, style and explode. */
export type ParameterDecoder = (request: IncomingMessage) => HttpRequest;

/**
 * Prepares the decoder of an operation. Text that is not of the declared type stays text: the validator that runs next
 * says what was expected.
 */
export function parameterDecoder(operation: HttpOperation): ParameterDecoder {
  const at = (place: HttpParameter["in"]): readonly HttpParameter[] =>
    operation.parameters.filter((parameter) => parameter.in === place);
  const [path, query, headers, cookies] = [at("path"), at("query"), at("header"), at("cookie")];
  return (request) => {
    const result: HttpRequest = {};
    if (path.length > 0) result.path = decodePath(path, request);
    if (query.length > 0) result.query = decodeQuery(query, request);
    if (headers.length > 0) result.headers = decodeHeaders(headers, request);
    if (cookies.length > 0) result.cookies = decodeCookies(cookies, request);
    return result;
  };
}

function decodePath(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  // `router` and Express put the matched parameters here.
  const matched: Record<string, string> =
    "params" in request ? (request.params as Record<string, string>) : {};
  const values: Values = {};
  for (const parameter of parameters) {
    const text = matched[parameter.name];
    if (text !== undefined)
      define(values, parameter.name, decodeText(parameter, unprefixed(parameter, text)));
  }
  return values;
}

/** Takes off what the styles label (`.a`) and matrix (`;name=a`) put in front, and gives commas between the items. */
function unprefixed(parameter: HttpParameter, text: string): string {
  if (parameter.type !== "array" && parameter.type !== "object") {
    if (parameter.style === "label" && text.startsWith(".")) return text.slice(1);
    const name = `;${parameter.name}=`;
    return parameter.style === "matrix" && text.startsWith(name) ? text.slice(name.length) : text;
  }
  if (parameter.style === "label" && text.startsWith(".")) {
    return parameter.explode ? text.slice(1).replaceAll(".", ",") : text.slice(1);
  }
  if (parameter.style === "matrix" && text.startsWith(";")) {
    const parts = text.slice(1).split(";");
    if (parameter.type === "object" && parameter.explode) return parts.join(",");
    return parts.map((part) => part.slice(part.indexOf("=") + 1)).join(",");
  }
  return text;
}

function decodeQuery(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  const url = request.url ?? "";
  const start = url.indexOf("?");
  const search = new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
  const values: Values = {};
  for (const parameter of parameters) {
    const value = decodeQueryParameter(parameter, search);
    if (value !== undefined) define(values, parameter.name, value);
  }
  return values;
}

function decodeQueryParameter(parameter: HttpParameter, search: URLSearchParams): unknown {
  const { name, style, explode, type } = parameter;
  if (type === "object") return decodeQueryObject(parameter, search);
  const all = search.getAll(name);
  if (all.length === 0) return undefined;
  if (type !== "array") return decodeText(parameter, all[0] ?? "");
  const separator = style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : ",";
  const parts = explode ? all : all.flatMap((text) => (text === "" ? [] : text.split(separator)));
  return parts.map((text) => scalar(parameter.itemType, text));
}

function decodeQueryObject(parameter: HttpParameter, search: URLSearchParams): Values | undefined {
  const { name, style, explode, properties = {} } = parameter;
  const values: Values = {};
  if (style === "form" && !explode) {
    const text = search.get(name);
    return text === null ? undefined : fromPairs(parameter, text);
  }
  for (const [key, text] of search) {
    const deep = style === "deepObject" && key.startsWith(`${name}[`) && key.endsWith("]");
    const property = deep ? key.slice(name.length + 1, -1) : key;
    if (!deep && !(style === "form" && Object.hasOwn(properties, property))) continue;
    define(values, property, scalar(properties[property] ?? parameter.itemType, text));
  }
  return Object.keys(values).length === 0 ? undefined : values;
}

function decodeHeaders(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  const values: Values = {};
  for (const parameter of parameters) {
    const sent = request.headers[parameter.name.toLowerCase()];
    const text = Array.isArray(sent) ? sent.join(",") : sent;
    if (text !== undefined) define(values, parameter.name, decodeText(parameter, text));
  }
  return values;
}

function decodeCookies(parameters: readonly HttpParameter[], request: IncomingMessage): Values {
  const sent = new Map<string, string>();
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0) sent.set(pair.slice(0, equals).trim(), safeDecode(pair.slice(equals + 1).trim()));
  }
  const values: Values = {};
  for (const parameter of parameters) {
    const text = sent.get(parameter.name);
    if (text !== undefined) define(values, parameter.name, decodeText(parameter, text));
  }
  return values;
}

function decodeText(parameter: HttpParameter, text: string): unknown {
  if (parameter.type === "json") {
    try {
      return JSON.parse(text);
    } catch {
      const place = { path: "path", query: "query", header: "headers", cookie: "cookies" }[parameter.in];
      throw new RequestRefused(
        "invalid_value",
        `${place} failed validation: ${place}.${parameter.name} should be JSON.`,
      );
    }
  }
  if (parameter.type === "array") {
    return text === "" ? [] : text.split(",").map((part) => scalar(parameter.itemType, part.trim()));
  }
  return parameter.type === "object" ? fromPairs(parameter, text) : scalar(parameter.type, text);
}

/** `a,1,b,2`, or `a=1,b=2` when the parameter is exploded. */
function fromPairs(parameter: HttpParameter, text: string): Values {
  const parts = text === "" ? [] : text.split(",");
  const pairs = parameter.explode
    ? parts.map((part): [string, string] => {
        const equals = part.indexOf("=");
        return equals === -1 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
      })
    : parts.flatMap((part, index): [string, string][] =>
        index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : [],
      );
  const values: Values = {};
  for (const [key, value] of pairs)
    define(values, key, scalar(parameter.properties?.[key] ?? parameter.itemType, value));
  return values;
}

function scalar(type: ScalarType | undefined, text: string): unknown {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type !== "number" && type !== "integer") return text;
  return /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

/** Sets an own property whatever its name: plain assignment to `__proto__` would change the prototype. */
function define(target: Values, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { IncomingMessage } from "node:http";
import { checkStrings } from "../json.js";
import { decodeQueryParameter, listReservedNames, parsePairs } from "./query-values.js";
import {
  decodePercentLeniently,
  decodeParts,
  convertRepeated,
  convertScalar,
  convertText,
  groupByName,
  isObjectType,
  LOCATIONS,
  PARTS_BY_LOCATION,
  setOwn,
  splitAtCommas,
  splitPair,
  type Values,
} from "./text-values.js";
import type { HttpOperation, HttpParameter, HttpRequest, ListType, ObjectType } from "../types.js";

/** Decodes the parameters of one location; one that was not sent has no value. */
type LocationDecoder = (request: IncomingMessage) => Values;

/** Functions that create the decoder of the parameters of a location. */
const DECODERS = {
  path: createPathDecoder,
  query: createQueryDecoder,
  header: createHeaderDecoder,
  cookie: createCookieDecoder,
};

/**
 * Creates a function that decodes the parameters of an operation by location, style and explode. Text that does not match
 * the declared type stays text, so that the validator, which runs next, reports the expected type.
 */
export function createParameterDecoder(operation: HttpOperation): (request: IncomingMessage) => HttpRequest {
  const decoders = LOCATIONS.flatMap((location) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === location);
    if (parameters.length === 0) return [];
    return [{ part: PARTS_BY_LOCATION[location], decode: DECODERS[location](parameters, operation.path) }];
  });
  return (request) => {
    const result: HttpRequest = {};
    for (const { part, decode } of decoders) result[part] = decode(request);
    for (const { part } of decoders) checkStrings(result[part], part);
    return result;
  };
}

/** Decodes each parameter. Parameters for which `decode` returns undefined are left out. */
function decodeEach(
  parameters: readonly HttpParameter[],
  decode: (parameter: HttpParameter) => unknown,
): Values {
  const values: Values = {};
  for (const parameter of parameters) {
    const value = decode(parameter);
    if (value !== undefined) setOwn(values, parameter.name, value);
  }
  return values;
}

function createPathDecoder(parameters: readonly HttpParameter[], template: string): LocationDecoder {
  const matchEncoded = parameters.some(({ type }) => typeof type === "object")
    ? createEncodedPathMatcher(template, parameters)
    : undefined;
  return (request) => {
    // Set by `router` and Express to the decoded parameters of the path.
    const routerParameters: Record<string, string> =
      "params" in request ? (request.params as Record<string, string>) : {};
    const encodedParameters = matchEncoded?.(request.url ?? "");
    return decodeEach(parameters, (parameter) => {
      const { name, type } = parameter;
      const text = Object.hasOwn(routerParameters, name) ? routerParameters[name] : undefined;
      if (text === undefined) return undefined;
      if (typeof type !== "object") return convertText(parameter, removeStylePrefix(parameter, text));
      const encoded = encodedParameters?.get(name);
      // Otherwise, the route is mounted at a different path than in the document, or an enum separates adjacent parameters.
      return encoded !== undefined && decodePercentLeniently(encoded) === text
        ? decodePathListOrObject(parameter, type, encoded, decodePercentLeniently)
        : decodePathListOrObject(parameter, type, text, String);
    });
  };
}

/** Creates a matcher that returns the percent-encoded parameters of a path. The router only provides decoded ones. */
function createEncodedPathMatcher(
  template: string,
  parameters: readonly HttpParameter[],
): (url: string) => Map<string, string> | undefined {
  const names: string[] = [];
  // A query string in the template is not part of the path. Names in braces can contain any character.
  const pathname = /^(?:\{[^}]*\}|[^?#])*/.exec(template)?.[0] ?? template;
  const source = pathname
    .split(/(\{[^}]*\})/)
    .map((piece) => {
      if (piece.startsWith("{")) {
        const name = piece.slice(1, -1);
        names.push(name);
        // The first character separates it from the parameter before it.
        const style = parameters.find((parameter) => parameter.name === name)?.style;
        if (style === "matrix") return "(;[^/]*?)";
        return style === "label" ? "(\\.[^/]*?)" : "([^/]+?)";
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
  { name, style, explode }: HttpParameter,
  type: ListType | ObjectType,
  encoded: string,
  decode: (text: string) => string,
): unknown {
  let parts: string[];
  if (style === "label") {
    const text = encoded.replace(/^\./, "");
    parts = explode && text !== "" ? text.split(".") : splitAtCommas(type, text);
  } else if (style === "matrix") {
    const pairs = encoded.split(";").slice(1);
    const [key, text] = splitPair(pairs[0] ?? "");
    const isScalar = type.scalarType !== undefined && pairs.length === 1 && decode(key) === name;
    if (explode && isObjectType(type) && isScalar && !Object.hasOwn(type.properties, name)) parts = [text];
    else if (explode && isObjectType(type)) parts = pairs.length === 1 && !encoded.includes("=") ? [] : pairs;
    else if (explode) parts = pairs.flatMap((pair) => (pair.includes("=") ? [splitPair(pair)[1]] : []));
    else parts = splitAtCommas(type, text);
  } else parts = splitAtCommas(type, encoded);
  return decodeParts(type, explode, parts, decode);
}

function createQueryDecoder(parameters: readonly HttpParameter[]): LocationDecoder {
  const reservedNames = listReservedNames(parameters);
  return (request) => {
    const url = request.url ?? "";
    const start = url.indexOf("?");
    if (start === -1) return {};
    const pairs = parsePairs(url.slice(start + 1));
    return decodeEach(parameters, (parameter) => decodeQueryParameter(parameter, pairs, reservedNames));
  };
}

function createHeaderDecoder(parameters: readonly HttpParameter[]): LocationDecoder {
  return ({ headers }) =>
    decodeEach(parameters, (parameter) => {
      const name = parameter.name.toLowerCase();
      const header = Object.hasOwn(headers, name) ? headers[name] : undefined;
      const text = Array.isArray(header) ? header.join(",") : header;
      // The default of fetch in Node.js, which means no preference (RFC 9110, section 12.5.4).
      const isDefault = name === "accept-language" && text === "*" && !parameter.required;
      return text === undefined || isDefault ? undefined : decodeHeader(parameter, text);
    });
}

/** Decodes a header. Header values are not percent-encoded. */
function decodeHeader(parameter: HttpParameter, text: string): unknown {
  const { type, explode } = parameter;
  if (typeof type !== "object") return convertText(parameter, text);
  const parts = text === "" ? [] : text.split(",").map((part) => part.trim());
  return decodeParts(type, explode, parts, String);
}

function createCookieDecoder(parameters: readonly HttpParameter[]): LocationDecoder {
  return ({ headers }) => {
    const pairs = (headers.cookie ?? "").split(";").filter((pair) => pair.includes("="));
    const sent = groupByName(
      pairs.map((pair) => {
        const [name, value] = splitPair(pair);
        return [decodePercentLeniently(name.trim()), value.trim()];
      }),
    );
    return decodeEach(parameters, (parameter) => decodeCookie(parameter, sent));
  };
}

/**
 * Decodes a cookie parameter. An exploded list has one cookie per item, and an exploded object one per member. Items
 * in one cookie, separated by `&name=` as in OpenAPI 3.1, are accepted, too.
 */
function decodeCookie(parameter: HttpParameter, sent: ReadonlyMap<string, readonly string[]>): unknown {
  const { name, style, explode, type } = parameter;
  const decode = style === "cookie" ? String : decodePercentLeniently;
  if (isObjectType(type) && explode) {
    const values: Values = {};
    for (const [key, propertyType] of Object.entries(type.properties)) {
      const text = sent.get(key)?.[0];
      if (text !== undefined) setOwn(values, key, convertRepeated(propertyType, [decode(text)]));
    }
    if (Object.keys(values).length > 0) return values;
    const [scalar] = type.scalarType === undefined ? [] : (sent.get(name) ?? []);
    return scalar === undefined ? undefined : convertScalar(type.scalarType, decode(scalar));
  }
  const encodedValues = sent.get(name) ?? [];
  const [first] = encodedValues;
  if (first === undefined) return undefined;
  if (typeof type !== "object") return convertText(parameter, decode(first));
  const parts = explode
    ? encodedValues.flatMap((text) => text.split(`&${name}=`))
    : splitAtCommas(type, first);
  return decodeParts(type, explode, parts, decode);
}

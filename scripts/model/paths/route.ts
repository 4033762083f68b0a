import { IDENTIFIER } from "../names.js";

/** Characters with a special meaning in path-to-regexp 8, which Express 5 and `router` 2 use to match paths. */
const ROUTE_SPECIAL_CHARACTERS = /[{}[\]()?+!:*\\]/g;

/**
 * Converts a path template to a route for Express 5 and `router` 2, e.g. `/v1/pages/{page_id}` into `/v1/pages/:page_id`. Drops the query
 * string and the fragment. Adjacent parameters need the pattern of `createExactPattern` instead.
 */
export function createExpressRoute(template: string): string {
  const parts = splitAtParameters(template);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? printRouteParameter(part, parts[index + 1] ?? "")
        : encodeLiteral(part).replace(ROUTE_SPECIAL_CHARACTERS, "\\$&"),
    )
    .join("");
}

/** Explains why a path template has neither a route nor a pattern; undefined if it has one. */
export function describeRouteProblem(template: string): string | undefined {
  const [adjacent] = /(?:\{[^{}]*\}){2,}/.exec(extractPathname(template)) ?? [];
  if (adjacent)
    return createExactPattern(template) === undefined
      ? `the parameters ${adjacent} need names of only letters, digits and underscores`
      : undefined;
  for (const [index, part] of splitAtParameters(template).entries()) {
    if (index % 2 === 1 && part === "") return "a parameter has no name";
    if (index % 2 === 0 && part.includes("}")) return "there is a } without a {";
    if (index % 2 === 0 && part.includes("{")) return "there is a { without a }";
  }
  return undefined;
}

/** Splits a path template into literal texts and, at the odd indexes, the names of parameters. */
function splitAtParameters(template: string): string[] {
  return extractPathname(template).split(/\{([^}]*)\}/);
}

/** The values of a path parameter: all of them, or the character that each of them begins with in a path. */
export type PathValues = { listed: string[] } | { prefix: string };

/**
 * Creates the source of a regular expression for a path template; undefined if a parameter name cannot name a group. Unlike a route, it
 * distinguishes letter case and slashes at the end, and supports adjacent parameters, such as `/pages/{id}{extension}`: the values of the
 * second one determine where the first one ends. If nothing is known about them, the first one gets a single character.
 */
export function createExactPattern(
  template: string,
  describeValues: (name: string) => PathValues | undefined = () => undefined,
): string | undefined {
  const pathname = extractPathname(template);
  const parts = pathname.split(/(\{[^{}]*\})/).filter((part) => part !== "");
  let source = "^";
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith("{")) {
      source += escapeRegExp(encodeLiteral(part));
      continue;
    }
    const name = part.slice(1, -1);
    if (!IDENTIFIER.test(name)) return undefined;
    const isAdjacent = parts[index - 1]?.startsWith("{") === true;
    const values = isAdjacent ? describeValues(name) : undefined;
    const next = parts[index + 1];
    const isFollowed = next?.startsWith("{") === true;
    let pattern = "[^/]+?";
    if (values) pattern = printValuePattern(values);
    else if (isFollowed) pattern = printPatternBefore(describeValues(next.slice(1, -1)));
    source += `(?<${name}>${pattern})`;
  }
  return `${source}$`;
}

/** Matches a byte of a path. A percent-encoded one is not divided. */
const BYTE = "(?:%[0-9A-Fa-f]{2}|[^/%])";

/** Matches a character of a path, whose bytes in UTF-8 can be percent-encoded. */
const CHARACTER = `${BYTE}(?:%[89ABab][0-9A-Fa-f])*(?!%[89ABab])`;

/**
 * Prints a pattern for a parameter in front of another one with these values. Unless they are listed, only one end of the
 * parameter matches. If each end did, a path of n characters that does not match would take n² steps.
 */
function printPatternBefore(next: PathValues | undefined): string {
  if (!next) return CHARACTER;
  if ("prefix" in next) return `${BYTE}(?:%[0-9A-Fa-f]{2}|[^/%${escapeRegExp(next.prefix)}])*`;
  return `${BYTE}+?`;
}

function printValuePattern(values: PathValues): string {
  if ("prefix" in values) return `${escapeRegExp(values.prefix)}${BYTE}*?`;
  return values.listed.map(printTextPattern).join("|");
}

/** Prints a pattern for a text in a path, whose special characters can also be percent-encoded (RFC 3986, section 3.3). */
function printTextPattern(text: string): string {
  const encoded = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return escapeRegExp(encoded).replace(
    /%(?:2[146-9A-C]|3[ABD]|40)/g,
    (code) => `(?:${code}|${escapeRegExp(decodeURIComponent(code))})`,
  );
}

/** Lists the parameters of a path template that directly follow another one. */
export function listAdjacentParameters(template: string): string[] {
  return [...extractPathname(template).matchAll(/(?<=\})\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
}

/** Percent-encodes literal text of a path template. Keeps existing percent-encoding. Half of a surrogate pair is reported elsewhere. */
export function encodeLiteral(text: string): string {
  return encodeURI(text.toWellFormed()).replace(/%25([0-9A-Fa-f]{2})/g, "%$1");
}

/** Escapes text in a regular expression. `router` 2 counts each `(` as a group, even an escaped one. */
function escapeRegExp(text: string): string {
  return text.replace(/[$)*+.?[\\\]^{|}/]/g, "\\$&").replaceAll("(", "\\x28");
}

/** Returns a path template without the query string and the fragment that many documents add to distinguish operations. */
export function extractPathname(template: string): string {
  return splitTemplate(template).pathname;
}

/** A name and value in the query string of a path template. The value is a fixed text or a parameter. */
export type QueryMember = { name: string; value: string } | { name: string; parameter: string };

/** Parses the query string of a path template such as `/rides?view=all&page={page}`. */
export function parseTemplateQuery(template: string): QueryMember[] {
  return splitTemplate(template)
    .query.split("&")
    .filter((member) => member !== "")
    .map((member) => {
      const [name = "", ...rest] = member.split("=");
      const value = rest.join("=");
      const parameter = /^\{([^{}]*)\}$/.exec(value)?.[1];
      if (parameter !== undefined) return { name: decodeQueryText(name), parameter };
      // `{search}=1` is a parameter with an example value.
      const named = /^\{([^{}]*)\}$/.exec(name)?.[1];
      return named === undefined
        ? { name: decodeQueryText(name), value: decodeQueryText(value) }
        : { name: named, parameter: named };
    });
}

function splitTemplate(template: string): { pathname: string; query: string } {
  // A name in braces can contain any character.
  const [, pathname = "", query = ""] =
    /^((?:\{[^}]*\}|[^?#])*)(?:\?((?:\{[^}]*\}|[^#])*))?/.exec(template) ?? [];
  return { pathname, query };
}

function decodeQueryText(text: string): string {
  return new URLSearchParams(`_=${text.replaceAll("&", "%26")}`).get("_") ?? text;
}

/** An expression of a URI template (RFC 6570) or of a path of Google: operator, names, and a modifier or a pattern. */
const EXPRESSION = /\{([+#./;?&]?)([^{}+#./;?&*:=][^{}*:=+?]*)(?:[*+?]|[:=][^{}]*)?\}/g;

/**
 * Replaces the expressions of a path template that OpenAPI does not allow, if their names are declared: `{+id}`, `{id*}`, `{id=pages/*}`
 * and `{id?}` become `{id}`. Declared query parameters such as `{?page,size}` are removed.
 */
export function simplifyExpressions(
  template: string,
  getStyle: (location: "path" | "query", name: string) => string | undefined,
): string {
  return template.replace(EXPRESSION, (expression, operator: string, name: string) => {
    if (getStyle("path", expression.slice(1, -1)) !== undefined) return expression;
    if (operator === "?" || operator === "&") {
      const names = name.split(",");
      return names.every((each) => getStyle("query", each) !== undefined) ? "" : expression;
    }
    const style = getStyle("path", name);
    if (style === undefined) return expression;
    // The styles label and matrix write this text before the value.
    const prefix = style === "simple" ? { ".": ".", "/": "/", ";": `;${name}=` }[operator] : undefined;
    return `${prefix ?? ""}{${name}}`;
  });
}

/** Lists the names of a path template's parameters in order, without those in its query string. */
export function listPathParameterNames(template: string): string[] {
  return [...extractPathname(template).matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
}

/**
 * Compares paths by specificity, because Express takes the first route that matches: a literal segment comes before a parameter,
 * and a segment with more literal text before one with less (`{name}.json` before `{name}`). Shorter paths come first.
 */
export function compareSpecificity(a: string, b: string): number {
  const left = extractPathname(a).split("/");
  const right = extractPathname(b).split("/");
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = rankSegment(left[index] ?? "") - rankSegment(right[index] ?? "");
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Returns the sort rank of a segment: 0 without parameters, otherwise above 1 and lower for more literal text. */
function rankSegment(segment: string): number {
  if (!segment.includes("{")) return 0;
  const literalLength = segment.replace(/\{[^}]*\}/g, "").length;
  return 1 + 1 / (1 + literalLength);
}

/** Prints a parameter. Quotes a name that is not an identifier, or that the text after it would extend. */
function printRouteParameter(name: string, textAfter: string): string {
  const isPlain = IDENTIFIER.test(name) && !/^[A-Za-z0-9_$]/.test(textAfter);
  return isPlain ? `:${name}` : `:"${name.replace(/["\\]/g, "\\$&")}"`;
}

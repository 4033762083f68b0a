/** Characters with a special meaning in path-to-regexp 8, which Express 5 and `router` 2 use. */
const SPECIAL = /[{}[\]()?+!:*\\]/g;
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * Turns a path template of the document into a route for Express 5 and `router` 2, e.g. `/v1/pages/{page_id}` into
 * `/v1/pages/:page_id`. Literal text is percent-encoded as on the wire. The query string and the fragment are dropped.
 *
 * @throws Error with the reason if the template cannot be expressed as a route
 */
export function routeFor(template: string): string {
  if (!template.startsWith("/")) throw new Error("a path must start with /");
  if (/\}\{/.test(extractPathname(template)))
    throw new Error("adjacent parameters need names of letters and digits");
  let route = "";
  let rest = extractPathname(template);
  while (rest !== "") {
    const open = rest.indexOf("{");
    const literal = open === -1 ? rest : rest.slice(0, open);
    if (literal.includes("}")) throw new Error("there is a } without a {");
    // Existing percent-encoding is kept.
    route += encodeURI(literal)
      .replace(/%25([0-9A-Fa-f]{2})/g, "%$1")
      .replace(SPECIAL, "\\$&");
    if (open === -1) break;
    const close = rest.indexOf("}", open);
    if (close === -1) throw new Error("there is a { without a }");
    const name = rest.slice(open + 1, close);
    if (name === "") throw new Error("a parameter has no name");
    rest = rest.slice(close + 1);
    route += routeParameter(name, rest);
  }
  return route;
}

/**
 * Returns the source of a regular expression for a path template with adjacent parameters, such as
 * `/pages/{id}{extension}`, which path-to-regexp does not support. The values of the later parameter determine where the
 * earlier one ends; if they are not listed, the earlier one gets a single character.
 *
 * @param valuesOf returns the values that a parameter can have; undefined if they are not listed
 * @returns undefined for any other template, and for names that are not valid group names
 */
export function patternFor(
  template: string,
  valuesOf: (name: string) => string[] | undefined,
): string | undefined {
  const pathname = extractPathname(template);
  if (!/\}\{/.test(pathname)) return undefined;
  const parts = pathname.split(/(\{[^{}]*\})/).filter((part) => part !== "");
  let source = "^";
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith("{")) {
      source += literalSource(encodeURI(part).replace(/%25([0-9A-Fa-f]{2})/g, "%$1"));
      continue;
    }
    const name = part.slice(1, -1);
    if (!PLAIN_NAME.test(name)) return undefined;
    const values = parts[index - 1]?.startsWith("{") ? valuesOf(name) : undefined;
    const value = values ? values.map((each) => literalSource(encodeURIComponent(each))).join("|") : "[^/]+?";
    source += `(?<${name}>${value})`;
  }
  return `${source}$`;
}

/** The parameters of a template that directly follow another one. */
export function adjacentParameters(template: string): string[] {
  return [...extractPathname(template).matchAll(/(?<=\})\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
}

function literalSource(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
}

/**
 * A path template without query string and fragment. OpenAPI allows neither, but many documents use them to give
 * operations with the same path different keys.
 */
export function extractPathname(template: string): string {
  return splitTemplate(template).pathname;
}

/** A member of the query string of a path template: a text, or the value of a parameter. */
export type QueryMember = { name: string; value: string } | { name: string; parameter: string };

/** Parses the query string of a path template such as `/rides?view=all&page={page}`. */
export function queryMembers(template: string): QueryMember[] {
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

/** Decodes a part of a query string. */
function decodeQueryText(text: string): string {
  return new URLSearchParams(`_=${text.replaceAll("&", "%26")}`).get("_") ?? text;
}

/** Names of the parameters of a path template in order, without those in its query string. */
export function pathParameterNames(template: string): string[] {
  return [...extractPathname(template).matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
}

/**
 * Compares paths by specificity, because Express takes the first route that matches: a literal segment comes before a
 * parameter, and a segment with more literal text before one with less (`{name}.json` before `{name}`). Shorter paths
 * come first.
 */
export function compareSpecificity(a: string, b: string): number {
  const left = extractPathname(a).split("/");
  const right = extractPathname(b).split("/");
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = segmentRank(left[index] ?? "") - segmentRank(right[index] ?? "");
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Sort rank of a segment: 0 for a literal, otherwise lower for more literal text. */
function segmentRank(segment: string): number {
  if (!segment.includes("{")) return 0;
  const literal = segment.replace(/\{[^}]*\}/g, "").length;
  return 1 + 1 / (1 + literal);
}

function routeParameter(name: string, rest: string): string {
  const plain = PLAIN_NAME.test(name) && !/^[A-Za-z0-9_$]/.test(rest);
  return plain ? `:${name}` : `:"${name.replace(/["\\]/g, "\\$&")}"`;
}

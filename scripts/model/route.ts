/** Characters with a meaning in path-to-regexp 8, which Express 5 and `router` 2 use. */
const SPECIAL = /[{}[\]()?+!:*\\]/g;
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * Turns a path template of the document into a route for Express 5 and `router` 2, e.g.
 * `/v1/pages/{page_id}` into `/v1/pages/:page_id`. Literal text is percent-encoded as it is on the wire.
 * Throws an Error that says why when there is no such route.
 */
export function routeFor(template: string): string {
  if (!template.startsWith("/")) throw new Error("a path must start with /");
  if (/[?#]/.test(template))
    throw new Error("a path cannot hold a query string or a fragment; use parameters");
  if (/\}\{/.test(template)) throw new Error("two parameters need some text between them");
  let route = "";
  let rest = template;
  while (rest !== "") {
    const open = rest.indexOf("{");
    const literal = open === -1 ? rest : rest.slice(0, open);
    if (literal.includes("}")) throw new Error("there is a } without its {");
    // A template may hold text that is percent-encoded already; it is not encoded twice.
    route += encodeURI(literal)
      .replace(/%25([0-9A-Fa-f]{2})/g, "%$1")
      .replace(SPECIAL, "\\$&");
    if (open === -1) break;
    const close = rest.indexOf("}", open);
    if (close === -1) throw new Error("there is a { without its }");
    const name = rest.slice(open + 1, close);
    if (name === "") throw new Error("a parameter has no name");
    rest = rest.slice(close + 1);
    route += parameter(name, rest);
  }
  return route;
}

/** Names of the parameters of a path template, in order. */
export function pathParameterNames(template: string): string[] {
  return [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
}

/**
 * Orders paths so that a literal segment comes before a parameter in the same place: Express takes the first
 * route that matches. A shorter path comes first; equal ones keep the order of the document.
 */
export function bySpecificity(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = Number(left[index]?.includes("{")) - Number(right[index]?.includes("{"));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function parameter(name: string, rest: string): string {
  const plain = PLAIN_NAME.test(name) && !/^[A-Za-z0-9_$]/.test(rest);
  return plain ? `:${name}` : `:"${name.replace(/["\\]/g, "\\$&")}"`;
}

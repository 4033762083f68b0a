import type { Api, JsonValue, Operation, Parameter } from "../model/model.js";
import { at, child, deref, entries, items, text } from "../model/node.js";
import type { Request } from "./examples.js";

/** Characters that a word of the shell can have as they are. */
const PLAIN = /^[A-Za-z0-9_./:@%+=,-]+$/;
/** What can be the name of a header. */
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_|~-]+$/;

/**
 * A request as a command of curl. The key is the shell's variable API_KEY.
 *
 * @param json the body's text, laid out for people
 * @returns undefined where a parameter is written in a way that this does not know
 */
export function curlCommand(
  api: Api,
  operation: Operation,
  { parameters }: Request,
  json: string | undefined,
): string | undefined {
  let path = operation.path;
  const query: string[] = [];
  const options: string[] = [];
  for (const { parameter, value } of parameters) {
    const texts = textsOf(parameter, value);
    if (!texts) return undefined;
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, () => texts.join(","));
    else if (parameter.in === "query")
      query.push(...texts.map((one) => `${encodeURIComponent(parameter.name)}=${one}`));
    else if (parameter.in === "header")
      options.push(`--header ${word(`${parameter.name}: ${texts.map(decodeURIComponent).join(",")}`)}`);
    else return undefined;
  }
  const method = operation.method.toUpperCase();
  const url = serverAddress(api) + path + (query.length > 0 ? `?${query.join("&")}` : "");
  const implied = json === undefined ? "GET" : "POST";
  return [
    `curl ${word(url)}`,
    ...(method === implied ? [] : [`--request ${method}`]),
    ...credentials(api),
    ...options,
    ...(json === undefined ? [] : ['--header "Content-Type: application/json"', `--data ${word(json)}`]),
  ].join(" \\\n  ");
}

/** The address of the document's first server, with the defaults of its variables. */
export function serverAddress({ document }: Api): string {
  const server = items(child({ value: document, pointer: "" }, "servers"))[0];
  let url = text(server, "url") ?? "http://localhost";
  for (const [name, variable] of entries(server && child(server, "variables"))) {
    url = url.replaceAll(`{${name}}`, () => text(variable, "default") ?? "");
  }
  return url.replace(/\/+$/, "");
}

/** How the key is sent: by the first security scheme that all operations share. */
function credentials({ document }: Api): string[] {
  const root = { value: document, pointer: "" };
  const name = entries(items(child(root, "security"))[0])[0]?.[0];
  const found = name === undefined ? undefined : at(document, `/components/securitySchemes/${name}`);
  const scheme = found && deref(document, found);
  const type = text(scheme, "type");
  if (type === "http" && text(scheme, "scheme")?.toLowerCase() === "bearer")
    return ['--header "Authorization: Bearer $API_KEY"'];
  const header = text(scheme, "name") ?? "";
  if (type === "apiKey" && text(scheme, "in") === "header" && TOKEN.test(header) && !/[$`!]/.test(header))
    return [`--header "${header}: $API_KEY"`];
  return [];
}

/** The texts of a parameter, percent-encoded: one for each item where items are parameters of their own. */
function textsOf({ style, explode }: Parameter, value: JsonValue): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  if (list.some((item) => typeof item === "object")) return undefined;
  const texts = list.map((item) => encodeURIComponent(String(item)));
  if (style === "simple" || (style === "form" && !explode)) return [texts.join(",")];
  return style === "form" ? texts : undefined;
}

/** A word of the shell that stands for a text, whatever is in it. */
function word(value: string): string {
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

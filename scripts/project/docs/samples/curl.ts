import type { Api, JsonValue, Operation, Parameter } from "../../../model/model.js";
import type { Request } from "./examples.js";

/** Characters that a word of the shell can have as they are. */
const PLAIN = /^[A-Za-z0-9_./:@%+=,-]+$/;
/** Matches names of headers. */
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
    ...credentials(api, operation),
    ...options,
    ...(json === undefined ? [] : ['--header "Content-Type: application/json"', `--data ${word(json)}`]),
  ].join(" \\\n  ");
}

/** The address of the document's first server, with the defaults of its variables. */
export function serverAddress({ servers }: Api): string {
  return (servers[0]?.url ?? "http://localhost").replace(/\/+$/, "");
}

/** The credentials option: of the first security scheme of the operation's first alternative. */
function credentials({ securitySchemes }: Api, { security }: Operation): string[] {
  const scheme = securitySchemes.find(({ name }) => name === security[0]?.[0]?.scheme);
  if (scheme?.type === "http" && scheme.scheme === "bearer")
    return ['--header "Authorization: Bearer $API_KEY"'];
  const isHeader = scheme?.type === "apiKey" && scheme.in === "header";
  return isHeader && TOKEN.test(scheme.key) && !/[$`!]/.test(scheme.key)
    ? [`--header "${scheme.key}: $API_KEY"`]
    : [];
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

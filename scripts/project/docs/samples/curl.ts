import type { Api, Operation, Parameter } from "../../../model/model.js";
import type { JsonValue } from "../../../json.js";
import { quoteShellArgument } from "../../../text.js";
import { getServerAddress, type SampleRequest } from "./requests.js";

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_|~-]+$/;

/**
 * Prints a request as a curl command. The API key comes from the shell variable API_KEY.
 *
 * @param json the formatted body
 * @returns undefined for a cookie parameter, or a parameter whose style is not supported
 */
export function printCurlCommand(
  api: Api,
  operation: Operation,
  { parameters }: SampleRequest,
  json: string | undefined,
): string | undefined {
  let path = operation.path;
  const query: string[] = [];
  const options: string[] = [];
  for (const { parameter, value } of parameters) {
    const texts = encodeValues(parameter, value);
    if (!texts) return undefined;
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, () => texts.join(","));
    else if (parameter.in === "query")
      query.push(...texts.map((encoded) => `${encodeURIComponent(parameter.name)}=${encoded}`));
    else if (parameter.in === "header")
      options.push(
        `--header ${quoteShellArgument(`${parameter.name}: ${texts.map(decodeURIComponent).join(",")}`)}`,
      );
    else return undefined;
  }
  const method = operation.method.toUpperCase();
  const url = getServerAddress(api) + path + (query.length > 0 ? `?${query.join("&")}` : "");
  const defaultMethod = json === undefined ? "GET" : "POST";
  return [
    `curl ${quoteShellArgument(url)}`,
    ...(method === defaultMethod ? [] : [`--request ${method}`]),
    ...listCredentialOptions(api, operation),
    ...options,
    ...(json === undefined
      ? []
      : ['--header "Content-Type: application/json"', `--data ${quoteShellArgument(json)}`]),
  ].join(" \\\n  ");
}

/** Lists the option with credentials for the first security scheme of an operation; none for a scheme that needs no header. */
function listCredentialOptions({ securitySchemes }: Api, { security }: Operation): string[] {
  const scheme = securitySchemes.find(({ name }) => name === security[0]?.[0]?.scheme);
  if (scheme?.type === "http" && scheme.scheme === "bearer")
    return ['--header "Authorization: Bearer $API_KEY"'];
  const isHeader = scheme?.type === "apiKey" && scheme.in === "header";
  // A shell expands $, ` and ! between double quotes.
  return isHeader && HEADER_NAME.test(scheme.key) && !/[$`!]/.test(scheme.key)
    ? [`--header "${scheme.key}: $API_KEY"`]
    : [];
}

/**
 * Percent-encodes the value of a parameter: one text for each item if the items are sent separately. Returns undefined for
 * objects and unsupported styles.
 */
function encodeValues({ style, explode }: Parameter, value: JsonValue): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  if (list.some((item) => typeof item === "object")) return undefined;
  const texts = list.map((item) => encodeURIComponent(String(item)));
  if (style === "simple" || (style === "form" && !explode)) return [texts.join(",")];
  return style === "form" ? texts : undefined;
}

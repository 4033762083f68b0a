import type { Api, Operation } from "../../../model/model.js";
import { quoteShellArgument } from "../../../text.js";
import { getServerAddress, type SampleRequest } from "./requests.js";

/**
 * Prints a request as a curl command. The API key comes from the shell variable API_KEY.
 *
 * @param json the formatted body
 */
export function printCurlCommand(
  api: Api,
  operation: Operation,
  { parameters }: SampleRequest,
  json: string | undefined,
): string {
  let path = operation.path;
  const query: string[] = [];
  const options: string[] = [];
  for (const { parameter, value } of parameters) {
    const { name, in: location } = parameter;
    const text = String(value);
    if (location === "path") path = path.replace(`{${name}}`, () => encodeURIComponent(text));
    else if (location === "query") query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
    else options.push(`--header ${quoteShellArgument(`${name}: ${text}`)}`);
  }
  const method = operation.method.toUpperCase();
  const url = getServerAddress(api) + path + (query.length > 0 ? `?${query.join("&")}` : "");
  const defaultMethod = json === undefined ? "GET" : "POST";
  return [
    `curl ${quoteShellArgument(url)}`,
    ...(method === defaultMethod ? [] : [`--request ${method}`]),
    ...(operation.security.length > 0 ? ['--header "Authorization: Bearer $API_KEY"'] : []),
    ...options,
    ...(json === undefined
      ? []
      : ['--header "Content-Type: application/json"', `--data ${quoteShellArgument(json)}`]),
  ].join(" \\\n  ");
}

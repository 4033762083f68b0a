import { printJsonExpression, printPropertyKey } from "../../../code/encode.js";
import { groupParameters } from "../../../model/parameters/parameter-groups.js";
import type { Api, Operation } from "../../../model/model.js";
import { listSuccessResponses } from "../../../model/success-responses.js";
import { quoteShellArgument } from "../../../text.js";
import { getServerAddress, type SampleRequest } from "./requests.js";

/**
 * Prints a request as a curl command. The API key comes from the shell variable API_KEY.
 *
 * @param json the formatted body
 */
export function printCurlCommand(
  api: Api,
  { method, path: template, security }: Operation,
  { parameters }: SampleRequest,
  json: string | undefined,
): string {
  let path = template;
  const query: string[] = [];
  for (const { parameter, value } of parameters) {
    const text = encodeURIComponent(String(value));
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, () => text);
    else if (parameter.in === "query") query.push(`${parameter.name}=${text}`);
    else throw new Error(`The samples of ${template} need support for parameters in: ${parameter.in}.`);
  }
  const url = getServerAddress(api) + path + (query.length > 0 ? `?${query.join("&")}` : "");
  const defaultMethod = json === undefined ? "get" : "post";
  return [
    `curl ${quoteShellArgument(url)}`,
    ...(method === defaultMethod ? [] : [`--request ${method.toUpperCase()}`]),
    ...(security.length > 0 ? ['--header "Authorization: Bearer $API_KEY"'] : []),
    ...(json === undefined
      ? []
      : ['--header "Content-Type: application/json"', `--data ${quoteShellArgument(json)}`]),
  ].join(" \\\n  ");
}

/**
 * Prints a request as a program that calls the generated client. It starts with the document's `x-client-setup`, which creates
 * `client`. The address of the server replaces the text `"{server}"` in it.
 */
export function printClientProgram(api: Api, operation: Operation, request: SampleRequest): string {
  const setup = String(api.document["x-client-setup"]);
  const groups = groupParameters(operation).flatMap(({ member, location }) => {
    const values = request.parameters
      .filter(({ parameter }) => parameter.in === location)
      .map(({ parameter, value }) => `${printPropertyKey(parameter.name)}: ${printJsonExpression(value)}`);
    return values.length === 0 ? [] : [`${member}: { ${values.join(", ")} }`];
  });
  const parts = [
    ...groups,
    ...(request.body === undefined ? [] : [`body: ${printJsonExpression(request.body)}`]),
  ];
  const hasResponseBody = (listSuccessResponses(operation)[0]?.mediaTypes ?? []).length > 0;
  const result = hasResponseBody ? "body" : "status";
  return [
    setup.trim().replaceAll('"{server}"', () => JSON.stringify(getServerAddress(api))),
    "",
    `const { ${result} } = await client.${operation.name}(${parts.length > 0 ? `{ ${parts.join(", ")} }` : ""});`,
    `console.log(${result});`,
    "",
  ].join("\n");
}

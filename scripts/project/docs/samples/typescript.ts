import { printJsonExpression, printPropertyKey } from "../../../code/encode.js";
import { groupParameters } from "../../../model/parameter-groups.js";
import { listSuccessResponses } from "../../../model/success-responses.js";
import type { Api, Operation } from "../../../model/model.js";
import { getServerAddress, type SampleRequest } from "./requests.js";

/**
 * Prints a request as a program that calls the generated client. It starts with the document's `x-client-setup`, or else with
 * the default setup, which creates `client`. The address of the server replaces the text `"{server}"` in it.
 */
export function printClientProgram(api: Api, operation: Operation, request: SampleRequest): string {
  const declaredSetup = api.document["x-client-setup"];
  const setup = typeof declaredSetup === "string" ? declaredSetup : DEFAULT_SETUP;
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

const DEFAULT_SETUP = `import { createClient } from "./generated/client.js";

const client = createClient({ baseUrl: "{server}" });`;

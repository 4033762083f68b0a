import { printJsonExpression, printPropertyKey } from "../../../code/encode.js";
import { groupParameters } from "../../../model/parameter-groups.js";
import { listSuccessResponses } from "../../../model/success-responses.js";
import type { Api, Operation } from "../../../model/model.js";
import { getText } from "../../../model/node.js";
import { getServerAddress } from "./curl.js";
import type { SampleRequest } from "./requests.js";

/**
 * Prints a request as a program that calls the generated client. It starts with the document's `x-client-setup`, which
 * creates `client` and can contain the placeholder `{server}`; without one, with the default setup.
 */
export function printClientProgram(api: Api, operation: Operation, request: SampleRequest): string {
  const setup = getText({ value: api.document, pointer: "" }, "x-client-setup") ?? DEFAULT_SETUP;
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
  const returnsBody = (listSuccessResponses(operation)[0]?.mediaTypes ?? []).length > 0;
  const result = returnsBody ? "body" : "status";
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

import { jsonExpression, propertyKey } from "../../../code/encode.js";
import type { Api, Operation } from "../../../model/model.js";
import { getText } from "../../../model/node.js";
import { serverAddress } from "./curl.js";
import type { Request } from "./examples.js";

/** Members for parameters in the argument of a client method, by location. */
const GROUPS = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;

/**
 * Prints a request as a program that calls the generated client. It starts with the document's `x-client-setup`, which
 * creates `client` and can contain the placeholder `{server}`; without one, with the default setup.
 */
export function clientProgram(api: Api, operation: Operation, request: Request): string {
  const root = { value: api.document, pointer: "" };
  const setup = getText(root, "x-client-setup") ?? DEFAULT_SETUP;
  const groups = Object.entries(GROUPS).flatMap(([location, name]) => {
    const members = request.parameters
      .filter(({ parameter }) => parameter.in === location)
      .map(({ parameter, value }) => `${propertyKey(parameter.name)}: ${jsonExpression(value)}`);
    return members.length === 0 ? [] : [`${name}: { ${members.join(", ")} }`];
  });
  const parts = [...groups, ...(request.body === undefined ? [] : [`body: ${jsonExpression(request.body)}`])];
  const result = returnsBody(operation) ? "body" : "status";
  return [
    setup.trim().replaceAll('"{server}"', () => JSON.stringify(serverAddress(api))),
    "",
    `const { ${result} } = await client.${operation.name}(${parts.length > 0 ? `{ ${parts.join(", ")} }` : ""});`,
    `console.log(${result});`,
    "",
  ].join("\n");
}

const DEFAULT_SETUP = `import { createClient } from "./generated/client.js";

const client = createClient({ baseUrl: "{server}" });`;

function returnsBody({ responses }: Operation): boolean {
  const success = responses.find(({ statuses }) => statuses.some((status) => status >= 200 && status < 300));
  return success !== undefined && success.mediaTypes.length > 0;
}

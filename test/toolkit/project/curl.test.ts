import { expect, test } from "vitest";
import { printCurlCommand } from "../../../scripts/project/docs/samples/curl.js";
import { build, documentWith, operationWith } from "../model/document.js";

/** Prints a request whose API key is in a header. */
function printCommand(header: string): string | undefined {
  const securitySchemes = { key: { type: "apiKey", in: "header", name: header } };
  const api = build(
    documentWith(
      { "/a": { get: operationWith() } },
      { components: { securitySchemes }, security: [{ key: [] }] },
    ),
  );
  const [operation] = api.operations;
  const request = { exampleName: undefined, parameters: [], body: undefined };
  return operation && printCurlCommand(api, operation, request, undefined);
}

test.each([
  ["X-Key", ' \\\n  --header "X-Key: $API_KEY"'],
  ["X-$HOME", ""],
  ["X-`id`", ""],
  ["X-!", ""],
  ["X Key", ""],
])("the key is sent in the header %s, unless a shell would expand its name", (header, option) => {
  expect(printCommand(header)).toBe(`curl http://localhost/a${option}`);
});

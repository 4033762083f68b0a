import { expect, test } from "vitest";
import { DiagnosticError } from "../../../scripts/diagnostic.js";
import { buildModel, findTypeErrors, listSources, withGenerated } from "./generated.js";

const PATHS = `
paths:
  /logs:
    get:
      operationId: readLogs
      tags: [Logs]
      responses:
        "200":
          summary: The lines.
          description: The lines as they come.
          content:
            application/jsonl: { itemSchema: { type: object, required: [line], properties: { line: { type: string } } } }
`;

test("the additions of OpenAPI 3.2 are generated or documentation", async () => {
  const document = `openapi: 3.2.0
info: { title: Logs, version: "1", summary: All of them. }
servers: [{ url: https://a.test, name: main }]
tags: [{ name: Logs, summary: Logs, kind: nav }, { name: More, parent: Logs }]
${PATHS}`;
  await withGenerated(document, (generated) => {
    expect(generated.warnings).toEqual([]);
    expect(buildModel(generated).groups[0]?.operations[0]?.responses[0]?.mediaTypes[0]?.kind).toBe("lines");
    expect(findTypeErrors(listSources(generated))).toEqual([]);
  });
});

test("an OAuth flow for devices keeps its scopes", async () => {
  const flow = {
    deviceAuthorizationUrl: "https://a.test/device",
    tokenUrl: "https://a.test/token",
    scopes: { read: "Reads." },
  };
  const document = `openapi: 3.2.0
info: { title: Logs, version: "1" }
${PATHS}
components:
  securitySchemes: { device: { type: oauth2, flows: { deviceAuthorization: ${JSON.stringify(flow)} } } }
security: [{ device: [read] }]
`;
  await withGenerated(document, (generated) => {
    expect(generated.warnings).toEqual([]);
    const text = generated.files.find(({ path }) => path === "openapi.json")?.content ?? "";
    expect(JSON.parse(text)).toHaveProperty(
      "components.securitySchemes.device.flows.deviceAuthorization",
      flow,
    );
  });
});

test("the self-assigned URI gives a warning, and media types can be components", async () => {
  const document = `openapi: 3.2.0
$self: https://a.test/openapi.yaml
info: { title: Logs, version: "1" }
paths:
  /logs:
    get:
      operationId: readLogs
      responses:
        "200":
          description: The lines.
          headers: { A: { content: { application/json: { $ref: "#/components/mediaTypes/Text" } } } }
          content: { application/jsonl: { $ref: "#/components/mediaTypes/Log" } }
components:
  mediaTypes:
    Log: { itemSchema: { type: object, required: [line], properties: { line: { type: string } } } }
    Text: { schema: { type: integer } }
`;
  await withGenerated(document, (generated) => {
    expect(generated.warnings.map(({ position }) => position?.pointer)).toEqual(["/$self"]);
    const { mediaTypes, headers } = buildModel(generated).operations[0]?.responses[0] ?? {};
    expect(mediaTypes?.[0]?.item?.schema?.properties.has("line")).toBe(true);
    expect(headers?.[0]?.schema?.declaredTypes).toEqual(["integer"]);
    expect(findTypeErrors(listSources(generated))).toEqual([]);
  });
});

test.each([
  [
    "components: { mediaTypes: { A: { itemEncoding: {} } } }\nwebhooks: { event: { post: { requestBody: { content: { a/b: { $ref: '#/components/mediaTypes/A' } } } } } }",
    "/components/mediaTypes/A/itemEncoding",
    "`itemEncoding`",
  ],
  ["  /a: { query: { responses: { '200': { description: It. } } } }", "/paths/~1a/query", "`query`"],
  [
    "  /a: { additionalOperations: { COPY: { responses: { '200': { description: It. } } } } }",
    "/paths/~1a/additionalOperations",
    "`additionalOperations`",
  ],
  [
    "  /a: { get: { parameters: [{ name: a, in: querystring, content: { a/b: {} } }], responses: { '200': { description: It. } } } }",
    "/paths/~1a/get/parameters/0",
    "in: querystring is not supported",
  ],
  [
    "webhooks: { event: { query: { responses: { '200': { description: It. } } } } }",
    "/webhooks/event/query",
    "`query`",
  ],
  [
    "webhooks: { event: { post: { requestBody: { content: { a/b: { itemEncoding: {} } } }, responses: { '200': { description: It. } } } } }",
    "/webhooks/event/post/requestBody/content/a~1b/itemEncoding",
    "`itemEncoding`",
  ],
  [
    "components: { schemas: { A: { type: object, discriminator: { propertyName: a, defaultMapping: B } }, B: { type: object } } }",
    "/components/schemas/A/discriminator/defaultMapping",
    "`defaultMapping`",
  ],
])("reports unsupported features with their location: %s", async (text, pointer, what) => {
  const document = `openapi: 3.2.0\ninfo: { title: t, version: "1" }\n${PATHS.trim()}\n${text}\n`;
  const error: unknown = await withGenerated(document, () => undefined).catch((reason: unknown) => reason);
  const found = error instanceof DiagnosticError ? error.diagnostics : [];
  const [refused, ...others] = found.filter(
    ({ position }) => position?.pointer === pointer && position.line > 1,
  );
  expect(others).toEqual([]);
  expect(refused?.severity).toBe("error");
  expect(refused?.message).toContain(what);
  expect(refused?.message).toContain("not supported. ");
});

import path from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder, EMPTY } from "../documents.js";

const SCHEMAS = `components:
  schemas:
    A: {$ref: '#/components/schemas/C', minimum: 1, default: 2}
    B: {properties: {b: {$ref: '#/components/schemas/C', type: integer, description: b, nullable: true}}}
    C: {type: integer, example: {$ref: '#/components/schemas/C', minimum: 1}}
`;

const PARAMETERS = `paths:
  /a:
    $ref: '#/components/pathItems/A'
    servers: []
components:
  parameters:
    A: {name: a, in: query, schema: {type: string}}
    B: {$ref: '#/components/parameters/A', required: true, schema: {type: integer}, description: b, summary: b, x-b: b}
  pathItems: {A: {}}
`;

async function listWarnings(document: string): Promise<string[]> {
  const folder = await createFolder({ "openapi.yaml": document });
  const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  return warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
}

it("warns about keywords beside a $ref that OpenAPI 3.0 ignores, and later versions do not", async () => {
  expect(await listWarnings(EMPTY + SCHEMAS)).toEqual([
    "6:53 OpenAPI 3.0 ignores `default`, `minimum` beside a $ref. Move the $ref into `allOf`, or remove what is ignored.",
  ]);
  expect(await listWarnings(EMPTY.replace("3.0.3", "3.1.0") + SCHEMAS)).toEqual([]);
});

it("warns about members beside the $ref of a parameter, but not beside that of a path item", async () => {
  const document = EMPTY.replace(/^paths:.*\n/m, "") + PARAMETERS;
  const warning =
    "10:44 OpenAPI ignores `required`, `schema` beside a $ref. Remove what is ignored, or replace the $ref by what it refers to.";
  for (const version of ["3.1.0", "3.2.0"])
    expect(await listWarnings(document.replace("3.0.3", version))).toEqual([warning]);
});

it("locates a member whose name contains a slash", async () => {
  const document =
    EMPTY +
    "components:\n  requestBodies:\n    A: {$ref: '#/components/requestBodies/B', a/b: {}}\n    B: {content: {}}\n";
  expect(await listWarnings(document)).toContain(
    "6:47 OpenAPI ignores `a/b` beside a $ref. Remove what is ignored, or replace the $ref by what it refers to.",
  );
});

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

it("warns about keywords beside a $ref that OpenAPI 3.0 ignores, and later versions do not", async () => {
  const listWarnings = async (head: string): Promise<string[]> => {
    const folder = await createFolder({ "openapi.yaml": head + SCHEMAS });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    return warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
  };
  expect(await listWarnings(EMPTY)).toEqual([
    "6:53 OpenAPI 3.0 ignores `default`, `minimum` beside a $ref. Move the $ref into `allOf`, or remove what is ignored.",
  ]);
  expect(await listWarnings(EMPTY.replace("3.0.3", "3.1.0"))).toEqual([]);
});

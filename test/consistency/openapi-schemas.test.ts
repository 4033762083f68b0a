import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  printMetaschemasModule,
  printOpenApiValidatorsModule,
} from "../../scripts/project/compile-openapi-schemas.js";
import { PROJECT } from "../support/api-document.js";

test("the committed validators match the official schemas of OpenAPI", () => {
  const file = path.join(PROJECT, "scripts/load/structure/generated/openapi.ts");
  // Compares with ===, because printing the difference of two such texts takes a minute.
  const isCurrent = readFileSync(file, "utf8") === printOpenApiValidatorsModule();
  expect(isCurrent, "run: npm run compile-schemas").toBe(true);
});

test("the committed metaschemas are the official ones", () => {
  const file = path.join(PROJECT, "scripts/json-schema/generated/metaschemas.ts");
  expect(readFileSync(file, "utf8") === printMetaschemasModule(), "run: npm run compile-schemas").toBe(true);
});

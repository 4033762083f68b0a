import { expect, test } from "vitest";
import { parsePointer } from "../../../scripts/json.js";
import { getKindAt } from "../../../scripts/json-schema/keywords.js";
import { isInData } from "../../../scripts/load/references/reference-resolver.js";

const OPERATION = "/paths/~1a/get";

test.each([
  ["", "object"],
  ["/components/schemas", "schemas"],
  ["/components/schemas/A", "schema"],
  ["/components/schemas/example/properties/const/items", "schema"],
  ["/components/schemas/A/properties", "schemas"],
  ["/components/schemas/A/properties/default", "schema"],
  ["/components/schemas/A/allOf/0/not", "schema"],
  ["/components/schemas/A/default/items", "data"],
  ["/components/schemas/A/examples/0", "data"],
  ["/components/schemas/A/unknown/items", "data"],
  ["/components/schemas/A/discriminator/mapping/const", "object"],
  // The author of the document chooses the keys of a map.
  ["/components/parameters/schema", "object"],
  ["/components/headers/example/schema", "schema"],
  ["/components/examples/value", "example"],
  ["/components/responses/examples", "object"],
  ["/webhooks/x-a", "object"],
  [`${OPERATION}/responses/default`, "object"],
  [`${OPERATION}/responses/200/content/schema/schema`, "schema"],
  [`${OPERATION}/responses/200/content/a~1b/examples/const`, "example"],
  [`${OPERATION}/responses/200/content/a~1b/examples/1`, "example"],
  [`${OPERATION}/responses/200/content/a~1b/examples/const/value/a`, "data"],
  [`${OPERATION}/responses/200/content/a~1b/examples/const/dataValue/a`, "data"],
  [`${OPERATION}/responses/200/content/a~1b/examples/const/summary`, "object"],
  [`${OPERATION}/responses/200/content/a~1b/example/schema`, "data"],
  [`${OPERATION}/responses/200/content/a~1b/itemSchema/items`, "schema"],
  [`${OPERATION}/parameters/0/schema`, "schema"],
  [`${OPERATION}/x-a/schema`, "data"],
  // A file that a reference leads to can be a schema, or an object of schemas.
  ["/properties/a", "schema"],
  ["/allOf/0/properties/enum", "schema"],
  ["/$defs/a/const", "data"],
  ["/examples/0/items", "data"],
])("the value at %s of a document is %s", (pointer, kind) => {
  expect(getKindAt(parsePointer(pointer))).toBe(kind);
  expect(isInData(pointer)).toBe(kind === "data");
});

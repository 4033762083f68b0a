import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { getInvalidDefault } from "../../../../scripts/model/schema/default-value.js";
import { buildSchemas } from "./schemas.js";

test.each<[JsonObject, JsonValue | undefined]>([
  [{ type: "string", default: 1 }, 1],
  [{ enum: ["a"], default: "b" }, "b"],
  [{ enum: [{ a: 1 }], default: { a: 1 } }, undefined],
  [{ enum: ["a"], nullable: true, default: null }, undefined],
  [{ nullable: true, default: null, allOf: [{ enum: ["a"] }] }, undefined],
  [{ default: null, allOf: [{ type: "string", enum: ["a"], nullable: true }] }, undefined],
])("the default of %j is invalid: %j", (schema, expected) => {
  expect(getInvalidDefault(buildSchemas({ A: schema }, "3.0.3")("A"))).toEqual(expected);
});

import { expect, test } from "vitest";
import type { JsonObject } from "../../../../scripts/json.js";
import { checkMutualUnions } from "../../../../scripts/model/schema/mutual-unions.js";
import { buildSchemas, to } from "./schemas.js";

test.each([
  [24, undefined],
  [25, /24 other schemas with discriminators/],
])("of %i unions that are branches of each other, at most 24 are accepted", (count, error) => {
  const names = Array.from({ length: count }, (_, index) => `S${index}`);
  const union: JsonObject = { oneOf: names.map(to), discriminator: { propertyName: "kind" } };
  const find = buildSchemas(Object.fromEntries(names.map((name) => [name, union])));
  const check = (): void => checkMutualUnions(names.map(find));
  if (error === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(error);
});

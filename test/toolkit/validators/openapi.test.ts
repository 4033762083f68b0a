import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../scripts/json.js";
import { expectCpuTimeBelow } from "../../support/cpu-time.js";
import { compileValidator } from "./compiled.js";

const COMPONENTS: JsonObject = { Text: { type: "string" } };

/** Checks values against a compiled schema of an OpenAPI document of some version. */
function checkValues(schema: JsonObject, values: JsonValue[], openapi = "3.0.3"): boolean[] {
  const document = { openapi, components: { schemas: { ...COMPONENTS, S: schema } } };
  const before = structuredClone(document);
  const dialect = openapi.startsWith("3.0") ? "openapi-3.0" : "openapi-3.1";
  const validate = compileValidator(document, { dialect, pointer: "/components/schemas/S" });
  expect(document).toEqual(before);
  return values.map((value) => validate(value));
}

describe.each(["3.0.3", "3.1.0"])("in a document of %s", (openapi) => {
  /** Schemas with a valid and an invalid value, nullable or not. */
  const SCHEMAS: [name: string, schema: JsonObject, taken: JsonValue, refused: JsonValue][] = [
    ["type", { type: "string" }, "a", 1],
    ["type and enum", { type: "string", enum: ["a"] }, "a", "b"],
    ["enum", { enum: ["a"] }, "a", "b"],
    ["const", { const: "a" }, "a", "b"],
    ["$ref", { $ref: "#/components/schemas/Text" }, "a", 1],
    ["allOf", { allOf: [{ $ref: "#/components/schemas/Text" }, { minLength: 2 }] }, "ab", "a"],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "integer" }] }, 1, 1.5],
    ["oneOf", { oneOf: [{ type: "string" }, { type: "integer" }] }, 1, 1.5],
    ["type with allOf", { type: "string", allOf: [{ minLength: 2 }, { type: "string" }] }, "ab", "a"],
  ];

  test.each(SCHEMAS)("nullable allows null besides: %s", (_, schema, taken, refused) => {
    const values = [taken, refused, null];
    expect(checkValues({ ...schema, nullable: true }, values, openapi)).toEqual([true, false, true]);
    expect(checkValues({ ...schema, nullable: false }, values, openapi)).toEqual([true, false, false]);
    expect(checkValues(schema, values, openapi)).toEqual([true, false, false]);
  });

  test("oneOf accepts null once if one of its members allows it", () => {
    const oneOf: JsonObject[] = [{ type: "string", nullable: true }, { type: "integer" }];
    expect(checkValues({ oneOf, nullable: true }, [null, "a", true], openapi)).toEqual([true, true, false]);
  });

  test("oneOf refuses null that several members allow, and anyOf allows it", () => {
    const oneOf: JsonObject[] = ["string", "integer"].map((type) => ({ type, nullable: true }));
    expect(checkValues({ oneOf }, [null, "a", 1, true], openapi)).toEqual([false, true, true, false]);
    const anyOf: JsonObject[] = ["a", "b"].map((kind) => ({
      type: "object",
      nullable: true,
      required: ["kind"],
      properties: { kind: { enum: [kind] } },
    }));
    expect(checkValues({ anyOf }, [null, { kind: "b" }, { kind: "c" }], openapi)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each<[JsonObject, boolean[]]>([
    [{ minimum: 1, exclusiveMinimum: true }, [false, false, true, true, true]],
    [{ minimum: 1, exclusiveMinimum: false }, [false, true, true, true, true]],
    [{ maximum: 3, exclusiveMaximum: true }, [true, true, true, false, false]],
    [{ maximum: 3, exclusiveMaximum: false }, [true, true, true, true, false]],
    [{ minimum: 1, exclusiveMinimum: true, maximum: 3 }, [false, false, true, true, false]],
    [{ exclusiveMinimum: true }, [true, true, true, true, true]],
  ])("boolean bounds: %j", (bounds, expected) => {
    expect(checkValues({ type: "number", ...bounds }, [0, 1, 2, 3, 4], openapi)).toEqual(expected);
  });
});

test.each([[["a"]], [["a", "b", "c", "d"]]])("the error of a nullable enum lists null: %j", (values) => {
  const validate = compileValidator({ enum: values, nullable: true }, { dialect: "openapi-3.0" });
  expect([validate(null), validate("x")]).toEqual([true, false]);
  expect(validate.errors).toMatchObject([{ keyword: "enum", params: { allowedValues: [...values, null] } }]);
});

test("the discriminator selects one of several matching branches of oneOf", () => {
  const kind = { enum: ["cat", "Dog", "bird"] };
  const branch = { required: ["kind"], properties: { kind, size: { type: "integer" } } };
  const oneOf = ["Cat", "Dog"].map((name) => ({ $ref: `#/$defs/${name}` }));
  const $defs = { Cat: branch, Dog: { ...branch, required: ["kind", "size"] } };
  const values: JsonValue[] = [
    { kind: "cat", size: 1 },
    { kind: "Dog", size: 1 },
    { kind: "Dog" }, // fits Cat alone
    { kind: "bird", size: 1 },
    { kind: "cat", size: "1" },
    1,
  ];
  const mapping = { cat: "#/components/schemas/S/$defs/Cat" };
  const schema = (more: JsonObject): JsonObject => ({
    type: "object",
    $defs,
    oneOf: oneOf.map(({ $ref }) => ({ $ref: $ref.replace("#", "#/components/schemas/S") })),
    ...more,
  });
  expect(checkValues(schema({ discriminator: { propertyName: "kind", mapping } }), values, "3.1.0")).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(checkValues(schema({}), values, "3.1.0")).toEqual([false, false, true, false, false, false]);
});

test("a deep value of a recursive union takes linear time if its discriminator names the branches", async () => {
  const branches = ["And", "Or", "Not"];
  const expression = { $ref: "#/components/schemas/S" };
  const branch = {
    type: "object",
    required: ["type"],
    properties: { type: { type: "string" }, parts: { type: "array", items: expression } },
  };
  const schema = {
    $defs: Object.fromEntries(branches.map((name) => [name, branch])),
    oneOf: branches.map((name) => ({ $ref: `#/components/schemas/S/$defs/${name}` })),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(branches.map((name) => [name, `#/components/schemas/S/$defs/${name}`])),
    },
  };
  let value: JsonValue = { type: "Not" };
  for (let depth = 0; depth < 13; depth += 1) value = { type: "Or", parts: [value] };
  await expectCpuTimeBelow(500, () => {
    expect(checkValues(schema, [value], "3.1.0")).toEqual([true]);
  });
});

test("numeric bounds are unchanged", () => {
  expect(checkValues({ exclusiveMinimum: 1 }, [1, 2], "3.1.0")).toEqual([false, true]);
});

test("names of properties and data that resemble keywords are unchanged", () => {
  const properties: JsonObject = {
    nullable: { type: "boolean" },
    exclusiveMinimum: true,
    default: { type: "string", nullable: true },
    data: { enum: [{ nullable: true }, { minimum: 1, exclusiveMinimum: true }] },
  };
  const values: JsonObject[] = [
    { nullable: null },
    { exclusiveMinimum: 1, default: null },
    { data: { nullable: true } },
    { data: {} },
    { data: { minimum: 1, exclusiveMinimum: true } },
  ];
  expect(checkValues({ type: "object", properties }, values)).toEqual([false, true, true, false, true]);
});

test("a $ref into a nullable schema is resolved", () => {
  const document: JsonObject = {
    openapi: "3.0.0",
    components: { schemas: { S: { nullable: true, properties: { of: { type: "integer" } } } } },
  };
  const validate = compileValidator(document, {
    dialect: "openapi-3.0",
    pointer: "/components/schemas/S/properties/of",
  });
  expect([validate(1), validate("a")]).toEqual([true, false]);
});

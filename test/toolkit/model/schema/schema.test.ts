import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../scripts/json.js";
import { getPossibleTypes } from "../../../../scripts/model/schema/json-types.js";
import { getPropertyConstraints } from "../../../../scripts/model/schema/property-constraints.js";
import { SchemaGraph } from "../../../../scripts/model/schema/graph.js";
import type { Schema } from "../../../../scripts/model/schema/schema.js";
import { buildJsonSchema, buildSchemas, format, to } from "./schemas.js";

describe("references", () => {
  test("resolve to one object per location; cycles are links", () => {
    const of = buildSchemas({ Tree: { properties: { left: to("Tree"), right: to("Tree") } } });
    const left = of("Tree").properties.get("left");
    expect(left?.reference).toBe(of("Tree"));
    expect(of("Tree").properties.get("left")).toBe(left);
    expect(left?.pointer).toBe("/components/schemas/Tree/properties/left");
  });

  test("name a schema inside another after its pointer, with a number when the name is taken", () => {
    const of = buildSchemas({
      Pet: { properties: { toy: {}, owner: {} }, $defs: { owner: {} } },
      PetToy: {},
    });
    const pet = of("Pet");
    const inner = [
      pet.properties.get("owner"),
      pet.subschemaMap("$defs").get("owner"),
      pet.properties.get("toy"),
    ];
    expect(inner.map((schema) => schema?.name)).toEqual(["PetOwner", "PetOwner2", "PetToy2"]);
    const tag = buildSchemas({ Pet: { properties: { "a/b~c": {} } } })("Pet").properties.get("a/b~c");
    expect(tag?.name).toBe("PetABC");
  });

  test.each<[string, string, string]>([
    [
      "into a schema",
      "#/components/schemas/Pet/properties/owner",
      "/components/schemas/Pet/properties/owner",
    ],
    [
      "with escapes",
      "#/components/schemas/Pet/properties/a~1b%20~01",
      "/components/schemas/Pet/properties/a~1b ~01",
    ],
    [
      "through a reference",
      "#/components/schemas/Alias/properties/owner",
      "/components/schemas/Pet/properties/owner",
    ],
    ["to an embedded $id", "https://example.test/named", "/components/schemas/Named"],
    ["to an anchor", "https://example.test/named#part", "/components/schemas/Named/$defs/x"],
  ])("lead %s", (_, reference, pointer) => {
    const of = buildSchemas({
      Pet: { properties: { owner: { type: "string" }, "a/b ~1": {} } },
      Alias: to("Pet"),
      Named: { $id: "https://example.test/named", $defs: { x: { $anchor: "part" } } },
      From: { $ref: reference },
    });
    expect(of("From").reference?.pointer).toBe(pointer);
  });

  test.each([
    "#/components/schemas/None",
    "#nothing",
    "#",
    "other.yaml",
    "#/components/schemas/From/items/0/1",
  ])("without a target are unresolved: %s", (reference) => {
    expect(buildSchemas({ From: { $ref: reference } })("From").reference).toBeUndefined();
  });

  test("lead to an anchor in the schema of a stream's items", () => {
    const content = { "application/jsonl": { itemSchema: { $anchor: "line" } } };
    const document = { paths: { "/a": { get: { responses: { 200: { content } } } } } };
    const components = { schemas: { From: { $ref: "#line" } } };
    const graph = new SchemaGraph([
      { uri: "openapi.json", document: { ...document, components }, dialect: "openapi-3.1" },
    ]);
    expect(graph.components().get("From")?.reference?.pointer).toBe(
      "/paths/~1a/get/responses/200/content/application~1jsonl/itemSchema",
    );
  });

  test("an $id changes the base of the references below it", () => {
    const root = buildJsonSchema({
      $id: "https://example.test/a/root",
      $ref: "item",
      $defs: {
        item: {
          $id: "item",
          $defs: { b: { $id: "b/", properties: { c: { $ref: "../item#/$defs/d" } } }, d: {} },
        },
      },
    });
    const item = root.reference;
    expect(item?.pointer).toBe("/$defs/item");
    const c = item?.subschemaMap("$defs").get("b")?.properties.get("c");
    expect(c?.reference?.pointer).toBe("/$defs/item/$defs/d");
  });

  test("an $id on the way to the target of a reference is the base of the references in the target", () => {
    const of = buildSchemas({
      From: { $ref: "#/components/schemas/Page/properties/owner" },
      Page: {
        $id: "https://example.test/page",
        properties: { owner: { $ref: "#/$defs/user" } },
        $defs: { user: {} },
      },
    });
    expect(of("From").reference?.reference?.pointer).toBe("/components/schemas/Page/$defs/user");
  });

  test("a $dynamicRef has its static target, its anchor, and the anchors of each resource", () => {
    const root = buildJsonSchema({
      $id: "https://example.test/tree",
      $dynamicAnchor: "node",
      properties: { children: { items: { $dynamicRef: "#node" } } },
    });
    const dynamic = root.properties.get("children")?.subschema("items")?.dynamicReference;
    expect(dynamic).toEqual({ schema: root, anchor: "node" });
    expect(root.dynamicAnchors.get("node")).toBe(root);
  });
});

describe("OpenAPI 3.0 is converted to draft 2020-12", () => {
  test("exclusive bounds become numbers, an example becomes a list, and only annotations count next to a $ref", () => {
    const of = buildSchemas(
      {
        A: {
          type: "number",
          minimum: 1,
          exclusiveMinimum: true,
          maximum: 2,
          exclusiveMaximum: false,
          example: 1.5,
        },
        B: { ...to("A"), nullable: true, type: "string", description: "d", deprecated: true },
        C: { example: 1, examples: [2] },
      },
      "3.0.3",
    );
    expect(of("A").keywords).toEqual({
      type: "number",
      exclusiveMinimum: 1,
      maximum: 2,
      example: 1.5,
      examples: [1.5],
    });
    expect(of("B").keywords).toEqual({ ...to("A"), description: "d", deprecated: true });
    expect(of("B").nullable).toBe(true);
    expect(of("C").keywords).toEqual({ example: 1, examples: [2] });
  });

  test("a list of items is read as in earlier drafts", () => {
    const of = buildSchemas({
      A: { items: [{ type: "string" }, to("A")], additionalItems: { type: "integer" } },
      B: { items: [] },
    });
    expect(format(of("A"))).toEqual({
      prefixItems: [{ type: "string" }, { $ref: "A" }],
      items: { type: "integer" },
    });
    expect(format(of("B"))).toEqual({ items: {} });
    const pointers = [...of("A").subschemas()].map(({ schema }) => schema.pointer);
    expect(pointers.map((pointer) => pointer.replace("/components/schemas/A/", ""))).toEqual([
      "items/0",
      "items/1",
      "additionalItems",
    ]);
  });

  test.each([
    "3.1/dialect/base",
    "3.1/dialect/2024-11-10",
    "3.2/dialect/2025-09-17",
    "3.1/schema-base/2022-10-07",
  ])("the dialect %s of OpenAPI is known", (name) => {
    const of = buildSchemas({ A: { $schema: `https://spec.openapis.org/oas/${name}` } });
    expect(of("A").problem).toBeUndefined();
  });

  test("an unknown dialect is reported", () => {
    expect(buildSchemas({ A: { $schema: "https://example.test/x" } })("A").problem).toMatch(/is not known/);
    const current = "https://json-schema.org/draft/2020-12/schema#";
    expect(buildSchemas({ A: { $schema: current } })("A").problem).toBeUndefined();
    const old = "http://json-schema.org/draft-07/schema#";
    expect(buildSchemas({ A: { $schema: old, type: "string" } })("A").problem).toBeUndefined();
    expect(
      buildSchemas({ A: { $schema: old, properties: { a: { dependencies: {} } } } })("A").problem,
    ).toMatch(/^dependencies means/);
    expect(buildSchemas({ A: { $schema: old, divisibleBy: 2 } })("A").problem).toMatch(/^divisibleBy means/);
    const beside = (keyword: string): string | undefined =>
      buildSchemas({ A: { $schema: old, ...to("B"), [keyword]: { a: {} } }, B: {} })("A").problem;
    expect(beside("properties")).toMatch(/^a keyword beside \$ref means/);
    expect([beside("definitions"), beside("$defs")]).toEqual([undefined, undefined]);
  });
});

test("jsonSchemaDialect is the dialect of schemas without $schema, and of their subschemas", () => {
  const old = "http://json-schema.org/draft-07/schema#";
  const current = "https://json-schema.org/draft/2020-12/schema";
  const schemas: JsonObject = {
    Old: { properties: { a: { dependencies: {} } } },
    Same: { properties: { a: { type: "string" } } },
    Current: { $schema: current, properties: { a: { dependencies: {} } } },
    Mixed: { properties: { a: { $schema: current, dependencies: {} } } },
  };
  const document = { openapi: "3.1.0", jsonSchemaDialect: old, components: { schemas } };
  const graph = new SchemaGraph([{ uri: "openapi.json", document, dialect: "openapi-3.1" }]);
  const findProblems = (get: (schema: Schema) => Schema | undefined): (string | undefined)[] =>
    [...graph.components().values()].map((schema) => get(schema)?.problem);
  expect(findProblems((schema) => schema)).toEqual([
    expect.stringMatching(/^dependencies means something else in /),
    undefined,
    undefined,
    undefined,
  ]);
  expect(findProblems((schema) => schema.properties.get("a"))).toEqual(Array(4).fill(undefined));
});

describe("composition", () => {
  test("the possible types follow references, allOf and unions", () => {
    const of = buildSchemas({
      A: { allOf: [to("B"), { type: ["string", "null"] }] },
      B: { anyOf: [{ type: "integer" }, { const: "x" }, { enum: [null] }] },
      Never: { allOf: [false] },
      Loop: { allOf: [to("Loop")] },
    });
    expect([...getPossibleTypes(of("A"))]).toEqual(["null", "string"]);
    expect([...getPossibleTypes(of("B"))]).toEqual(["null", "number", "string"]);
    expect(getPossibleTypes(of("Never")).size).toBe(0);
    expect(getPossibleTypes(of("Loop")).size).toBe(6);
  });

  test("finds the properties and values of every valid object", () => {
    const of = buildSchemas({
      A: { oneOf: [to("B"), { required: ["k", "z"], properties: { k: { const: 2 } } }] },
      B: { required: ["k"], properties: { k: { enum: [1, 3] } } },
    });
    const { required, allowedValues } = getPropertyConstraints(of("A"));
    expect([...required]).toEqual(["k"]);
    expect([...(allowedValues.get("k") ?? [])]).toEqual([1, 3, 2]);
  });

  test("includes null that a schema of OpenAPI 3.0 allows beside its list", () => {
    const listed = { enum: ["a"], nullable: true };
    const of = buildSchemas({ A: listed, B: { properties: { k: listed } } }, "3.0.3");
    expect([...getPossibleTypes(of("A"))].sort()).toEqual(["null", "string"]);
    expect(getPropertyConstraints(of("B")).allowedValues.size).toBe(0);
  });
});

test("no value matches `false`, however deep it is composed", () => {
  const chain = Array.from({ length: 6 }, (_, index) => [`S${index}`, { allOf: [to(`S${index + 1}`)] }]);
  const of = buildSchemas({ ...Object.fromEntries(chain), S6: false });
  // The depth of inferences is limited.
  expect([...getPossibleTypes(of("S3"))]).toEqual([]);
  expect(getPossibleTypes(of("S0")).size).toBe(6);
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAX_PAGE_SIZE } from "../../src/budgets.js";
import { readPayload, findTypes } from "../../src/domain/blocks/content.js";
import { type Container, canHaveChildren } from "../../src/domain/blocks/nesting.js";
import { MAX_OPTIONS, MAX_RUN_LENGTH } from "../../src/domain/properties/convert.js";
import { OPTION_COLORS, MAX_OPTION_NAME } from "../../src/domain/properties/options.js";
import { MAX_ELEMENTS, MAX_TEXT_LENGTHS } from "../../src/domain/properties/read-value.js";
import { CONDITION_KEYS, readFilter } from "../../src/domain/query/filter.js";
import { makeSchema, type PropertyDefinition } from "../../src/domain/schema.js";

/*
 * The domain may not import what is generated, so that some lists and limits are in it as well as in the document. Here
 * they are held against each other.
 */

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

const file = new URL("../../generated/openapi.json", import.meta.url);
// The cast: the parts of the document that are looked at here.
const { components } = JSON.parse(readFileSync(file, "utf8")) as {
  components: { schemas: Record<string, Schema>; parameters: Record<string, { schema: Schema }> };
};

/** Resolves a reference; returns other schemas unchanged. */
function resolve(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error("The document has no such schema.");
  if (schema.$ref === undefined) return schema;
  return resolve(components.schemas[schema.$ref.slice("#/components/schemas/".length)]);
}

/** A schema of the document, and a member of a member of it. */
function at(name: string, ...path: string[]): Schema {
  return path.reduce(
    (schema, member) => resolve(schema.properties?.[member]),
    resolve(components.schemas[name]),
  );
}

function membersOf(name: string, ...path: string[]): [string, Schema][] {
  return Object.entries(at(name, ...path).properties ?? {}).map(([key, schema]) => [key, resolve(schema)]);
}

function sorted(values: Iterable<string> | undefined): string[] {
  if (values === undefined) throw new Error("The document has no such list.");
  return [...values].toSorted();
}

describe("lists", () => {
  test("types of blocks", () => {
    const types = at("BlockInput", "type").enum;
    const everything = new Proxy({}, { get: (_, name) => (name === "type" ? undefined : {}) });
    expect(sorted(findTypes(everything))).toEqual(sorted(types));
    for (const type of types ?? []) {
      // The cast: a type of the document, with the least of content, which is not looked at here.
      expect(readPayload({ [type]: {} } as never, "body").kind).toBe(type);
    }
  });

  test("types of blocks that others can be in", () => {
    const withChildren = membersOf("BlockInput").flatMap(([type, { properties }]) =>
      properties !== undefined && "children" in properties ? [type] : [],
    );
    const takers = (at("BlockInput", "type").enum ?? []).filter((type) =>
      // The cast: a type of the document. A heading takes some when it can be folded, a synced block when it is no copy.
      canHaveChildren({ type, content: { is_toggleable: true, synced_from: null } } as Container),
    );
    expect(sorted(takers)).toEqual(sorted(withChildren));
  });

  test("colours of options", () => {
    expect(OPTION_COLORS).toEqual(at("SelectColor").enum);
  });

  test("what conditions of filters stand under", () => {
    const keys = membersOf("FilterCondition").flatMap(([key]) =>
      ["property", "timestamp", "type"].includes(key) ? [] : [key],
    );
    expect(sorted(CONDITION_KEYS)).toEqual(sorted(keys));
  });
});

const ID = "00000000-0000-7000-8000-000000000000";

function propertyOf(type: string): PropertyDefinition {
  const common = { id: "p", name: "P", description: null };
  switch (type) {
    case "select":
    case "multi_select":
      return { ...common, type, options: [] };
    case "status":
      return { ...common, type, options: [], groups: [] };
    case "relation":
      return { ...common, type, databaseId: ID, syncedPropertyId: null };
    case "unique_id":
      return { ...common, type, prefix: null };
    default:
      // The cast: all others are configured no further.
      return { ...common, type } as PropertyDefinition;
  }
}

/** A value that an operator compares with. */
function operandOf({ const: constant, type, pattern }: Schema): unknown {
  if (constant !== undefined) return constant;
  if (type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  return pattern?.startsWith("^([0-9a-fA-F]{8}-") ? ID : "2026-01-31";
}

// Rollups have conditions of conditions, and formulas none that is carried out.
const conditions = membersOf("FilterCondition").filter(
  ([key]) => (CONDITION_KEYS as readonly string[]).includes(key) && key !== "rollup" && key !== "formula",
);
const operators = new Map(
  conditions.flatMap(([, { properties }]) =>
    Object.entries(properties ?? {}).map(([operator, schema]) => [operator, resolve(schema)] as const),
  ),
);

describe("operators", () => {
  test.each(conditions)("of %s", (type, { properties }) => {
    const context = { schema: makeSchema([propertyOf(type)]), related: new Map(), now: Date.now() };
    const taken = [...operators].filter(([operator, elsewhere]) => {
      const operand = operandOf(resolve(properties?.[operator] ?? elsewhere));
      try {
        readFilter({ property: "P", [type]: { [operator]: operand } }, context);
        return true;
      } catch {
        return false;
      }
    });
    expect(sorted(taken.map(([operator]) => operator))).toEqual(sorted(Object.keys(properties ?? {})));
  });
});

describe("limits", () => {
  test("of options", () => {
    expect(MAX_OPTION_NAME).toBe(at("OptionInput", "name").maxLength);
    expect(MAX_OPTIONS).toBe(at("SelectConfigInput", "options").maxItems);
  });

  test("of texts", () => {
    expect(MAX_RUN_LENGTH).toBe(at("TextPartInput", "content").maxLength);
    const value = "PropertyValueObjectInput";
    for (const [type, length] of Object.entries(MAX_TEXT_LENGTHS))
      expect(length).toBe(at(value, type).maxLength);
  });

  test("of lists", () => {
    const lists = membersOf("PropertyValueObjectInput").filter(([, { type }]) =>
      [type].flat().includes("array"),
    );
    expect(sorted(lists.map(([name]) => name))).toEqual(["files", "multi_select", "people", "relation"]);
    for (const [, { maxItems }] of lists) expect(MAX_ELEMENTS).toBe(maxItems);
    const bare = at("PropertyValueInput").anyOf?.find(({ type }) => type === "array");
    expect(MAX_ELEMENTS).toBe(bare?.maxItems);
    expect(MAX_ELEMENTS).toBe(at("RichTextInput").maxItems);
  });

  test("of answers in pages", () => {
    expect(MAX_PAGE_SIZE).toBe(at("PageSize").maximum);
    expect(MAX_PAGE_SIZE).toBe(resolve(components.parameters.page_size?.schema).maximum);
  });
});

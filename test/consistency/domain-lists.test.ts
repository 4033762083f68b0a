import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAX_RESULTS } from "../../src/budgets.js";
import { parseTypedContent, findContentTypes } from "../../src/domain/blocks/content.js";
import { type BlockParent, canHaveChildren } from "../../src/domain/blocks/nesting.js";
import { MAX_CONVERTED_OPTIONS, MAX_RUN_LENGTH } from "../../src/domain/properties/convert.js";
import { OPTION_COLORS, MAX_OPTION_NAME_LENGTH } from "../../src/domain/properties/options.js";
import { MAX_TEXT_LENGTHS } from "../../src/domain/properties/parse-value.js";
import { CONDITION_KEYS, parseFilter } from "../../src/domain/query/filter.js";
import {
  createSchema,
  isComputedProperty,
  PROPERTY_TYPES,
  type PropertyDefinition,
} from "../../src/domain/schema.js";
import { createDefinitions } from "../service/storage/query/world.js";
import { WRITABLE_PROPERTIES } from "../support/properties.js";

/*
 * Compares lists and limits of the domain with those of the document. The domain repeats them, because it may not import
 * generated values.
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
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> };
}

const file = new URL("../../generated/openapi.json", import.meta.url);
// The cast: declares only the parts of the document that these tests use.
const { components } = JSON.parse(readFileSync(file, "utf8")) as {
  components: { schemas: Record<string, Schema>; parameters: Record<string, { schema: Schema }> };
};

/** Resolves a reference; returns other schemas unchanged. */
function resolve(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error("The document has no such schema.");
  if (schema.$ref === undefined) return schema;
  return resolve(components.schemas[schema.$ref.slice("#/components/schemas/".length)]);
}

/** Finds a schema of the document, or the schema at a path of properties in it. */
function findSchema(name: string, ...path: string[]): Schema {
  return path.reduce(
    (schema, member) => resolve(schema.properties?.[member]),
    resolve(components.schemas[name]),
  );
}

function listMembers(name: string, ...path: string[]): [string, Schema][] {
  return Object.entries(findSchema(name, ...path).properties ?? {}).map(([key, schema]) => [
    key,
    resolve(schema),
  ]);
}

function sort(values: Iterable<string> | undefined): string[] {
  if (values === undefined) throw new Error("The document has no such list.");
  return [...values].toSorted();
}

/** Types of properties whose values requests can set. */
const WRITABLE_TYPES = PROPERTY_TYPES.filter((type) => !isComputedProperty({ type }));

describe("lists", () => {
  test("types of blocks", () => {
    const types = findSchema("BlockInput", "type").enum;
    const everything = new Proxy({}, { get: (_, name) => (name === "type" ? undefined : {}) });
    expect(sort(findContentTypes(everything))).toEqual(sort(types));
    for (const type of types ?? []) {
      // The cast: a type of the document with empty content, which parseTypedContent does not read.
      expect(parseTypedContent({ [type]: {} } as never, "body").kind).toBe(type);
    }
  });

  test("types of blocks in updates and responses", () => {
    const types = findSchema("BlockInput", "type").enum ?? [];
    expect(sort(findSchema("UpdateBlockBody", "type").enum)).toEqual(sort(types));
    const keys = listMembers("UpdateBlockBody").map(([key]) => key);
    expect(keys).toEqual(expect.arrayContaining([...types]));
    const shown = Object.keys(findSchema("Block").discriminator?.mapping ?? {});
    const readOnly = ["child_page", "child_database", "link_preview", "unsupported"];
    expect(sort(shown)).toEqual(sort([...types, ...readOnly]));
  });

  test("types of blocks with children", () => {
    const withChildren = listMembers("BlockInput").flatMap(([type, { properties }]) =>
      properties !== undefined && "children" in properties ? [type] : [],
    );
    const parents = (findSchema("BlockInput", "type").enum ?? []).filter((type) =>
      // The cast: a type of the document. Toggleable headings and original synced blocks have children.
      canHaveChildren({ type, content: { is_toggleable: true, synced_from: null } } as BlockParent),
    );
    expect(sort(parents)).toEqual(sort(withChildren));
  });

  test("colours of options", () => {
    expect(OPTION_COLORS).toEqual(findSchema("SelectColor").enum);
  });

  test.each(["DatabaseProperty", "PropertyValue", "RollupElement", "PropertyItem"])(
    "types of properties in %s",
    (name) => {
      const types = Object.keys(findSchema(name).discriminator?.mapping ?? {});
      const isListed = (type: string) =>
        type !== "rollup" || name === "DatabaseProperty" || name === "PropertyValue";
      expect(sort(types)).toEqual(sort(PROPERTY_TYPES.filter(isListed)));
    },
  );

  test("types of properties in requests", () => {
    const keys = (name: string) => listMembers(name).map(([key]) => key);
    expect(sort(findSchema("PropertyType").enum)).toEqual(sort(PROPERTY_TYPES));
    expect(sort(findSchema("DatabasePropertyInput", "type").enum)).toEqual(
      sort([...PROPERTY_TYPES, "formula"]),
    );
    expect(keys("DatabasePropertyInput")).toEqual(expect.arrayContaining(PROPERTY_TYPES));
    expect(keys("PropertyValueObjectInput")).toEqual(expect.arrayContaining(WRITABLE_TYPES));
  });

  test("types of properties in tests", () => {
    const worldTypes = createDefinitions().map(({ type }) => type);
    expect(sort(worldTypes), "createDefinitions in test/service/storage/query/world.ts").toEqual(
      sort(PROPERTY_TYPES.filter((type) => type !== "relation" && type !== "rollup")),
    );
    const writableTypes = Object.values(WRITABLE_PROPERTIES).flatMap((property) =>
      Object.keys(property ?? {}),
    );
    expect(sort(writableTypes), "WRITABLE_PROPERTIES in test/support/properties.ts").toEqual(
      sort(WRITABLE_TYPES.filter((type) => type !== "relation")),
    );
  });

  test("keys of filter conditions", () => {
    const keys = listMembers("FilterCondition").flatMap(([key]) =>
      ["property", "timestamp", "type"].includes(key) ? [] : [key],
    );
    expect(sort(CONDITION_KEYS)).toEqual(sort(keys));
  });
});

const ID = "00000000-0000-7000-8000-000000000000";

function createProperty(type: string): PropertyDefinition {
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
      // The cast: the other types have no configuration.
      return { ...common, type } as PropertyDefinition;
  }
}

/** Creates an operand for an operator. */
function createOperand({ const: constant, type, pattern }: Schema): unknown {
  if (constant !== undefined) return constant;
  if (type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  return pattern?.startsWith("^([0-9a-fA-F]{8}-") ? ID : "2026-01-31";
}

// Without rollups, whose conditions are nested, and formulas, whose conditions are not supported.
const conditions = listMembers("FilterCondition").filter(
  ([key]) => (CONDITION_KEYS as readonly string[]).includes(key) && key !== "rollup" && key !== "formula",
);

describe("operators", () => {
  test.each(conditions)("of %s", (type, { properties }) => {
    const context = {
      schema: createSchema([createProperty(type)]),
      getRelatedSchema: () => undefined,
      now: Date.now(),
    };
    const refused = Object.entries(properties ?? {}).filter(([operator, schema]) => {
      const filter = { property: "P", [type]: { [operator]: createOperand(resolve(schema)) } };
      try {
        return parseFilter(filter, context) === undefined;
      } catch {
        return true;
      }
    });
    expect(refused).toEqual([]);
  });
});

describe("limits", () => {
  test("of options", () => {
    expect(MAX_OPTION_NAME_LENGTH).toBe(findSchema("OptionInput", "name").maxLength);
    expect(MAX_CONVERTED_OPTIONS).toBe(findSchema("SelectConfigInput", "options").maxItems);
  });

  test("of texts", () => {
    expect(MAX_RUN_LENGTH).toBe(findSchema("TextPartInput", "content").maxLength);
    const value = "PropertyValueObjectInput";
    for (const [type, length] of Object.entries(MAX_TEXT_LENGTHS))
      expect(length).toBe(findSchema(value, type).maxLength);
  });

  test("of paginated responses", () => {
    expect(MAX_RESULTS).toBe(findSchema("PageSize").maximum);
    expect(MAX_RESULTS).toBe(resolve(components.parameters.page_size?.schema).maximum);
  });
});

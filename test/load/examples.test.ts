import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import { expect, onTestFinished, test } from "vitest";
import { EXAMPLE_RULES, examplesFit } from "../../scripts/load/examples/examples.js";
import { loadDocument } from "../../scripts/load/load.js";
import { valueAt } from "../../scripts/load/pointer.js";
import { PROJECT } from "../support/api-document.js";
import { Random, takeSeed } from "../support/random.js";

type Json = Record<string, unknown>;

/** What Redocly says of the examples of a document: its messages by the path of the operation. */
async function redoclyOn(document: Json): Promise<Map<string, string[]>> {
  const folder = await mkdtemp(path.join(tmpdir(), "examples-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const config = await createConfig({
    rules: Object.fromEntries(EXAMPLE_RULES.map((rule) => [rule, "error"])),
  });
  const found = new Map<string, string[]>();
  for (const { message, location, from } of await lint({ ref: file, config })) {
    const pointer = (from ?? location[0])?.pointer ?? "";
    const [, name = pointer] = /^#\/paths\/~1([a-z0-9]+)/.exec(pointer) ?? [];
    found.set(name, [...(found.get(name) ?? []), message]);
  }
  return found;
}

const HEAD = { info: { title: "Examples", version: "1" } };

/** An operation with a media type in its request or its response. */
function operationWith(mediaType: Json, inRequest: boolean): Json {
  const content = { content: { "application/json": mediaType } };
  return inRequest
    ? { post: { requestBody: content, responses: {} } }
    : { get: { responses: { "200": { description: "", ...content } } } };
}

const NAMES = ["a", "b", "kind"] as const;
const COMPONENTS = ["One", "Two", "Three", "Four"] as const;

/** Schemas and values that are close to each other, so that about half fit. */
class Maker {
  constructor(private readonly random: Random) {}

  schema(depth = 0): Json {
    const { random } = this;
    const deep = depth > 3;
    const kind = random.below(deep ? 5 : 12);
    switch (kind) {
      case 0:
        return { type: "string", ...this.some({ minLength: 2, maxLength: 4, pattern: "^[a-z]" }) };
      case 1:
        return { type: random.pick(["number", "integer"]), ...this.some({ minimum: 1, maximum: 3 }) };
      case 2:
        return random.pick([
          { enum: ["x", 1, null] },
          { const: "x" },
          { type: "boolean" },
          { type: ["string", "null"] },
        ]);
      case 3:
        return {
          type: "string",
          format: random.pick(["date", "date-time", "uuid", "uri", "email", "byte", "new"]),
        };
      case 4:
        return { $ref: `#/components/schemas/${random.pick(COMPONENTS)}` };
      case 5:
        return { type: "array", items: this.schema(depth + 1), ...this.some({ minItems: 1, maxItems: 2 }) };
      case 6:
        return { allOf: [this.schema(depth + 1), this.schema(depth + 1)], ...this.maybe(this.object(depth)) };
      case 7:
        return { anyOf: [this.schema(depth + 1), this.schema(depth + 1)], ...this.maybe(this.object(depth)) };
      case 8:
        return { oneOf: [this.schema(depth + 1), this.schema(depth + 1)], ...this.maybe(this.object(depth)) };
      case 9:
        return this.variants();
      default:
        return this.object(depth);
    }
  }

  /** A schema for a component. It is no bare reference: one to itself is none that any document can mean. */
  component(): Json {
    const schema = this.schema(1);
    return "$ref" in schema ? this.component() : schema;
  }

  private object(depth: number): Json {
    const { random } = this;
    const properties = random
      .some(NAMES, 0.6)
      .map((name) => [
        name,
        { ...this.schema(depth + 1), ...this.some({ readOnly: true, writeOnly: true }, 0.08) },
      ]);
    return {
      ...(random.chance(0.8) ? { type: "object" } : {}),
      ...(random.chance(0.9) ? { properties: Object.fromEntries(properties) } : {}),
      ...this.some({
        required: random.some(NAMES, 0.4),
        additionalProperties: random.chance(0.5) ? false : this.schema(depth + 1),
        unevaluatedProperties: false,
        minProperties: 1,
        nullable: true,
        "x-extra": 1,
      }),
    };
  }

  /** The components One and Two by the member that tells them apart, sometimes not quite. */
  private variants(): Json {
    const refs = ["One", "Two"].map((name) => `#/components/schemas/${name}`);
    const mapping = {
      one: refs[0],
      two: refs[1],
      ...this.some({ three: "#/components/schemas/Three" }, 0.15),
    };
    return {
      [this.random.pick(["oneOf", "anyOf"])]: refs.map(($ref) => ({ $ref })),
      discriminator: { propertyName: "kind", ...(this.random.chance(0.9) ? { mapping } : {}) },
      ...this.maybe({ properties: { a: this.schema(3) } }),
    };
  }

  private maybe(members: Json): Json {
    return this.random.chance(0.3) ? members : {};
  }

  /** Each member by chance. */
  private some(members: Json, probability = 0.25): Json {
    return Object.fromEntries(this.random.some(Object.entries(members), probability));
  }

  /** A value that a schema may well have been written for. */
  value(schema: unknown, components: Json, depth = 0): unknown {
    const { random } = this;
    if (depth > 8 || random.chance(0.04)) return random.pick(["x", 1, null, true, [], {}, { a: 1 }]);
    // The cast: schemas are made above.
    const { $ref, type, enum: allowed, const: only, format, ...rest } = schema as Json;
    const inner = (part: unknown) => this.value(part, components, depth + 1);
    if (typeof $ref === "string") return inner(components[$ref.replace(/^.*\//, "")]);
    if (only !== undefined) return only;
    if (Array.isArray(allowed)) return random.pick(allowed);
    const named: Json = {
      date: "2024-02-11",
      "date-time": "2024-02-11T10:00:00Z",
      uuid: "123e4567-e89b-12d3-a456-426614174000",
      uri: "https://example.com/a?b=c",
      email: "a@example.com",
    };
    if (typeof format === "string") return named[format] ?? "YQ==";
    if (type === "string" || Array.isArray(type)) return random.pick(["abc", "ab", "x", "Abcde"]);
    if (type === "number" || type === "integer") return random.pick([1, 2, 3, 1.5]);
    if (type === "boolean") return true;
    if (type === "array") return Array.from({ length: random.below(3) }, () => inner(rest["items"]));
    const one = (list: unknown[]) => (list.length === 0 ? [] : [random.pick(list)]);
    const parts = [...listIn(rest["allOf"]), ...one(listIn(rest["anyOf"])), ...one(listIn(rest["oneOf"]))];
    const values = parts.map(inner);
    const others = values.filter((value) => typeof value !== "object" || value === null);
    if (others.length > 0 && rest["properties"] === undefined) return others[0];
    const own = random.some(Object.entries(Object(rest["properties"])), 0.8);
    const kind = rest["discriminator"] === undefined ? {} : { kind: random.pick(["one", "two", "three"]) };
    const members = Object.fromEntries(own.map(([name, part]) => [name, inner(part)]));
    return Object.assign({}, ...values, members, kind, this.some({ c: 1 }, 0.05));
  }
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

test.each(["3.0.3", "3.1.0"])(
  "what passes unseen in a document of %s passes before Redocly too",
  async (openapi) => {
    const seed = takeSeed();
    const maker = new Maker(new Random(`${seed} examples ${openapi}`));
    const schemas: Json = {
      One: {
        type: "object",
        required: ["kind"],
        properties: { kind: { const: "one" }, a: { type: "string" } },
      },
      Two: { type: "object", properties: { kind: { const: "two" }, b: { type: "integer" } } },
      Three: maker.component(),
      Four: { type: "object", properties: { a: maker.schema(2), b: { $ref: "#/components/schemas/Four" } } },
    };
    const components = { schemas };
    const paths: Record<string, Json> = {};
    for (let index = 0; index < 400; index += 1) {
      const schema = maker.schema();
      const example = maker.value(schema, schemas);
      paths[`/p${index}`] = operationWith({ schema, example }, index % 2 === 0);
    }
    const found = await redoclyOn({ openapi, ...HEAD, components, paths });
    let passed = 0;
    for (const [name, item] of Object.entries(paths)) {
      if (!examplesFit({ openapi, ...HEAD, components, paths: { [name]: item } })) continue;
      passed += 1;
      const shown = `SEED=${seed} ${JSON.stringify({ schemas, item })}`;
      // Where a schema leads to itself at once, in a part that this example never needs, Redocly comes to no judgement.
      const said = found
        .get(name.slice(1))
        ?.filter((text) => !text.startsWith("Example validation errored:"));
      expect(said ?? [], shown).toEqual([]);
    }
    // Otherwise this would say nothing.
    expect(passed).toBeGreaterThan(40);
    expect(found.size).toBeGreaterThan(40);
  },
);

test("the examples of this project pass, and none of a request does with a member too many", async () => {
  const { document } = await loadDocument(path.join(PROJECT, "spec/openapi.yaml"));
  expect(examplesFit(document)).toBe(true);

  let tried = 0;
  const visit = (node: unknown, inRequest: boolean): void => {
    if (!isObject(node)) return;
    const { value, $ref } = node;
    if (inRequest && typeof $ref === "string" && $ref.includes("/examples/"))
      visit(valueAt(document, $ref.slice(1)), true);
    if (inRequest && isObject(value)) {
      tried += 1;
      value["surplus"] = 1;
      expect(examplesFit(document), JSON.stringify(value)).toBe(false);
      delete value["surplus"];
    }
    for (const [key, member] of Object.entries(node)) visit(member, inRequest || key === "requestBody");
  };
  visit(document["paths"], false);
  expect(tried).toBeGreaterThan(10);
  expect(examplesFit(document)).toBe(true);
});

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NUMBER = { schema: { type: "number" } };

test.each<[string, Json, boolean]>([
  ["an example of a media type", { ...NUMBER, example: 1 }, true],
  ["a wrong one", { ...NUMBER, example: "1" }, false],
  ["one by name", { ...NUMBER, examples: { one: { value: 1 } } }, true],
  ["a wrong one by name", { ...NUMBER, examples: { one: { value: 1 }, two: { value: "1" } } }, false],
  ["a shared one", { ...NUMBER, examples: { one: { $ref: "#/components/examples/One" } } }, true],
  ["one that is elsewhere", { ...NUMBER, examples: { one: { $ref: "#/components/examples/Two" } } }, false],
  ["a URL of one", { ...NUMBER, examples: { one: { externalValue: "https://example.com" } } }, true],
  ["one within a schema", { schema: { type: "number", example: 1 } }, true],
  [
    "a wrong one within a schema",
    { schema: { type: "array", items: { type: "number", example: "" } } },
    false,
  ],
  ["a list of them within a schema", { schema: { type: "number", examples: [1, 2] } }, true],
  ["a list with a wrong one", { schema: { type: "number", examples: [1, ""] } }, false],
  [
    "a schema with a keyword that is not known here",
    { schema: { not: { type: "null" } }, example: 1 },
    false,
  ],
  ["the same behind a reference", { schema: { $ref: "#/components/schemas/Odd" }, example: {} }, false],
  ["a schema of no form", { schema: { type: "float" }, example: 1 }, false],
  [
    "a schema that leads to itself at once",
    { schema: { $ref: "#/components/schemas/Self" }, example: 1 },
    false,
  ],
])("examples that pass unseen: %s", (_, mediaType, passes) => {
  const components = {
    examples: { One: { value: 1 } },
    schemas: {
      Odd: { properties: { odd: { if: { type: "number" } } } },
      Self: { allOf: [{ $ref: "#/components/schemas/Self" }] },
    },
  };
  const paths = { "/p": operationWith(mediaType, false) };
  expect(examplesFit({ openapi: "3.1.0", ...HEAD, components, paths })).toBe(passes);
});

test("unions of unions of unions come to an end", () => {
  const names = Array.from({ length: 60 }, (_, index) => `N${index}`);
  const schemas = Object.fromEntries(
    names.map((name, index) => {
      const $ref = `#/components/schemas/N${index + 1}`;
      return [name, index === 59 ? { type: "number" } : { oneOf: [{ $ref }, { $ref, title: "again" }] }];
    }),
  );
  const paths = { "/p": operationWith({ schema: { $ref: "#/components/schemas/N0" }, example: 1 }, false) };
  expect(examplesFit({ openapi: "3.1.0", ...HEAD, components: { schemas }, paths })).toBe(false);
});

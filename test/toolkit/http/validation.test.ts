import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { InvalidRequestError, validate } from "../../../src/http/index.js";
import { describeErrors } from "../../../src/http/validation.js";
import { compileValidator } from "../validators/compiled.js";

const FORMATS = new Map([
  ["uuid", /^[0-9a-f-]{36}$/],
  ["odd", /^$/],
]);

/** Returns the message for an invalid value. */
function getMessage(schema: JsonObject, value: unknown): string {
  const validator = compileValidator(schema, { formats: FORMATS });
  try {
    validate(validator, "body", value);
  } catch (error) {
    if (error instanceof InvalidRequestError && error.reason === "invalid_value") return error.message;
    throw error;
  }
  throw new Error("The value is valid.");
}

describe("each keyword reports the expectation and the actual value", () => {
  test.for<[string, JsonObject, unknown, string]>([
    ["type", { type: "string" }, 1, "body should be a string, instead was `1`."],
    ["types", { type: ["array", "null"] }, "a", 'body should be an array or null, instead was `"a"`.'],
    ["required", { required: ["a"] }, {}, "body.a should be defined, instead was `undefined`."],
    [
      "dependentRequired",
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      "body.b should be defined, instead was `undefined`.",
    ],
    [
      "additionalProperties",
      { additionalProperties: false },
      { a: 1 },
      "body.a should be not present, instead was `1`.",
    ],
    [
      "unevaluatedProperties",
      { unevaluatedProperties: false },
      { a: 1 },
      "body.a should be not present, instead was `1`.",
    ],
    [
      "type",
      { type: "boolean" },
      "9007199254740993",
      'body should be a boolean, instead was `"9007199254740993"`.',
    ],
    [
      "rounded integer",
      { type: "integer" },
      "9007199254740993",
      'body should be an integer within ±9007199254740991, instead was `"9007199254740993"`.',
    ],
    [
      "rounded integer of a nullable type",
      { type: ["integer", "null"] },
      "9007199254740993",
      'body should be an integer or null within ±9007199254740991, instead was `"9007199254740993"`.',
    ],
    [
      "integer in quotes",
      { type: "integer" },
      "9007199254740991",
      'body should be an integer, instead was `"9007199254740991"`.',
    ],
    [
      "propertyNames",
      { propertyNames: { pattern: "^a" } },
      { b: 1 },
      "body.b should be not present, instead was `1`.",
    ],
    ["false", { properties: { a: false } }, { a: 1 }, "body.a should be not present, instead was `1`."],
    ["enum", { enum: ["a", 2] }, "b", 'body should be `"a"`, or `2`, instead was `"b"`.'],
    ["const", { const: { a: 1 } }, 1, 'body should be `{"a":1}`, instead was `1`.'],
    ["format", { format: "uuid" }, "x", 'body should be a valid uuid, instead was `"x"`.'],
    ["unknown format", { format: "odd" }, "x", 'body should be a valid odd, instead was `"x"`.'],
    ["pattern", { pattern: "^a" }, "b", 'body should be a string that matches `^a`, instead was `"b"`.'],
    [
      "contains",
      { contains: { type: "string" } },
      [1],
      "body should be an array with at least 1 of the items described, instead was `[1]`.",
    ],
    [
      "maxContains",
      { contains: {}, minContains: 0, maxContains: 1 },
      [1, 2],
      "body should be an array with at most 1 of the items described, instead was `[1,2]`.",
    ],
    [
      "minContains and maxContains",
      { contains: {}, minContains: 2, maxContains: 3 },
      [1],
      "body should be an array with at least 2 and at most 3 of the items described, instead was `[1]`.",
    ],
    ["minLength", { minLength: 3 }, "😀", "body.length should be ≥ `3`, instead was `1`."],
    ["maxLength", { maxLength: 1 }, "ab", "body.length should be ≤ `1`, instead was `2`."],
    ["minItems", { minItems: 1 }, [], "body.length should be ≥ `1`, instead was `0`."],
    ["maxItems", { maxItems: 1 }, [1, 2], "body.length should be ≤ `1`, instead was `2`."],
    ["minimum", { minimum: 1 }, 0, "body should be ≥ `1`, instead was `0`."],
    ["maximum", { maximum: 1 }, 2, "body should be ≤ `1`, instead was `2`."],
    ["exclusiveMinimum", { exclusiveMinimum: 1 }, 1, "body should be > `1`, instead was `1`."],
    ["exclusiveMaximum", { exclusiveMaximum: 1 }, 1, "body should be < `1`, instead was `1`."],
    ["multipleOf", { multipleOf: 2 }, 3, "body should be a multiple of `2`, instead was `3`."],
    [
      "uniqueItems",
      { uniqueItems: true },
      [1, 1],
      "body should be an array without duplicates, instead was `[1,1]`.",
    ],
    [
      "minProperties",
      { minProperties: 1 },
      {},
      "body should be an object with at least 1 property, instead was `{}`.",
    ],
    [
      "maxProperties",
      { maxProperties: 0 },
      { a: 1 },
      'body should be an object with at most 0 properties, instead was `{"a":1}`.',
    ],
    [
      "not",
      { not: {} },
      1,
      "body should be a value that does not match the schema in `not`, instead was `1`.",
    ],
  ])("%s", ([, schema, value, message]) => {
    expect(getMessage(schema, value)).toBe(`body failed validation: ${message}`);
  });

  test.each([
    ["date", "a valid ISO 8601 date string"],
    ["date-time", "a valid ISO 8601 date-time string"],
    ["email", "a valid email address"],
    ["ipv4", "a valid IPv4 address"],
  ])("the format %s", (format, expected) => {
    const error = { instancePath: "", keyword: "format", params: { format } };
    expect(describeErrors([error], "body", "x")).toContain(`body should be ${expected}, instead was`);
  });

  test("nesting, and no error", () => {
    const error = { instancePath: "", keyword: "nesting", params: {} };
    expect(describeErrors([error], "body", [])).toContain("body should be nested less deeply,");
    expect(describeErrors([], "body", [])).toBe("body failed validation: body is not valid.");
  });

  test("`x-expected` replaces the pattern", () => {
    expect(getMessage({ pattern: "^a", "x-expected": "a word with a" }, "b")).toContain(
      "should be a word with a,",
    );
  });
});

describe("several errors", () => {
  const schema: JsonObject = {
    type: "object",
    required: ["a", "e"],
    properties: {
      a: { type: "integer", minimum: 0 },
      b: { type: "string", minLength: 2, pattern: "^a" },
      c: { type: "array", items: { type: "object", properties: { d: { type: ["integer", "null"] } } } },
      e: { anyOf: [{ type: "string" }, { type: "null" }, { type: "object" }] },
      f: false,
    },
    additionalProperties: false,
  };

  test("are listed, one for each value or keyword", () => {
    const value = { b: "x", c: [1, { d: "y" }, { d: 2 }, []], e: "", f: 0, g: 1 };
    expect(getMessage(schema, value).split("\n")).toEqual([
      "body failed validation: body.a should be defined, instead was `undefined`.",
      "body.g should be not present, instead was `1`.",
      "body.b.length should be ≥ `2`, instead was `1`.",
      'body.b should be a string that matches `^a`, instead was `"x"`.',
      "body.c[0] should be an object, instead was `1`.",
      'body.c[1].d should be an integer or null, instead was `"y"`.',
      "body.c[3] should be an object, instead was `[]`.",
      "body.f should be not present, instead was `0`.",
    ]);
  });

  test("list the expectations of a union last", () => {
    expect(getMessage(schema, { a: -1, e: 1 }).split("\n")).toEqual([
      "body failed validation: body.a should be ≥ `0`, instead was `-1`.",
      "Fix one:",
      "body.e should be a string, instead was `1`.",
      "body.e should be null, instead was `1`.",
      "body.e should be an object, instead was `1`.",
    ]);
  });

  test("list the branches of the first union only", () => {
    const either: JsonObject = { anyOf: [{ type: "string" }, { type: "object", required: ["c"] }] };
    expect(getMessage({ properties: { a: either, b: either } }, { a: 1, b: 1 }).split("\n")).toEqual([
      "body failed validation. Fix one:",
      "body.a should be a string, instead was `1`.",
      "body.a should be an object, instead was `1`.",
    ]);
  });

  test("of the only intended branch of a union are listed like others", () => {
    const union: JsonObject = { anyOf: [{ type: "string" }, schema] };
    expect(getMessage(union, { a: "", e: "", g: 1 }).split("\n")).toEqual([
      "body failed validation: body.g should be not present, instead was `1`.",
      'body.a should be an integer, instead was `""`.',
    ]);
  });

  test("are limited in number", () => {
    const validator = compileValidator({ items: { type: "string" } });
    const value = Array.from({ length: 100_000 }, (_, index) => index);
    expect(validator(value)).toBe(false);
    expect(validator.errors).toHaveLength(1000);
    const lines = getMessage({ items: { type: "string" } }, value.slice(0, 25)).split("\n");
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe("(15 more)");
    expect(
      getMessage({ items: { type: "string" } }, value.slice(0, 11))
        .split("\n")
        .at(-1),
    ).toBe("(1 more)");
    expect(getMessage({ items: { type: "string" } }, value.slice(0, 10)).split("\n")).toHaveLength(10);
  });
});

describe("locations", () => {
  test.for<[string[], string]>([
    [["a", "b"], "body.a.b"],
    [["a b"], 'body["a b"]'],
    [["a/b/c~d~e"], 'body["a/b/c~d~e"]'],
    [["~1"], 'body["~1"]'],
    [["é"], 'body["é"]'],
    [["7a"], 'body["7a"]'],
    [['"'], String.raw`body["\""]`],
    [["$a_1"], "body.$a_1"],
  ])("%s", ([steps, place]) => {
    const schema = steps.reduceRight<JsonObject>((inner, step) => ({ properties: { [step]: inner } }), {
      type: "null",
    });
    const value = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), 1);
    expect(getMessage(schema, value)).toBe(
      `body failed validation: ${place} should be null, instead was \`1\`.`,
    );
  });

  test("contain the index of an item", () => {
    const schema = { properties: { a: { items: { required: ["b"] } } } };
    expect(getMessage(schema, { a: [{ b: 1 }, {}] })).toContain(": body.a[1].b should be defined,");
  });
});

describe("values", () => {
  test("are truncated if they are long", () => {
    const message = getMessage({ type: "null" }, "x".repeat(10_000));
    expect(message).toContain(`\`"${"x".repeat(99)}…\``);
    expect(getMessage({ type: "null" }, "x".repeat(98))).toContain(`\`"${"x".repeat(98)}"\``);
    expect(message.length).toBeLessThan(200);
  });

  test("are truncated between characters", () => {
    const value = "😀".repeat(60);
    expect(getMessage({ type: "null" }, value)).toContain(`\`"${"😀".repeat(49)}…\``);
  });

  test("are truncated in undeclared properties", () => {
    const message = getMessage({ additionalProperties: false }, { a: { b: "y".repeat(10_000) } });
    expect(message.length).toBeLessThan(200);
  });
});

describe("hostile values", () => {
  test.each(["k", "1"])("a long name of the character %s gives a short message", (character) => {
    const value = { [character.repeat(100_000)]: 1 };
    expect(getMessage({ additionalProperties: false }, value).length).toBeLessThan(300);
  });

  test("only the start of a large value is read", () => {
    let read = 0;
    const items = Array.from({ length: 1000 }, () =>
      Object.defineProperty({}, "a", { enumerable: true, get: () => (read += 1) }),
    );
    expect(getMessage({ type: "null" }, items)).toContain('should be null, instead was `[{"a":1},{"a":2}');
    expect(read).toBeLessThan(100);
  });

  test("a long list of values is truncated", () => {
    const values = Array.from({ length: 500 }, (_, index) => `value ${index}`);
    expect(getMessage({ enum: values }, "x")).toContain(", or one of 470 more values, instead was");
    expect(getMessage({ enum: values.slice(0, 30) }, "x")).toContain('"value 29"`, instead was');
    expect(getMessage({ enum: values.slice(0, 31) }, "x")).toContain("`, or one more value, instead was");
  });

  test("bytes are not printed", () => {
    expect(getMessage({ type: "null" }, { bytes: new Uint8Array(1000), blob: new Blob(["a"]) })).toContain(
      'instead was `{"bytes":binary,"blob":binary}`.',
    );
  });
});

describe("unions", () => {
  const schema: JsonObject = { anyOf: [{ type: "string" }, { required: ["b"], type: "object" }] };
  test("list the expectations of each branch instead of the union", () => {
    expect(getMessage(schema, 1)).toBe(
      "body failed validation. Fix one:\nbody should be a string, instead was `1`.\nbody should be an object, instead was `1`.",
    );
  });

  const tag = (kind: string, more: JsonObject): JsonObject => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: kind }, ...more },
  });
  const tagged: JsonObject = {
    oneOf: [tag("cat", { lives: { type: "integer" } }), tag("dog", { barks: { type: "boolean" } })],
  };

  test.each<[unknown, string]>([
    [{ kind: "dog", barks: 1 }, "body.barks should be a boolean, instead was `1`."],
    [{ kind: "cow" }, 'body.kind should be `"cat"`, or `"dog"`, instead was `"cow"`.'],
    [{}, "body.kind should be defined, instead was `undefined`."],
    [[], "body should be an object, instead was `[]`."],
  ])("with a property that names the branch report only this branch: %j", (value, message) => {
    expect(getMessage(tagged, value)).toBe(`body failed validation: ${message}`);
  });

  test("with several such properties report the branch that the discriminator names", () => {
    const dialect = { dialect: "openapi-3.1", pointer: "/components/schemas/S" } as const;
    const oneOf = ["cat", "dog"].map((kind): JsonObject => ({
      ...tag(kind, { breed: { const: `${kind}s` } }),
      required: ["breed", "kind"],
    }));
    const S = { oneOf, discriminator: { propertyName: "kind" } };
    const validator = compileValidator({ openapi: "3.1.0", components: { schemas: { S } } }, dialect);
    expect(validator({ kind: "dog", breed: "none" })).toBe(false);
    expect(validator.errors).toMatchObject([{ instancePath: "/breed", keyword: "const" }]);
  });

  test("with such a property report only this branch also beside a branch without objects", () => {
    const cat = { ...tag("cat", {}), required: ["kind", "lives"] };
    const oneOf = [cat, tag("dog", { barks: { type: "boolean" } }), { type: "string" }];
    expect(getMessage({ oneOf }, { kind: "dog", barks: 1 })).toBe(
      "body failed validation: body.barks should be a boolean, instead was `1`.",
    );
  });

  test("with a discriminator that the branches do not declare report the named branch", () => {
    const document: JsonObject = {
      $defs: { Cat: { required: ["lives"] }, Dog: { required: ["barks"] } },
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
      discriminator: { propertyName: "kind", mapping: { hound: "#/$defs/Dog" } },
    };
    expect(getMessage(document, { kind: "hound" })).toContain(": body.barks should be defined,");
    expect(getMessage(document, { kind: "Cat" })).toContain(": body.lives should be defined,");
    expect(getMessage(document, { kind: "Cow" })).toContain('body.kind should be `"Cat"`, or `"hound"`,');
    expect(getMessage(document, { lives: 1, barks: 1 })).toContain("exactly one schema");
  });

  test("list the closest branch first, and omit branches of another type", () => {
    const branches: JsonObject = {
      anyOf: [
        { type: "array" },
        { type: "object", required: ["x"] },
        { type: "object", properties: { a: { properties: { b: { type: "string" } } } } },
      ],
    };
    expect(getMessage(branches, { a: { b: 1 } })).toBe(
      "body failed validation. Fix one:\nbody.a.b should be a string, instead was `1`.\nbody.x should be defined, instead was `undefined`.",
    );
  });

  test("omit branches whose listed values exclude a property of the value", () => {
    const kinds = (...values: string[]): JsonObject => ({
      properties: { kind: { enum: values }, size: { type: "integer" } },
    });
    expect(getMessage({ anyOf: [kinds("a", "b"), kinds("b", "c")] }, { kind: "a", size: "x" })).toBe(
      'body failed validation: body.size should be an integer, instead was `"x"`.',
    );
  });

  test("list the branch with the deepest of its errors first, also in a union in it", () => {
    const property = (name: string, inner: JsonObject): JsonObject => ({ properties: { [name]: inner } });
    const text = { type: "string" };
    const branches: JsonObject = {
      anyOf: [
        property("a", property("b", text)),
        { anyOf: [property("a", text), property("a", property("c", property("d", text)))] },
      ],
    };
    const locations = getMessage(branches, { a: { b: 1, c: { d: 1 } } }).matchAll(/^body\S+/gm);
    expect([...locations].map(([location]) => location)).toEqual(["body.a.c.d", "body.a", "body.a.b"]);
  });

  test("list a branch with another value of a property that is not directly in the value", () => {
    const inner = { properties: { kind: { const: "b" } } };
    expect(
      getMessage({ anyOf: [{ properties: { a: inner } }, { required: ["c"] }] }, { a: { kind: "d" } }),
    ).toBe(
      'body failed validation. Fix one:\nbody.a.kind should be `"b"`, instead was `"d"`.\nbody.c should be defined, instead was `undefined`.',
    );
  });

  test("in the only intended branch of another union list the expectations of each of their branches", () => {
    const nested: JsonObject = {
      anyOf: [{ type: ["null", "array"] }, { type: ["object", "array"], properties: { a: schema } }],
    };
    expect(getMessage(nested, { a: 1 })).toBe(
      "body failed validation. Fix one:\nbody.a should be a string, instead was `1`.\nbody.a should be an object, instead was `1`.",
    );
  });

  test("with many branches list a few", () => {
    const branches = Array.from({ length: 40 }, (_, index): JsonObject => ({ required: [`p${index}`] }));
    const lines = getMessage({ anyOf: branches }, {}).split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe("(30 more)");
  });

  test("list each message once", () => {
    const same: JsonObject = {
      oneOf: [
        { type: "string", minLength: 1 },
        { type: "string", minLength: 2 },
      ],
    };
    expect(getMessage(same, 1)).toBe("body failed validation: body should be a string, instead was `1`.");
  });

  test("list the expectations of each branch also for the hundredth invalid value", () => {
    const validator = compileValidator(schema, { formats: FORMATS });
    const messages = Array.from({ length: 200 }, () => {
      try {
        validate(validator, "body", 1);
        return "valid";
      } catch (error) {
        return String(error);
      }
    });
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain("body should be an object");
  });

  test.each<[JsonObject[]]>([[[{}, {}]], [[{ type: "number" }, { type: "number" }, { type: "string" }]]])(
    "report several matching branches of oneOf: %j",
    (oneOf) => {
      expect(getMessage({ oneOf }, 1)).toBe(
        "body failed validation: body should be a value that matches exactly one schema in `oneOf`, instead was `1`.",
      );
    },
  );
});

test("a valid value passes", () => {
  expect(() => validate(compileValidator({ type: "string" }), "body", "a")).not.toThrow();
});

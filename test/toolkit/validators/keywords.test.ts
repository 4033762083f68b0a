/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../scripts/json.js";
import { expectCpuTimeBelow } from "../../support/cpu-time.js";
import { compileCode, compileValidator, Refused } from "./compiled.js";

/**
 * A schema with JSON texts of valid and invalid values. These are cases that random.ts, whose schemas are compared with
 * Ajv, does not generate.
 */
type Row = [schema: JsonValue, fits: string[], doesNot: string[]];

const A = '{"a":1}';
const NUMBERS = ["0", "1.5", "-1e3"];
const OTHERS = ['"a"', "true", "null", "[]", "{}"];

const ROWS: Record<string, Row[]> = {
  type: [
    [{ type: "number" }, NUMBERS, [...OTHERS, "1e400", "-1e400"]],
    [{ type: "integer" }, ["1", "1.0", "-0", "1e20"], ["1.5", "1e400", ...OTHERS]],
    [{ type: "array" }, ["[]"], ["{}", '{"length":0}', '"a"']],
  ],
  enum: [
    [{ enum: [] }, [], ["1", "null"]],
    [{ enum: ["a", 1, null] }, ['"a"', "1", "1.0", "null"], ['"b"', "true", '"1"', "0"]],
    [{ enum: [0, false] }, ["0", "-0", "false"], ["[]", '""', "null"]],
    [{ enum: ["a", "b", "c", "d", "e", "f"] }, ['"f"'], ['"g"', "null"]],
    [
      { enum: [{ a: [1, { b: 2 }] }, [1]] },
      ['{"a":[1,{"b":2}]}', "[1.0]"],
      ['{"a":[1,{"b":3}]}', "[1,1]", "1"],
    ],
    [{ enum: [1, 2, 3, 4, 5, [6]] }, ["5", "[6]"], ["6", "[5]"]],
    // The condition is longer than a line, and contains quotes and operators.
    [{ enum: [`${"x".repeat(99)}" && "`, "y"] }, [`"${"x".repeat(99)}\\" && \\""`, '"y"'], ['"x"']],
  ],
  const: [
    [{ const: null }, ["null"], ["0", "false", "{}"]],
    [{ const: { a: 1, b: 2 } }, ['{"b":2,"a":1}'], [A, '{"a":1,"b":2,"c":3}', "[1,2]"]],
    [{ const: [[]] }, ["[[]]"], ["[{}]", "[]"]],
    [{ const: { toString: 1 } }, ['{"toString":1}'], ["{}", '{"valueOf":1}']],
    [JSON.parse('{"const":{"__proto__":1}}'), ['{"__proto__":1}'], ["{}", '{"__proto__":2}']],
  ],
  numbers: [
    [{ minimum: 1 }, ["1", "2", '"0"', "1e400"], ["0.9"]],
    [{ type: "string", minimum: 1 }, ['"0"'], ["2"]],
    [{ maximum: 1 }, ["1", "0", '"2"'], ["1.1", "1e400"]],
    [{ exclusiveMaximum: 1 }, ["0.9"], ["1"]],
    [{ minimum: -0.5, maximum: 0.5 }, ["0", "-0.5"], ["-0.51", "0.51"]],
  ],
  multipleOf: [
    [{ multipleOf: 2 }, ["0", "4", "-2", '"3"', "1e20"], ["3", "0.5"]],
    [
      { multipleOf: 0.01 },
      ["0.07", "1.1", "19.99", "4.35", "1e20", "0", "-8.41"],
      ["0.075", "0.001", "19.999"],
    ],
    [{ multipleOf: 0.01 }, [], ["1e400", "-1e400"]],
    [{ multipleOf: 0.1 }, ["0.3", "1.7", "123456789.7"], ["0.35"]],
    [{ multipleOf: 1e-8 }, ["12391239123", "0.00000001"], ["0.000000001"]],
    [{ multipleOf: 1e-23 }, ["1e-23", "4e-23"], ["1.5e-23"]],
    [{ multipleOf: 1.5 }, ["4.5", "3"], ["4"]],
    [{ type: "integer", multipleOf: 0.123456789 }, ["123456789"], ["1e308", "1"]],
    [{ multipleOf: 1 }, ["3", "1e300"], ["3.5"]],
  ],
  "lengths in code points": [
    [{ maxLength: 0 }, ['""'], ['"a"']],
    [{ minLength: 1 }, ['"a"', String.raw`"\ud83d"`], ['""']],
    [{ minLength: 3, maxLength: 3.0 }, ['"abc"'], ['"ab"', '"abcd"', '"😀a"']],
  ],
  pattern: [
    [{ pattern: "^\\p{Lu}/\\d$" }, ['"Ä/1"'], ['"ä/1"']],
    [{ pattern: "" }, ['"x"'], []],
    [{ pattern: "(", maxLength: 1 }, ['"x"'], ['"xy"']],
    // The hashes in the names of these patterns are the same.
    [{ anyOf: [{ pattern: "^3bk8$" }, { pattern: "^8hma$" }] }, ['"3bk8"', '"8hma"'], ['"x"']],
  ],
  "format is an annotation unless it is asserted": [
    [{ format: "email" }, ['"no"', "1"], []],
    [{ format: "odd" }, ['"odd"', "1"], ['"even"']],
    [{ format: "odd", pattern: "[de]" }, ['"odd"'], ['"even"']],
    [{ format: "odd", enum: ["even"] }, ['"even"'], ['"odd"']],
  ],
  arrays: [
    [{ minContains: 5 }, ["[]"], []],
    [{ contains: { const: 1 }, maxContains: 1 }, ["[1,0]"], ["[1,1]", "[0]"]],
    [{ contains: false }, ["1"], ["[]", "[1]"]],
  ],
  uniqueItems: [
    [
      { uniqueItems: true },
      ["[1,true,0,false,null]", '["1",1]', "[[1],[2]]", '[{"a":1},{"a":2}]'],
      ["[1,1.0]", "[0,-0]", "[[1],[1.0]]"],
    ],
    [
      { uniqueItems: true },
      ['[{"a":{"b":1}},{"a":{"b":[]}}]', '[["1"],[1]]'],
      ['[{"a":1,"b":2},{"b":2,"a":1}]', "[{},{}]", "[[{}],[{}]]"],
    ],
    [
      { uniqueItems: true },
      ['[{"toString":1},{"valueOf":1}]'],
      ['[{"toString":1},{"toString":1}]', '[{"__proto__":1},{"__proto__":1}]'],
    ],
    [{ uniqueItems: false }, ["[1,1]"], []],
  ],
  required: [
    [{ required: [""] }, ['{"":0}'], ["{}"]],
    [{ required: ["__proto__"] }, ['{"__proto__":1}'], ["{}"]],
    [
      { required: ["toString", "constructor"] },
      ['{"toString":1,"constructor":null}'],
      ["{}", '{"toString":1}'],
    ],
    [
      { dependentRequired: { constructor: ["toString"] } },
      ["{}", '{"constructor":1,"toString":1}'],
      ['{"constructor":1}'],
    ],
  ],
  properties: [
    [
      { properties: { "a b": { type: "null" }, "": { type: "null" } } },
      ['{"a b":null}'],
      ['{"a b":1}', '{"":1}'],
    ],
    [
      { properties: { toString: { type: "null" }, constructor: { type: "null" } } },
      ["{}", '{"toString":null}'],
      ['{"toString":1}', '{"constructor":1}'],
    ],
    [
      JSON.parse('{"properties":{"__proto__":{"type":"null"}}}'),
      ["{}", '{"__proto__":null}'],
      ['{"__proto__":1}'],
    ],
    [{ additionalProperties: false }, ["{}"], [A, '{"__proto__":1}']],
    [
      {
        additionalProperties: false,
        properties: Object.fromEntries("abcdefghij".split("").map((name) => [name, {}])),
      },
      ['{"a":1,"j":1}'],
      ['{"k":1}'],
    ],
    [{ patternProperties: { "^.$": false } }, ['{"ab":1}'], ['{"😀":1}']],
    // Any property could match a pattern that cannot be checked.
    ...["additionalProperties", "unevaluatedProperties"].map((keyword): Row => [
      {
        properties: { a: { type: "null" } },
        patternProperties: { "[": false, "^c": false },
        [keyword]: false,
      },
      ['{"a":null,"b":1}'],
      ['{"a":1}', '{"c":1}'],
    ]),
    [
      {
        anyOf: [{ patternProperties: { "[": {} }, required: ["a"] }, true],
        unevaluatedProperties: false,
      },
      ['{"a":1,"b":1}'],
      ['{"b":1}'],
    ],
    [{ propertyNames: { enum: ["a", "__proto__"] } }, [A, '{"__proto__":1}'], ['{"b":1}']],
  ],
  composition: [
    [{ oneOf: [{ type: ["string", "null"] }, { type: "null" }] }, ['"a"'], ["null"]],
    [{ then: false, else: false }, ["1"], []],
    [{ if: { minimum: 5 }, then: { multipleOf: 5 } }, ["10", "3"], ["6"]],
    [{ if: { minimum: 5 }, else: { multipleOf: 2 } }, ["6.5", "4"], ["3"]],
    [{ dependentSchemas: { toString: false } }, ["{}", A], ['{"toString":1}']],
  ],
  "unions with a discriminating property": [
    [
      {
        oneOf: [
          {
            type: "object",
            required: ["kind", "a"],
            properties: { kind: { const: "a" }, a: { type: "null" } },
          },
          {
            type: "object",
            required: ["kind"],
            properties: { kind: { enum: ["b", 3] } },
            additionalProperties: false,
          },
        ],
      },
      ['{"kind":"a","a":null,"c":1}', '{"kind":"b"}', '{"kind":3}'],
      [
        '{"kind":"a"}',
        '{"kind":"a","a":1}',
        '{"kind":"b","c":1}',
        '{"kind":"c"}',
        "{}",
        "[]",
        "null",
        '"a"',
        '{"kind":"3"}',
      ],
    ],
    [
      {
        anyOf: [
          { type: "object", properties: { kind: { const: "a" } } },
          { type: "object", properties: { kind: { const: "b" } } },
        ],
      },
      ["{}", '{"kind":"a"}', '{"kind":"b"}'],
      ['{"kind":"c"}', "1"],
    ],
    [
      {
        anyOf: [
          { required: ["kind"], properties: { kind: { const: "a" } } },
          { required: ["kind"], properties: { kind: { const: "b" } } },
        ],
      },
      ['{"kind":"a"}', '{"kind":"b"}', "1", "null"],
      ['{"kind":"c"}', "{}"],
    ],
    [
      {
        oneOf: [
          { type: "object", required: ["toString"], properties: { toString: { const: "a" } } },
          { type: "object", required: ["toString"], properties: { toString: { const: "b" } } },
        ],
      },
      ['{"toString":"a"}', '{"toString":"b"}'],
      ["{}", '{"toString":"c"}'],
    ],
    [
      {
        $defs: {
          base: { type: "object", required: ["t"] },
          a: { allOf: [{ $ref: "#/$defs/base" }, { properties: { t: { const: 1 } } }] },
        },
        oneOf: [
          {
            oneOf: [
              { $ref: "#/$defs/a" },
              { $ref: "#/$defs/base", properties: { t: { const: 2 }, x: { type: "null" } } },
            ],
          },
          { type: "object", required: ["t"], properties: { t: { enum: [true, null] } } },
        ],
      },
      ['{"t":1}', '{"t":2}', '{"t":true}', '{"t":null}', '{"t":1.0}'],
      ['{"t":3}', '{"t":2,"x":1}', "{}", "1"],
    ],
  ],
  unevaluatedProperties: [
    [
      {
        if: { properties: { a: { const: 1 } }, required: ["a"] },
        then: { properties: { b: {} } },
        else: { properties: { c: {} } },
        unevaluatedProperties: false,
      },
      ['{"a":1,"b":1}', '{"c":1}'],
      ['{"a":1,"c":1}', '{"b":1}'],
    ],
    [
      {
        properties: { toString: {}, '"': {} },
        anyOf: [{ properties: { a: {} } }, {}],
        unevaluatedProperties: false,
      },
      ['{"toString":1,"a":1,"\\"":1}'],
      ['{"constructor":1}', '{"__proto__":1}'],
    ],
  ],
  unevaluatedItems: [
    [{ prefixItems: [true], unevaluatedItems: false }, ["[1]", "{}"], ["[1,2]"]],
    [{ items: true, unevaluatedItems: false }, ["[1,2]"], []],
    [{ contains: { const: 1 }, unevaluatedItems: false }, ["[1,1]"], ["[1,2]", "[]"]],
    [
      {
        anyOf: [{ prefixItems: [true, { const: 2 }] }, { prefixItems: [true] }],
        unevaluatedItems: { type: "null" },
      },
      ["[1,2]", "[1,null,null]"],
      ["[1,3]", "[1,2,3]"],
    ],
    [
      { allOf: [{ prefixItems: [true, true] }], prefixItems: [true], unevaluatedItems: false },
      ["[1,2]"],
      ["[1,2,3]"],
    ],
    [
      { allOf: [{ prefixItems: [true] }], prefixItems: [true, true], unevaluatedItems: false },
      ["[1,2]"],
      ["[1,2,3]"],
    ],
  ],
  references: [
    [
      { properties: { a: { $ref: "#" } }, additionalProperties: false },
      ['{"a":{"a":{}}}'],
      ['{"a":{"b":1}}'],
    ],
    [{ $defs: { "a/b~c%": { type: "null" } }, $ref: "#/$defs/a~1b~0c%25" }, ["null"], ["1"]],
    [{ $defs: { a: { $anchor: "here", type: "null" } }, $ref: "#here" }, ["null"], ["1"]],
    [
      {
        $defs: { a: { $id: "other.json", $defs: { b: { type: "null" } }, $ref: "#/$defs/b" } },
        $ref: "other.json",
      },
      ["null"],
      ["1"],
    ],
    [
      {
        $id: "https://a.test/root",
        $ref: "list",
        $defs: {
          foo: { $dynamicAnchor: "items", type: "string" },
          list: {
            $id: "list",
            items: { $dynamicRef: "#items" },
            $defs: { items: { $dynamicAnchor: "items" } },
          },
        },
      },
      ['["a"]'],
      ["[1]"],
    ],
  ],
  "schemas that refer to themselves for the same value": [
    [{ $ref: "#" }, ["1"], []],
    [
      {
        $defs: {
          pet: { required: ["a"], oneOf: [{ $ref: "#/$defs/cat" }] },
          cat: { allOf: [{ $ref: "#/$defs/pet" }, { required: ["b"] }] },
        },
        $ref: "#/$defs/cat",
      },
      ['{"a":1,"b":1}'],
      [A, '{"b":1}'],
    ],
    [
      {
        $defs: {
          pet: { required: ["a"], oneOf: [{ $ref: "#/$defs/cat" }] },
          cat: { allOf: [{ $ref: "#/$defs/pet" }, { required: ["b"] }] },
        },
        $ref: "#/$defs/pet",
      },
      ['{"a":1,"b":1}'],
      [A, '{"b":1}'],
    ],
  ],
};

const FORMATS = new Map([["odd", /^odd$/]]);

describe.each(Object.entries(ROWS))("%s", (_, rows) => {
  test.each(rows.map((row) => [JSON.stringify(row[0]).slice(0, 100), row] as const))("%s", (__, row) => {
    const [schema, fits, doesNot] = row;
    const validate = compileValidator(schema, { formats: FORMATS });
    const verdict = (text: string): string => `${text} ${validate(JSON.parse(text))}`;
    expect([...fits, ...doesNot].map(verdict)).toEqual([
      ...fits.map((text) => `${text} true`),
      ...doesNot.map((text) => `${text} false`),
    ]);
  });
});

describe("a schema that cannot be compiled is refused with location and reason", () => {
  test.each<[JsonValue, string]>([
    [{ items: { $ref: "#/nowhere" } }, "#/items/$ref: $ref leads nowhere: #/nowhere"],
    [{ $ref: "https://elsewhere.test/schema" }, "#/$ref: $ref leads nowhere: https://elsewhere.test/schema"],
    [{ type: "text" }, '#/type: type cannot be "text"'],
    [{ type: [] }, "#/type: type must name at least one type"],
    [{ minimum: "1" }, '#/minimum: minimum must be a number, not "1"'],
    [{ maxLength: 1.5 }, "#/maxLength: maxLength must be a non-negative integer, not 1.5"],
    [{ minimum: "x".repeat(59) }, `minimum must be a number, not "${"x".repeat(59)}…`],
    [{ multipleOf: 0 }, "#/multipleOf: multipleOf must be more than 0, not 0"],
    [{ required: "a" }, '#/required: required must be a list of names, not "a"'],
    [{ required: "" }, '#/required: required must be a list of names, not ""'],
    [{ required: ["a", 1] }, '#/required: required must be a list of names, not ["a",1]'],
    [{ dependentRequired: { a: false } }, "dependentRequired must be a list of names, not false"],
    [{ minimum: null }, "#/minimum: minimum must be a number, not null"],
    [{ enum: null }, "#/enum: enum must be a list, not null"],
    [{ minLength: -1 }, "#/minLength: minLength must be a non-negative integer, not -1"],
    [{ properties: [] }, "#/properties: properties must be an object, not []"],
    [{ properties: null }, "#/properties: properties must be an object, not null"],
    [{ anyOf: [] }, "#/anyOf: anyOf must be a list of schemas, not []"],
    [{ anyOf: {} }, "#/anyOf: anyOf must be a list of schemas, not {}"],
    [{ type: null }, "#/type: type cannot be null"],
    [{ not: 1 }, "#/not: a schema must be an object, not 1"],
    [
      { $schema: "https://elsewhere.test/dialect" },
      '#: the dialect "https://elsewhere.test/dialect" is not known',
    ],
  ])("%j", (schema, message) => {
    expect(() => compileValidator(schema)).toThrow(Refused);
    expect(() => compileValidator(schema)).toThrow(message);
  });

  test("all problems are reported together", () => {
    const schema: JsonValue = {
      $defs: { a: { type: "x" }, b: { type: "y" } },
      allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
    };
    expect(() => compileValidator(schema)).toThrow(/#\/\$defs\/[ab].*\n.*#\/\$defs\/[ab]/);
  });

  test("data and unknown keywords can be anything", () => {
    const schema: JsonValue = {
      default: { pattern: "(" },
      examples: [{ $ref: "#/x" }],
      const: { type: "x" },
      "x-more": { $ref: "#/x" },
    };
    expect(compileValidator(schema)({ type: "x" })).toBe(true);
  });
});

describe("hostile values", () => {
  test("nesting that would overflow the stack is refused with a reason", () => {
    const validate = compileValidator({ items: { $ref: "#" }, additionalProperties: { $ref: "#" } });
    const deep: unknown = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
    expect(validate(deep)).toBe(false);
    expect(validate.errors).toEqual([{ instancePath: "", keyword: "nesting", params: {} }]);
    expect(validate([[]])).toBe(true);
    expect(validate.errors).toBe(null);
  });

  test("many similar items are distinguished without comparing all pairs", () => {
    const validate = compileValidator({ uniqueItems: true });
    expect(validate(Array.from({ length: 200_000 }, (_, index) => ({ index })))).toBe(true);
  });

  test("unions in unions give a limited number of reasons", () => {
    const branch = (name: string): JsonValue => ({ properties: { [name]: { $ref: "#" } }, required: [name] });
    const validate = compileValidator({ anyOf: ["a", "b", "c", "d", "e"].map(branch) });
    let value: unknown = {};
    for (let depth = 0; depth < 6; depth += 1) value = { a: value, b: value, c: value };
    expect(validate(value)).toBe(false);
    expect(JSON.stringify(validate.errors).length).toBeLessThan(100_000);
  });

  describe("recursive schemas with branches for the same properties need linear time", () => {
    const SETTINGS = { dialect: "openapi-3.1", pointer: "/components/schemas/Self" } as const;
    const to = (name = ""): JsonObject => ({ $ref: `#/components/schemas/${name}` });
    const self = to("Self");
    const createBranch = (name: string, more: JsonObject = {}): JsonObject => ({
      type: "object",
      properties: { [name]: { type: "integer" }, kind: { type: "string" }, next: self },
      additionalProperties: false,
      ...more,
    });
    const discriminator = { propertyName: "kind" };
    const createUnion = (more?: JsonObject): JsonObject => ({
      Self: { oneOf: [to("A"), to("B")], discriminator },
      A: createBranch("a", more),
      B: createBranch("b", more),
    });
    test.each<[string, JsonObject]>([
      ["anyOf", { Self: { anyOf: [createBranch("a"), createBranch("b")] } }],
      ["oneOf with a discriminator", createUnion()],
      ["oneOf with a discriminator, which its branches extend", createUnion({ allOf: [self] })],
      ["if", { Self: { if: createBranch("b"), then: false, else: createBranch("a") } }],
      ["allOf", { Self: { allOf: [to("A")], properties: { next: self } }, A: createBranch("a") }],
      ["two members of allOf", { Self: { allOf: [createBranch("a"), createBranch("a")] } }],
      [
        "schemas that extend each other",
        Object.fromEntries(
          ["Self", "A", "B", "C", "D"].map((name, index, names) => [
            name,
            {
              properties: { next: to(name), a: { type: "integer" } },
              ...(index < 4 ? { allOf: [to(names[index + 1])] } : {}),
            },
          ]),
        ),
      ],
      [
        "a property in another one",
        {
          Self: { allOf: [createBranch("a")], properties: { next: { properties: { next: self } } } },
        },
      ],
      ["patternProperties", { Self: createBranch("a", { patternProperties: { "^next$": self } }) }],
    ])("%s", async (_, schemas) => {
      const validate = compileValidator({ components: { schemas } }, SETTINGS);
      const last: JsonObject = { kind: "A", a: 1 };
      let value = last;
      for (let depth = 0; depth < 200; depth += 1) value = { kind: "A", a: 1, next: value };
      await expectCpuTimeBelow(1_000, () => {
        last.a = 1;
        expect(validate(value)).toBe(true);
        last.a = "text";
        expect(validate(value)).toBe(false);
      });
    });

    test.each<["allOf" | "anyOf" | "oneOf", boolean]>([
      ["allOf", true],
      ["anyOf", true],
      ["oneOf", false],
    ])("a chain of schemas that contain the next one twice in %s", async (keyword, matchesBoth) => {
      const refer = (index: number, name: string): JsonObject => ({
        properties: { [name]: { type: "string" } },
        $ref: `#/$defs/${index + 1}`,
      });
      const links = Array.from({ length: 30 }, (_, index): [string, JsonValue] => [
        String(index),
        { [keyword]: [refer(index, `a${index}`), refer(index, `b${index}`)] },
      ]);
      const last = { type: "object", required: ["x"], properties: { x: { type: "string" } } };
      const $defs = { ...Object.fromEntries(links), 30: last };
      const validate = compileValidator({ $defs, $ref: "#/$defs/0", unevaluatedProperties: false });
      await expectCpuTimeBelow(2_000, () => {
        expect(validate({ x: "text", a29: "text", b0: "text" })).toBe(matchesBoth);
        expect(validate({ x: "text", c: "text" })).toBe(false);
        expect(validate({ x: "text", b29: 1 })).toBe(false);
        expect(validate({ x: 1 })).toBe(false);
      });
    });

    test("the errors of a large value in a union of other types", async () => {
      const anyOf: JsonObject[] = [
        { type: "object", additionalProperties: self },
        { type: "array", items: self },
        { type: "string" },
      ];
      const validate = compileValidator({ components: { schemas: { Self: { anyOf } } } }, SETTINGS);
      let value: JsonValue = [...Array.from({ length: 60_000 }, () => []), 1];
      for (let depth = 0; depth < 1000; depth += 1) value = [value];
      await expectCpuTimeBelow(350, () => expect(validate(value)).toBe(false));
    });
  });

  test("a text that is certainly too long is not matched against a pattern, which could take the square of its length", () => {
    const validate = compileValidator({ type: "string", maxLength: 2, pattern: "^a*$" });
    const listKeywords = (value: string): string[] => {
      validate(value);
      return (validate.errors ?? []).map(({ keyword }) => keyword);
    };
    expect(listKeywords("aa")).toEqual([]);
    expect(listKeywords("😀b")).toEqual(["pattern"]);
    expect(listKeywords("bbbb")).toEqual(["maxLength", "pattern"]);
    expect(listKeywords("bbbbb")).toEqual(["maxLength"]);
  });

  test("members named like methods are ordinary values", () => {
    const validate = compileValidator({ enum: [{ a: 1 }], uniqueItems: true });
    expect(validate(JSON.parse('{"toString":1,"valueOf":1,"hasOwnProperty":1,"length":-1}'))).toBe(false);
  });
});

describe("unevaluatedProperties next to many schemas", () => {
  /** Creates a schema that applies the first of several schemas, each of which applies the next one. */
  const createChain = (length: number, apply: (next: JsonValue) => JsonValue, last: JsonValue): JsonValue => {
    const refer = (index: number): JsonValue => ({ $ref: `#/$defs/${index}` });
    const links = Array.from({ length }, (_, index): [string, JsonValue] => [
      String(index),
      apply(refer(index + 1)),
    ]);
    const $defs = { ...Object.fromEntries(links), [length]: last };
    return { $defs, allOf: [refer(0)], unevaluatedProperties: false };
  };
  const last: JsonValue = { properties: { a: true } };

  test("takes linear time if each of them applies the next one twice", () => {
    const validate = compileValidator(createChain(14, (next) => ({ allOf: [next, next] }), last));
    expect([validate({ a: 1 }), validate({ b: 1 })]).toEqual([true, false]);
    expect(compileCode(createChain(60, (next) => ({ allOf: [next, next] }), last)).code).toContain('"a"');
  });

  test.each<[string, JsonValue, (next: JsonValue) => JsonValue]>([
    ["allOf", last, (next) => ({ allOf: [next] })],
    ["oneOf", last, (next) => ({ oneOf: [next] })],
    ["allOf with a union at the end", { anyOf: [last, {}] }, (next) => ({ allOf: [next] })],
  ])("allows a chain of thousands with %s", (_, end, apply) => {
    expect(compileCode(createChain(9000, apply, end)).code).toContain("function");
  });
});

test("uniqueItems compares many objects with any order of keys", () => {
  const validate = compileValidator({ uniqueItems: true });
  const items = Array.from({ length: 40 }, (_, id) => ({ id, tags: { a: 1, b: 2 } }));
  expect(validate(items)).toBe(true);
  expect(validate([...items, { tags: { b: 2, a: 1 }, id: 39 }])).toBe(false);
  expect(validate([...items, JSON.parse('{"id":1e400}'), { id: null }])).toBe(true);
});

test.each<[JsonValue, unknown]>([
  [
    {
      anyOf: [{ properties: { a: { type: "string" } } }, { maxProperties: 0 }],
      unevaluatedProperties: false,
    },
    { a: 1 },
  ],
  [{ anyOf: [{ prefixItems: [{ type: "string" }] }, { maxItems: 0 }], unevaluatedItems: false }, [1]],
])("errors include no unevaluated members after a branch that failed: %j", (schema, value) => {
  const validate = compileValidator(schema);
  expect(validate(value)).toBe(false);
  expect(validate.errors?.map(({ keyword }) => keyword)).toEqual(["anyOf"]);
});

test("a property tells branches apart if several of them allow objects", () => {
  const object = { type: "object", properties: { a: { const: 1 } }, required: ["a", "b"] };
  const validate = compileValidator({ anyOf: [{ type: "string" }, object] });
  expect(validate({ a: 1 })).toBe(false);
  expect(validate.errors).toMatchObject([{ keyword: "anyOf", branches: [[{}], [{ keyword: "required" }]] }]);
  const other = { type: "object", properties: { a: { const: 2 } } };
  const tagged = compileValidator({ anyOf: [{ type: "string" }, object, other] });
  expect(tagged({ a: 1 })).toBe(false);
  expect(tagged.errors).toMatchObject([{ keyword: "required" }]);
});

test("the error of a branch that a property selects does not end the check of the object around it", () => {
  const branches = ["x", "y"].map((kind) => ({
    properties: { kind: { const: kind }, n: { type: "number" } },
  }));
  const union = { type: "object", required: ["kind"], oneOf: branches };
  const validate = compileValidator({ properties: { a: union, b: union, c: { type: "string" } } });
  expect(validate({ a: { kind: "x", n: "" }, b: { kind: "z" }, c: 1 })).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toEqual(["/a/n", "/b/kind", "/c"]);
});

test.each(["unevaluatedItems", "unevaluatedProperties"])(
  "%s that allows every value needs no loop",
  (keyword) => {
    const branches: JsonValue = [{ properties: { a: true }, prefixItems: [true] }, { required: ["b"] }];
    expect(compileCode({ anyOf: branches, [keyword]: true }).code).not.toMatch(/(?:index|key)1/);
  },
);

test("contains declares no variable for items", () => {
  expect(compileCode({ contains: { type: "string" } }).code).not.toContain("value1");
});

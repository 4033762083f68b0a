import { writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { MAX_REFERENCE_HOPS } from "../../../../scripts/follow-pointer.js";
import { ReferenceResolver } from "../../../../scripts/load/references/reference-resolver.js";
import { SourceText } from "../../../../scripts/load/text/source-text.js";
import { formatDiagnosticIn } from "../../../../scripts/print-diagnostics.js";
import { createFolder, EMPTY, getErrors, HEAD, listDiagnostics } from "../documents.js";

it.each([
  ["https://example.test/api/openapi.yaml#/components/schemas/M"],
  ["openapi.yaml#/components/schemas/M"],
  ["../api/openapi.yaml#/components/schemas/M"],
])("resolves the reference %s against $self", async (ref) => {
  const head = EMPTY.replace(/3\.[01]\.\d/, "3.2.0");
  const folder = await createFolder({
    "main.yaml": `${head}$self: https://example.test/api/openapi.yaml\ncomponents: {schemas: {A: {$ref: "${ref}"}, M: {type: string}}}\n`,
  });
  const { document } = await loadDocument(path.join(folder, "main.yaml"));
  expect(document).toMatchObject({ components: { schemas: { A: { $ref: "#/components/schemas/M" } } } });
});

it("resolves a reference in an embedded schema against the URI of the schema, not against $self", async () => {
  const schema = '{$id: "https://other.test/a", $ref: "openapi.yaml#/components/schemas/M"}';
  const folder = await createFolder({
    "main.yaml": `${EMPTY.replace(/3\.[01]\.\d/, "3.2.0")}$self: https://example.test/openapi.yaml\ncomponents: {schemas: {A: ${schema}, M: {type: string}}}\n`,
  });
  expect((await getErrors(loadDocument(path.join(folder, "main.yaml")))).length).toBeGreaterThan(0);
});

it("decodes the pointer of a reference", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "#/components/schemas/B%2EC"}, B.C: {}}}\n`,
  });
  expect((await loadDocument(path.join(folder, "openapi.yaml"))).warnings).toEqual([]);
});

it("allows a schema to be named like the mapping of a discriminator", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {mapping: {title: None}}}\n`,
  });
  expect((await loadDocument(path.join(folder, "openapi.yaml"))).warnings).toEqual([]);
});

it.each(["3.1.0", "3.2.0"])(
  "keeps keywords beside a reference to the file of a component in %s",
  async (version) => {
    const schemas = `
    Dog: {$ref: Pet.yaml, required: [name]}
    Pet: {$ref: ./Pet.yaml, description: A pet., required: [id], allOf: [{minProperties: 1}]}
    Plain: {$ref: Plain.yaml}
`;
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY.replace("3.0.3", version)}components:\n  schemas:${schemas}`,
      "Pet.yaml": 'properties: {parent: {$ref: "#"}}\n',
      "Plain.yaml": "type: string\n",
    });
    const { document, locate } = await loadDocument(path.join(folder, "openapi.yaml"));
    const reference = { $ref: "#/components/schemas/Pet-2" };
    expect(document["components"]).toEqual({
      schemas: {
        Dog: { allOf: [reference], required: ["name"] },
        Pet: { allOf: [reference, { minProperties: 1 }], description: "A pet.", required: ["id"] },
        "Pet-2": { properties: { parent: reference } },
        Plain: { type: "string" },
      },
    });
    expect(locate("/components/schemas/Pet/required")).toMatchObject({ line: 7, col: 50 });
    expect(locate("/components/schemas/Dog/allOf/0/$ref")).toMatchObject({ line: 6, col: 11 });
  },
);

it("follows up to MAX_REFERENCE_HOPS references", async () => {
  const loadChain = async (length: number) => {
    const links = Array.from(
      { length },
      (_, index) => `S${index}: {$ref: "#/components/schemas/S${index + 1}"}, `,
    );
    const schemas = `{${links.join("")}S${length}: {type: string}}`;
    const folder = await createFolder({ "openapi.yaml": `${EMPTY}components: {schemas: ${schemas}}\n` });
    return loadDocument(path.join(folder, "openapi.yaml"));
  };
  expect((await loadChain(MAX_REFERENCE_HOPS)).warnings).toEqual([]);
  expect(await getErrors(loadChain(MAX_REFERENCE_HOPS + 1))).not.toEqual([]);
});

describe("reports one error per mistake", () => {
  it("for a circular reference between whole files", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "a.yaml#"}}}\n`,
      "a.yaml": "$ref: 'b.yaml#'\n",
      "b.yaml": "$ref: 'a.yaml#'\n",
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The \$ref "[ab]\.yaml#" leads back to itself/),
    ]);
  });

  it("for a reference to a file in `content`", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${HEAD}paths: {/a: {get: {responses: {"200": {description: a, content: {$ref: content.yaml}}}}}}\n`,
      "content.yaml": "application/json: {schema: {type: string}}\n",
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map(({ message }) => message)).toEqual([
      "`content` cannot be a reference. Write its members, which can be references.",
    ]);
  });

  it("for a circular reference with an encoded `~1`", async () => {
    const schemas = '{A: {$ref: "#/components/schemas/a%7E1b"}, a/b: {$ref: "#/components/schemas/A"}}';
    expect(await listDiagnostics(`${EMPTY}components: {schemas: ${schemas}}\n`)).toEqual([
      expect.stringMatching(/^4:34 The \$ref "#\/components\/schemas\/a%7E1b" leads back to itself/),
    ]);
  });

  it("for a circular reference with many slashes", async () => {
    const ref = `#/${"/".repeat(500)}components/schemas/A`;
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "${ref}"}}}\n`,
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnosticIn(folder, problem)).join("\n")).toMatch(
      /openapi\.yaml:4:34 {2}error {2}The \$ref "[^"]*" leads back to itself/,
    );
  });

  it("for a circular reference between files in another folder", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "models/a.yaml#/A"}}}\n`,
      "models/a.yaml": "A: {$ref: 'b.yaml#/B'}\n",
      "models/b.yaml": "B: {$ref: 'a.yaml#/A'}\n",
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnosticIn(folder, problem)).join("\n")).toMatch(
      /models\/a\.yaml:1:\d+ {2}error {2}The \$ref "b\.yaml#\/B" leads back to itself/,
    );
  });

  it("for a circular reference between anchors of another file", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "a.yaml#a"}}}\n`,
      "a.yaml": "A: {$anchor: a, $ref: '#b'}\nB: {$anchor: b, $ref: '#a'}\n",
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The \$ref "#\/[AB]" leads back to itself/),
    ]);
  });

  it.each([
    ['B: {$ref: "#/components/schemas/A"}', '"#/components/schemas/B" leads back to itself'],
    [
      "B: {allOf: [{$ref: ‘#/components/schemas/A’}]}",
      'it is read as the name of a file. Write "#/components/schemas/A".',
    ],
    ['B: {allOf: [{$ref: "A"}]}', 'it is read as the name of a file. Write "#/components/schemas/A".'],
    ['B: {allOf: [{$ref: "#components/schemas/A"}]}', 'a slash after the #. Write "#/components/schemas/A".'],
    ['B: {allOf: [{$ref: "/components/schemas/A"}]}', 'Write "#/components/schemas/A".'],
    ['B: {allOf: [{$ref: "components/schemas/A"}]}', 'Write "#/components/schemas/A".'],
    ["B: {allOf: [{$ref: }]}", "`$ref` is empty. Write it in quotes"],
    ['B: {allOf: [{$ref: "#/components/responses/X"}]}', '"#/components/responses/X": nothing is there.'],
  ])("for the reference in %j", async (schema, message) => {
    const text = `${EMPTY}components: {schemas: {O: {$ref: "#/components/schemas/A"}, A: {$ref: "#/components/schemas/B"}, ${schema}}}\n`;
    expect(await listDiagnostics(text)).toEqual([expect.stringContaining(message)]);
  });

  it("for a discriminator value without a schema", async () => {
    const schema = "{A: {discriminator: {propertyName: a, mapping: {b: None}}}}";
    const folder = await createFolder({ "openapi.yaml": `${EMPTY}components: {schemas: ${schema}}\n` });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toEqual([
      'Can\'t resolve mapping "#/components/schemas/None": nothing is there. Correct it or add what it names.',
    ]);
  });

  it.each([
    ["#/components/schemas/Pets", 'Did you mean "#/components/schemas/Pet"?'],
    ["#/definitions/Pet", 'Did you mean "#/components/schemas/Pet"?'],
    ["#/components.schemas.Pet", 'Did you mean "#/components/schemas/Pet"?'],
    ["#/components/schemas.Pet", 'Did you mean "#/components/schemas/Pet"?'],
    ["#/components.schemas.Pets", 'Did you mean "#/components/schemas/Pet"?'],
    ["#/components.schemas.Dog", "Correct it or add what it names."],
    ["#/definitions/Dog", "Correct it or add what it names."],
  ])("for a reference to a missing target: %s", async (ref, remedy) => {
    const problems = await listDiagnostics(
      `${EMPTY}components: {schemas: {Pet: {}, A: {items: {$ref: "${ref}"}}}}\n`,
    );
    expect(problems).toEqual([expect.stringMatching(/Can't resolve \$ref "[^"]*": nothing is there\. /)]);
    expect(problems[0]?.endsWith(remedy)).toBe(true);
  });

  describe.each([
    ["a document that refers to itself", ""],
    ["a document to bundle", "U: {$ref: '#/components/schemas/U1/items'}, U1: {items: {type: string}}, "],
  ])("in %s", (_, extra) => {
    const uses = ["A", "B", "A"].map((name) => `{$ref: "#/components/schemas/${name}"}`).join(", ");
    const path = `paths: {/a: {post: {requestBody: {content: {a/b: {schema: {allOf: [${uses}]}}}}, responses: {"200": {description: a}}}}}`;

    it.each([
      [
        "component: {schemas: {EXTRA}}",
        ["4:1 Property `component` is not expected here. Did you mean `components`?"],
      ],
      [
        "components: {schema: {EXTRA}}",
        ["4:14 Property `schema` is not expected here. Did you mean `schemas`?"],
      ],
      [
        "components: {schemas: }",
        ["4:14 `schemas` has no value. Write its members below it, indented deeper, or remove it."],
      ],
      ['components: {schemas: "none"}', ['4:23 `schemas` must be an object, not "none".']],
      [
        "components: {schemas: {EXTRAC: {}}}",
        [
          expect.stringMatching(
            /^3:.*schemas\/A": nothing is there\. .* The same is true of another reference\.$/,
          ),
          expect.stringMatching(/^3:.*schemas\/B": nothing is there\. Correct it or add what it names\.$/),
        ],
      ],
      [
        'components: {schemas: {EXTRAA: {$ref: "#/components/schemas/B"}, B: {$ref: "#/components/schemas/D"}}}',
        [expect.stringMatching(/^4:.*schemas\/D": nothing is there\./)],
      ],
    ])("once for all references with the same cause: %s", async (components, expected) => {
      const text = `${HEAD}${path}\n${components.replace("EXTRA", extra)}\n`;
      expect(await listDiagnostics(text)).toEqual(expected);
    });
  });

  it("by the mistake in the path that they lead through", async () => {
    const operations = `get: {response: {"200": {description: a}}}, post: {responses: {"200": {$ref: "#/paths/~1a~0b/get/responses/200"}}}`;
    expect(await listDiagnostics(`${HEAD}paths: {/a~b: {${operations}}}\n`)).toEqual([
      "3:22 Property `response` is not expected here. Did you mean `responses`?",
    ]);
  });

  it("as an error, if only the first of the references is a hint", async () => {
    const examples = '{A: {$ref: "#/components/examples/B"}}';
    const schemas = '{A: {$ref: "#/components/examples/B"}}';
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components:\n  examples: ${examples}\n  schemas: ${schemas}\n`,
    });
    expect(await getErrors(loadDocument(path.join(folder, "openapi.yaml")))).toMatchObject([
      { severity: "error", position: { line: 6 } },
    ]);
  });

  it("for an anchor that does not exist, in this file or another one", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "other.yaml#/A"}, C: {$ref: "other.yaml#c"}}}\n`,
      "other.yaml": 'A:\n  properties:\n    b: { $ref: "#b" }\nB: { $anchor: d }\n',
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnosticIn(folder, problem))).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+:\d+ .*"other\.yaml#c": nothing is there/),
      expect.stringMatching(/^other\.yaml:3:16 .*"#b": nothing is there/),
    ]);
  });

  it.each([
    ["A: {allOf: [{$ref: '#/components/schemas/C'}]}", 43],
    ["A: {$ref: '#/components/schemas/A'}", 34],
    ["A: {$ref: 'none.yaml#/A'}", 34],
  ])("at the value of `$ref`: %s", async (schema, column) => {
    const text = `${EMPTY}components: {schemas: {${schema}}}\n`;
    const folder = await createFolder({ "openapi.yaml": text });
    const [error] = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(error?.position?.col).toBe(column);
    expect(error?.position?.pointer).toMatch(/\/\$ref$/);
  });

  it("for an invalid file with several references to it", async () => {
    const ref = '{$ref: "models.json#/A"}';
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: ${ref}, B: ${ref}, C: {properties: {a: ${ref}}}}}\n`,
      "models.json": '{\n  "A": {"type": "string", "enum": ["a"},\n  "B": {}\n}\n',
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnosticIn(folder, problem))).toEqual([
      expect.stringMatching(/^models\.json:2:\d+ {2}error {2}This `\[` is not closed\. Add the `\]`\.$/),
    ]);
  });
});

it("reports no references below a member that OpenAPI does not define, which Redocly does not replace", async () => {
  const response = '{"200": {description: "", content: {application/json: {schema: {$ref: a.yaml}}}}}';
  const folder = await createFolder({
    "openapi.yaml": `${HEAD}paths: {/a: {get: {response: ${response}}, put: {responses: ${response}}}}\n`,
    "a.yaml": "type: string\n",
  });
  const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  expect(warnings.map(({ message }) => message)).toEqual([
    "Property `response` is not expected here. Did you mean `responses`?",
  ]);
});

describe("reports a reference in another file", () => {
  const response = "content: {application/json: {schema: {$ref: REF}}}";

  it.each(["default", "example", "x-any"])(
    "also below the key %s, which is data in other locations",
    async (key) => {
      const folder = await createFolder({
        "openapi.yaml": `${HEAD}paths: {/a: {get: {responses: {default: {$ref: "responses.yaml#/${key}"}}}}}\n`,
        "responses.yaml": `${key}:\n  description: ''\n  ${response.replace("REF", "missing.yaml#/Foo")}\n`,
      });
      const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
      expect(found.map((problem) => formatDiagnosticIn(folder, problem))).toEqual([
        expect.stringMatching(
          /^responses\.yaml:3:\d+ {2}error {2}Can't resolve \$ref: missing\.yaml does not exist/,
        ),
      ]);
    },
  );

  it("unless it is in data", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "a.yaml#/A"}}}\n`,
      "a.yaml": "A: {example: {items: {$ref: missing.yaml}}, x-a: {schema: {$ref: '#/missing'}}}\n",
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings).toEqual([]);
  });
});

it("refuses a percent-encoded slash in a name, which separates names when it is decoded (RFC 6901, section 6)", async () => {
  const content = "content: {application/json: {schema: SCHEMA}}";
  const operation = (name: string, schema: string): string =>
    `  /${name}: {get: {responses: {"200": {description: "", ${content.replace("SCHEMA", schema)}}}}}\n`;
  const ref = "#/paths/~1b/get/responses/200/content/application%2Fjson/schema";
  const refs = `{allOf: [{$ref: "${ref}"}, {$ref: "${ref}"}]}`;
  expect(
    await listDiagnostics(`${HEAD}paths:\n${operation("a", refs)}${operation("b", "{type: string}")}`),
  ).toEqual([
    `4:104 Can't resolve $ref "${ref}": nothing is there. Correct it or add what it names. The same is true of another reference.`,
  ]);
});

it("refuses a reference of a schema to a text, a number or a list", async () => {
  const refs =
    "[{$ref: '#/info/title'}, {$ref: '#/x-b/A'}, {$ref: '#/x-b/B/minimum'}, {$ref: '#/x-b/B'}, {$ref: '#/x-c'}]";
  const members = `x-b: {A: true, B: {minimum: 1}}\nx-c: [A]\ncomponents: {schemas: {A: {allOf: ${refs}}}}\n`;
  const message = "This $ref leads to a value that is not a schema. Refer to a schema.";
  expect(await listDiagnostics(EMPTY + members)).toEqual([
    `6:43 ${message}`,
    `6:86 ${message}`,
    `6:132 ${message}`,
  ]);
});

it("refuses a reference to a prototype in a response that is called default, like data, in a file of its own", async () => {
  const content = "{application/json: {schema: {properties: {a: {$ref: '#/constructor'}}}}}";
  const responses = "{'200': {$ref: 'parts.yaml#/default'}}";
  const folder = await createFolder({
    "openapi.yaml": `${HEAD}paths: {/a: {get: {responses: ${responses}}}}\n`,
    "parts.yaml": `default: {description: It., content: ${content}}\n`,
  });
  await expect(loadDocument(path.join(folder, "openapi.yaml"))).rejects.toThrow(
    "the name of a member that every JavaScript object has",
  );
});

describe("accepts `$ref` in data", () => {
  it.each([
    'components: {schemas: {A: {example: {properties: {child: {$ref: "#"}}}}}}',
    'components: {schemas: {A: {default: {$ref: ""}}}}',
    'x-a: {$ref: "#foo/bar"}',
    'components: {schemas: {A: {default: {$ref: "#/toString"}, example: {$ref: "#/a/__proto__"}}}}',
    'components: {schemas: {A: {example: {a: {$ref: "#/components/schemas/A/example/a"}}}}}',
    'components: {schemas: {A: {example: {$ref: "#/components/schemas/A"}}}}',
    'components: {schemas: {A: {example: {$ref: "#/paths"}}}}',
    'components: {schemas: {A: {example: {discriminator: {mapping: {a: "#b/c"}}}}}}',
  ])("that cannot be followed: %s", async (members) => {
    // The reference to a property makes bundling necessary.
    const schemas =
      "schemas: {B: {properties: {a: {type: string}}}, C: {$ref: '#/components/schemas/B/properties/a'}, ";
    for (const text of [members, members.replace("schemas: {", schemas)]) {
      const folder = await createFolder({ "openapi.yaml": `${EMPTY}${text}\n` });
      const { document, warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
      expect(warnings).toEqual([]);
      expect(document).toMatchObject(load(text) as object);
    }
  });

  it("but not if an alias of it is a schema", async () => {
    const schema = '{example: &a {$ref: "#/components/schemas/None"}, items: *a}';
    expect(await listDiagnostics(`${EMPTY}components: {schemas: {A: ${schema}}}\n`)).toEqual([
      expect.stringMatching(/^4:47 Can't resolve \$ref/),
    ]);
  });

  it("but not if an alias of it is a schema that refers to itself", async () => {
    const schemas = "{A: {example: &a {items: {$ref: '#/components/schemas/B/items'}}}, B: *a}";
    expect(await listDiagnostics(`${EMPTY}components: {schemas: ${schemas}}\n`)).toEqual([
      expect.stringMatching(/^4:55 The \$ref "#\/components\/schemas\/B\/items" leads back to itself/),
    ]);
  });

  it("and keeps its text, although it could be another form of a reference", async () => {
    const data = '{$ref: "a%20b.json"}';
    const members = `default: ${data}, example: ${data}, const: ${data}, enum: [${data}], x-a: ${data}`;
    const self = "https://example.test/openapi.yaml";
    const schemas = `A: {${members}}, B: {$ref: "c.yaml"}, C: {default: {$ref: "${self}#/components/schemas/A"}}`;
    const examples = `E: {value: {discriminator: {mapping: {a: "a%20b.json"}}}}`;
    const text = `$self: ${self}\ncomponents: {schemas: {${schemas}}, examples: {${examples}}}\n`;
    const folder = await createFolder({
      "openapi.yaml": EMPTY.replace(/3\.[01]\.\d/, "3.2.0") + text,
      "c.yaml": `{${members}}`,
    });
    const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
    const bundled = `{$ref: "#/components/schemas/c"}, c: {${members}}`;
    expect(document).toMatchObject(load(text.replace('{$ref: "c.yaml"}', bundled)) as object);
    // Redocly includes the file of an example, but not that of a default.
    writeFileSync(path.join(folder, "a b.json"), "{}");
    const { document: included } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(included).toMatchObject({
      components: { schemas: { A: { default: { $ref: "a%20b.json" }, example: {} } } },
    });
    expect(included).not.toHaveProperty("components.schemas.A.example.$ref");
  });

  it("and includes the file of an example", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {example: {$ref: a.json}}}}\n`,
      "a.json": '{"a": 1}',
    });
    const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(document).toMatchObject({ components: { schemas: { A: { example: { a: 1 } } } } });
  });
});

it.each([
  ["#/components/schema/Page", '"#/components/schemas/Page"?'],
  ["#/components/schemas/Pages", '"#/components/schemas/Page"?'],
  ["#/components/schemas/Page/property", "Correct it or add what it names."],
  ["#/components/schemas/Other", "Correct it or add what it names."],
  ["#/component/schemas/Other", "Correct it or add what it names."],
])("suggests a target that exists for %s", async (ref, expected) => {
  const schemas = { Page: { type: "object" }, Use: { $ref: ref } };
  const text = JSON.stringify({ openapi: "3.1.0", info: {}, paths: {}, components: { schemas } });
  const folder = await createFolder({ "openapi.json": text });
  const found = await getErrors(loadDocument(path.join(folder, "openapi.json")));
  const message = found.find((problem) => problem.message.includes("$ref"))?.message;
  expect(message?.endsWith(expected)).toBe(true);
});

it("follows each reference of a chain once, however many others lead through it", () => {
  let reads = 0;
  const chain = Array.from({ length: 48 }, (_, index) => ({
    get $ref() {
      reads += 1;
      return `#/a/${index + 1}`;
    },
  }));
  const values = Array.from({ length: 1_000 }, () => "value");
  const file = { source: new SourceText("/openapi.json", ""), parsed: { a: [...chain, { values }] } };
  const resolver = new ReferenceResolver(new Map());
  for (const index of values.keys())
    expect(resolver.follow(`#/a/0/values/${index}`, file)).toMatchObject({ value: "value", hops: 49 });
  expect(reads).toBeLessThan(2_000);
});

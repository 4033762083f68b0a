import { readdirSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { DiagnosticError, type Diagnostic } from "../../../scripts/diagnostic.js";
import { formatDiagnostic } from "../../../scripts/print-diagnostics.js";
import { emitTypes } from "../../../scripts/emit/types/types.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { buildApi } from "../../../scripts/model/build.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const HEAD = 'openapi: 3.0.3\ninfo: {title: a, version: "1"}\n';
const EMPTY = `${HEAD}paths: {}\n`;

async function createFolder(files: Record<string, string>): Promise<string> {
  const folder = createTemporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

async function getErrors(promise: Promise<unknown>): Promise<Diagnostic[]> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiagnosticError)) throw new Error("no DiagnosticError", { cause: error });
  return error.diagnostics;
}

/** Loads one file and returns its diagnostics as `line:col message`. */
async function listDiagnostics(text: string, name = "openapi.yaml"): Promise<string[]> {
  const folder = await createFolder({ [name]: text });
  const found = await getErrors(loadDocument(path.join(folder, name)));
  return found.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
}

describe("loading a document of several files", () => {
  const files = {
    "openapi.yaml": `${HEAD}paths:\n  /pages:\n    $ref: pages.yaml\n`,
    "pages.yaml":
      'get:\n  operationId: list\n  responses:\n    "200":\n      description: ok\n      content:\n' +
      "        application/json:\n          schema: { $ref: 'models/page.json#/Page' }\n",
    "models/page.json": '{\n  "Page": {\n    "type": "object",\n    "description": "p"\n  }\n}\n',
  };

  it("reports only the cause of a reference to a file in `content`", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${HEAD}paths: {/a: {get: {responses: {"200": {description: a, content: {$ref: content.yaml}}}}}}\n`,
      "content.yaml": "application/json: {schema: {type: string}}\n",
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map(({ message }) => message)).toEqual([
      "`content` cannot be a reference. Write its members, which can be references.",
    ]);
  });

  it("follows anchors of other files, which may refer to each other and use the same names", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$anchor: x, $ref: "one.yaml#x"}, B: {$ref: "#x"}}}\n`,
      "one.yaml": 'One: { $anchor: x, properties: { two: { $ref: "two.yaml#x" }, same: { $ref: "#x" } } }\n',
      "two.yaml": 'Two: { $dynamicAnchor: x, default: { $anchor: x }, items: { $ref: "one.yaml#x" } }\n',
    });
    const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(document.components).toEqual({
      schemas: {
        A: { $anchor: "x", $ref: "#/components/schemas/One" },
        B: { $ref: "#x" },
        One: {
          properties: {
            two: { $ref: "#/components/schemas/Two" },
            same: { $ref: "#/components/schemas/One" },
          },
        },
        Two: { $dynamicAnchor: "x", default: { $anchor: "x" }, items: { $ref: "#/components/schemas/One" } },
      },
    });
  });

  it("resolves references, lists the files and keeps positions", async () => {
    const folder = await createFolder(files);
    const loaded = await loadDocument(path.join(folder, "openapi.yaml"));
    expect([...loaded.hashes.keys()].sort()).toEqual(
      ["models/page.json", "openapi.yaml", "pages.yaml"].map((file) => path.join(folder, file)),
    );
    expect(loaded.document).toMatchObject({ components: { schemas: { Page: { type: "object" } } } });
    const at = (pointer: string) => {
      const { file, line, col, pointer: inFile } = loaded.locate(pointer);
      return `${path.relative(folder, file)}:${line}:${col} ${inFile}`;
    };
    expect(at("/components/schemas/Page/description")).toBe("models/page.json:4:5 /Page/description");
    expect(at("/components/schemas/Page")).toBe("models/page.json:2:3 /Page");
    expect(at("/info/title")).toBe("openapi.yaml:2:8 /info/title");
    expect(at("/paths/~1pages/get/operationId")).toBe("pages.yaml:2:3 /get/operationId");
    expect(at("/paths/~1pages/get/nothing/here")).toBe("pages.yaml:1:1 /get");
    // Added by bundling.
    expect(at("/components")).toBe("openapi.yaml:1:1 ");
  });

  it("includes the value of an external example", async () => {
    const examples = "components: {examples: {e: {externalValue: value.json}}}\n";
    const folder = await createFolder({ "openapi.yaml": EMPTY + examples, "value.json": '{"a":1}' });
    const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(document).toMatchObject({ components: { examples: { e: { value: { a: 1 } } } } });
  });

  it("closes the files", async () => {
    const folder = await createFolder(files);
    const before = readdirSync("/dev/fd").length;
    for (let count = 0; count < 20; count += 1) await loadDocument(path.join(folder, "openapi.yaml"));
    expect(readdirSync("/dev/fd").length).toBeLessThan(before + 20);
  });

  it("reads JSON texts that end with backslashes", async () => {
    const info = { title: 'a"', version: "b\\", description: "c\\\\" };
    const text = JSON.stringify({ openapi: "3.1.0", paths: {}, info });
    const folder = await createFolder({ "openapi.json": text });
    const { document } = await loadDocument(path.join(folder, "openapi.json"));
    expect(document["info"]).toEqual(info);
  });

  it("reports the problems of all files together, sorted", async () => {
    const folder = await createFolder({
      ...files,
      "openapi.yaml": `${files["openapi.yaml"]}  /more: {get: 5}\ncomponents: {schemas: {A: {$ref: "#/no"}}}\n`,
      "models/page.json": '{"Page": {"type": 7}}',
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnostic(problem, folder))).toEqual([
      expect.stringMatching(
        /^models\/page\.json:1:\d+ {2}error {2}`type` must be one of .*, not 7\. {2}at #\/Page\/type$/,
      ),
      expect.stringMatching(/^openapi\.yaml:6:16 {2}error {2}`get` must be an object, not 5\./),
      expect.stringMatching(/^openapi\.yaml:7:27 {2}error .*"#\/no": nothing is there\. Correct it/),
    ]);
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
});

it("reports a circular reference between files in another folder", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "models/a.yaml#/A"}}}\n`,
    "models/a.yaml": "A: {$ref: 'b.yaml#/B'}\n",
    "models/b.yaml": "B: {$ref: 'a.yaml#/A'}\n",
  });
  const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
  expect(found.map((problem) => formatDiagnostic(problem, folder)).join("\n")).toMatch(
    /models\/a\.yaml:1:\d+ {2}error {2}The \$ref "b\.yaml#\/B" leads back to itself/,
  );
});

describe("invalid documents", () => {
  it.each([
    ["", "1:1 The document is empty"],
    ["# nothing\n", "1:1 The document is empty"],
    ["hello", "1:1 The document is not an object"],
    ["- a", "1:1 The document is not an object"],
    ['swagger: "2.0"', "1:1 Swagger 2.0 is not supported. Convert"],
    ["a: 1", "1:1 The field `openapi` is missing"],
    ["openapi: 3.1", "1:1 The OpenAPI version must be text"],
    ["a: 1\nopenapi: 3.3.0", '2:1 OpenAPI "3.3.0" is not supported'],
    [`a: 1\nopenapi: v${"9".repeat(50)}`, `2:1 OpenAPI "v${"9".repeat(39)}" is not supported`],
    ["a: 1\n b: 2", "2:2 Indent this line by 0 spaces, as lines above it, not by 1."],
    ["a: 1\na: 2", "2:1 The key `a` occurs twice in this object. Remove or rename one."],
    [
      '{"a": 1,\n"b c": 2, "b c": 3}',
      "2:12 The key `b c` occurs twice in this object. Remove or rename one.",
    ],
  ])("refuses %j in one line with location and remedy", async (text, start) => {
    const found = await listDiagnostics(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(start);
  });

  it.each(["\n", "\r\n", "\r"])("are located with the line end %j", async (lineEnd) => {
    expect(await listDiagnostics(`${HEAD}paths: 5\n`.replaceAll("\n", lineEnd))).toEqual([
      "3:8 `paths` must be an object, not 5.",
    ]);
  });

  it("refuses a missing file, a folder and other kinds of file", async () => {
    const folder = await createFolder({ "a.txt": EMPTY, "b.yaml/c.yaml": EMPTY });
    const messages = async (name: string) =>
      (await getErrors(loadDocument(path.join(folder, name)))).map((problem) => problem.message);
    expect(await messages("none.yaml")).toEqual([expect.stringContaining("none.yaml does not exist.")]);
    expect(await messages("b.yaml")).toEqual([expect.stringContaining("b.yaml is a folder.")]);
    expect(await messages(".")).toEqual([`${folder} is a folder. Name the document's file instead.`]);
    expect(await messages("a.txt")).toEqual([expect.stringContaining("must end in .yaml, .yml or .json")]);
  });
});

it("reads a description from a Markdown file, and lists it as a file of the document", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}tags: [{name: Guide, description: {$ref: guides/one.md}}]\n`,
    "guides/one.md": "# One: a guide\n\n- [x]: {y\n",
  });
  const { document, hashes, warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  expect(document).toMatchObject({ tags: [{ description: "# One: a guide\n\n- [x]: {y\n" }] });
  expect([...hashes.keys()]).toContain(path.join(folder, "guides/one.md"));
  expect(warnings).toEqual([]);
});

describe("reports one error per mistake", () => {
  it.each([
    [
      "YAML list",
      `${HEAD}paths:\n  /a:\n    get:\n      tags: [a, b\n      responses: {}\n  /b: {}\n`,
      "6:13 This `[`",
    ],
    ["YAML object", `${HEAD}paths:\n  /a:\n    get: {tags: [a], # don't {\n  /b: {}\n`, "5:10 This `{`"],
    ["last YAML list", `${EMPTY}tags: [{name: a}\n`, "4:7 This `[`"],
    ["long YAML list", `${EMPTY}tags: [\n${"  {name: a},\n".repeat(30)}`, "4:7 This `[`"],
    [
      "JSON list",
      '{"openapi": "3.1.0",\n"tags": [{"name": "]"},\n"paths": {"/a": {}},\n"info": {}}',
      "2:9 This `[`",
    ],
    ["JSON object", '{"openapi": "3.1.0",\n"paths": {"/a": {},\n"info": {}}\n', "1:1 This `{`"],
  ])("for a missing bracket in a %s", async (_, text, start) => {
    const found = await listDiagnostics(text, text.startsWith("{") ? "openapi.json" : "openapi.yaml");
    expect(found).toEqual([expect.stringContaining(start)]);
  });

  it("for other mistakes with closed brackets", async () => {
    for (const tag of ["{name: a}", String.raw`{name: '\'}`]) {
      expect(await listDiagnostics(`${EMPTY}tags: [${tag} {name: b}]\n`)).toEqual([
        expect.stringMatching(/^4:\d+ A comma or a colon is missing here/),
      ]);
    }
  });

  it.each([
    [
      "openapi: 3.1.0\ninfo:\n  version: '1'\n  title T\n  x-a: 1\n",
      "4:3 This line has no colon. Write `key: value`.",
    ],
    ["openapi: 3.1.0\ntags:\n  - name\ninfo\npaths: {}\n", "4:1 This line has no colon. Write `key: value`."],
    ['info:\n  title: T\n  version: "1\npaths: {}\n', "3:12 This quote is not closed. Close it."],
    ["info:\n  title: It's\n  version: '1\n", "3:12 This quote is not closed. Close it."],
  ])("for a missing colon or quote: %j", async (text, problem) => {
    expect(await listDiagnostics(text)).toEqual([problem]);
  });

  it("for the field `openapi` in other letters", async () => {
    expect(await listDiagnostics("info: {}\nopenAPI: 3.1.0\n")).toEqual([
      "2:1 The field must be called `openapi`, not `openAPI`.",
    ]);
  });

  it.each([
    ['B: {$ref: "#/components/schemas/A"}', '"#/components/schemas/B" leads back to itself'],
    ['B: {allOf: [{$ref: "A"}]}', 'it is read as the name of a file. Write "#/components/schemas/A".'],
    ['B: {allOf: [{$ref: "#components/schemas/A"}]}', 'a slash after the #. Write "#/components/schemas/A".'],
    ['B: {allOf: [{$ref: "/components/schemas/A"}]}', 'Write "#/components/schemas/A".'],
    ["B: {allOf: [{$ref: }]}", "`$ref` is empty. Write it in quotes"],
  ])("for the reference in %j", async (schema, message) => {
    const text = `${EMPTY}components: {schemas: {O: {$ref: "#/components/schemas/A"}, A: {$ref: "#/components/schemas/B"}, ${schema}}}\n`;
    expect(await listDiagnostics(text)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ["components", "#/components/schemas/Pets", 'Did you mean "#/components/schemas/Pet"?'],
    ["components", "#/definitions/Pet", 'Did you mean "#/components/schemas/Pet"?'],
    ["components", "#/definitions/Dog", "Correct it or add what it names."],
    ["component", "#/components/schemas/Pet", "Correct it or add what it names."],
  ])("for a reference into the object %j: %s", async (key, ref, remedy) => {
    const problems = await listDiagnostics(
      `${EMPTY}${key}: {schemas: {Pet: {}, A: {items: {$ref: "${ref}"}}}}\n`,
    );
    expect(problems.at(-1)).toMatch(/Can't resolve \$ref "[^"]*": nothing is there\. /);
    expect(problems.at(-1)?.endsWith(remedy)).toBe(true);
  });

  it.each([
    ["component", "", "Correct it or add what it names. The same is true of 2 other references."],
    [
      "components",
      "schema: {A: {}}",
      'Did you mean "#/components/schema/A"? The same is true of 2 other references.',
    ],
    ["components", "schemas: {C: {}}", "Correct it or add what it names."],
  ])(
    "once for all references through an object that is missing in %s: {%s}",
    async (key, members, remedy) => {
      const problems = await listDiagnostics(
        `${EMPTY}${key}: {${members}}\nx-unused: {}\nwebhooks: {a: {post: {requestBody: {content: {a/b: {schema: {allOf: [${[
          "A",
          "B",
          "A",
        ]
          .map((name) => `{$ref: "#/components/schemas/${name}"}`)
          .join(", ")}]}}}}}}}\n`,
      );
      const unresolved = problems.filter((problem) => problem.includes("Can't resolve"));
      expect(unresolved).toHaveLength(members.startsWith("schemas") ? 3 : 1);
      expect(unresolved[0]?.endsWith(remedy)).toBe(true);
    },
  );

  it.each([
    ["get: {responses: {200: {$ref: '#/components/headers/H'}}}", "headers", "responses"],
    [
      "get: {requestBody: {$ref: '#/components/responses/R'}, responses: {default: {description: ''}}}",
      "responses",
      "requestBodies",
    ],
    [
      "get: {responses: {200: {description: '', headers: {X: {$ref: '#/components/schemas/S'}}}}}",
      "schemas",
      "headers",
    ],
    [
      "get: {responses: {200: {description: '', content: {a/b: {schema: {items: {$ref: '#/components/responses/R'}}}}}}}",
      "responses",
      "schemas",
    ],
    ["$ref: '#/components/schemas/S'", "schemas", "pathItems"],
  ])("for a component of another kind than is required: %s", async (item, actual, required) => {
    const components =
      "components: {headers: {H: {schema: {}}}, responses: {R: {description: ''}}, schemas: {S: {}}}\n";
    const folder = await createFolder({
      "openapi.yaml": `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/a: {${item}}}\n${components}`,
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toEqual([
      `This $ref leads to \`components.${actual}\`. Refer to a member of \`components.${required}\` here.`,
    ]);
  });

  it.each([
    ["webhooks: {a: {$ref: '#/components/schemas/S'}}", "", "pathItems"],
    [
      "paths: {/a: {get: {callbacks: {c: {'{$url}': {$ref: '#/components/schemas/S'}}}, responses: {}}}}",
      "",
      "pathItems",
    ],
    ["paths: {}", "requestBodies: {B: {$ref: '#/components/schemas/S'}}", "requestBodies"],
    ["paths: {}", "pathItems: {P: {$ref: '#/components/schemas/S'}}", "pathItems"],
    ["paths: {}", "securitySchemes: {K: {$ref: '#/components/schemas/S'}}", "securitySchemes"],
  ])("for a component of another kind in %s {%s}", async (members, components, required) => {
    const text = `openapi: 3.1.0\ninfo: {title: a, version: "1"}\n${members}\ncomponents: {schemas: {S: {}}, ${components}}\n`;
    const folder = await createFolder({ "openapi.yaml": text });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toContain(
      `This $ref leads to \`components.schemas\`. Refer to a member of \`components.${required}\` here.`,
    );
  });

  it("for no property that has the name of a section of the components, and no data", async () => {
    const ref = "{$ref: '#/components/schemas/S'}";
    const other = "{$ref: '#/components/responses/S'}";
    const schema = `{properties: {headers: {items: ${ref}}, responses: ${ref}}, example: {items: ${other}}, items: ${ref}}`;
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {responses: {S: {description: ''}}, schemas: {S: {}, A: ${schema}}}\n`,
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings).toEqual([]);
  });

  it("for an anchor that does not exist, in this file or another one", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: "other.yaml#/A"}, C: {$ref: "other.yaml#c"}}}\n`,
      "other.yaml": 'A:\n  properties:\n    b: { $ref: "#b" }\nB: { $anchor: d }\n',
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnostic(problem, folder))).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+:\d+ .*"other\.yaml#c": nothing is there/),
      expect.stringMatching(/^other\.yaml:3:8 .*"#b": nothing is there/),
    ]);
  });

  it("for an invalid file with several references to it", async () => {
    const ref = '{$ref: "models.json#/A"}';
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: ${ref}, B: ${ref}, C: {properties: {a: ${ref}}}}}\n`,
      "models.json": '{\n  "A": {"type": "string", "enum": ["a"},\n  "B": {}\n}\n',
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnostic(problem, folder))).toEqual([
      expect.stringMatching(/^models\.json:2:\d+ {2}error {2}This `\[` is not closed\. Add the `\]`\.$/),
    ]);
  });

  it("for a misspelled required property, and for a schema that matches no alternative", async () => {
    const operation = "{responses: {default: {description: ok}}, requestBody: {contnt: {}}}";
    const schemas = '{A: {type: strin}, B: {items: {allOf: [{properties: {a: {maximum: "1"}}}]}}}';
    expect(
      await listDiagnostics(`${HEAD}paths: {/a: {post: ${operation}}}\ncomponents: {schemas: ${schemas}}\n`),
    ).toEqual([
      "3:76 Property `contnt` is not expected here. Did you mean `content`?",
      '4:34 `type` must be one of `array`, `boolean`, `integer`, `number`, `object`, `string`, not "strin". Did you mean `string`?',
      '4:89 `maximum` must be a number, not "1". Write it without quotes.',
    ]);
  });
});

describe("references to embedded schemas", () => {
  const schemas = `components:
  schemas:
    Tree:
      $id: https://example.test/tree
      properties: {node: {$ref: node}, root: {$ref: "#"}, leaf: {$ref: "node#leaf"}, top: {$ref: "node#top"}}
      $defs: {Node: {$id: node, $anchor: top, type: string, $defs: {Leaf: {$anchor: leaf, type: integer}}}}
    User: {$ref: "https://example.test/node"}
    Mine: {$anchor: mine}
    Yours: {$ref: "#mine"}
    Ours: {$dynamicAnchor: ours}
    Hers: {$ref: "#ours"}
`;

  it.each([
    ["alone", ""],
    ["with external files", "    Other: {$ref: other.yaml}\n"],
  ])("are resolved by the model: %s", async (_, more) => {
    const folder = await createFolder({
      "openapi.yaml": EMPTY.replace("3.0.3", "3.1.0") + schemas + more,
      "other.yaml": "type: string\n",
    });
    const { document, warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings).toEqual([]);
    expect(document).toMatchObject({
      components: {
        schemas: {
          Tree: { properties: { node: { $ref: "node" }, root: { $ref: "#" }, leaf: { $ref: "node#leaf" } } },
          User: { $ref: "https://example.test/node" },
          Yours: { $ref: "#mine" },
          Hers: { $ref: "#ours" },
        },
      },
    });
  });

  it("can refer to the metaschemas, which are not fetched", async () => {
    const uri = "https://json-schema.org/draft/2020-12/schema";
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY.replace("3.0.3", "3.1.0")}components: {schemas: {A: {$ref: "${uri}"}}}\n`,
    });
    const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(document).toMatchObject({ components: { schemas: { A: { $ref: uri } } } });
    const { api } = buildApi(document, (pointer) => ({ file: "openapi.yaml", line: 1, col: 1, pointer }));
    const [file] = emitTypes(api).files;
    expect(file?.content).toContain("export type A = Schema;\n");
    expect(file?.content).toContain('export type SimpleTypes = "array" | "boolean"');
  });

  it("are refused without a schema with the identifier", async () => {
    const text = EMPTY.replace("3.0.3", "3.1.0") + schemas.replace("$anchor: mine", "$anchor: theirs");
    expect(await listDiagnostics(text)).toEqual([
      expect.stringMatching(/^12:12 Can't resolve \$ref "#mine"/),
    ]);
  });

  it("exclude references to components, which refer to the document also inside a schema with an identifier", async () => {
    const text = EMPTY.replace("3.0.3", "3.1.0") + schemas.replace('"#"', '"#/components/schemas/Theirs"');
    expect(await listDiagnostics(text)).toEqual([
      expect.stringMatching(/^8:\d+ Can't resolve \$ref "#\/components\/schemas\/Theirs"/),
    ]);
  });
});

describe("a hostile document", () => {
  it("reads no other kinds of file through links", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: link.yaml}}}\n`,
      ".env": "type: string\n",
    });
    await symlink(path.join(folder, ".env"), path.join(folder, "link.yaml"));
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => problem.message)).toEqual([
      expect.stringContaining(".env is not read: its name must end in"),
    ]);
  });

  it("reports each file that cannot be read once", async () => {
    const refs = [
      "gone.yaml",
      "gone.yaml#/A",
      "gone.yaml#/B",
      "lost.yaml",
      "https://example.test/a",
      "https://example.test/a#/b",
    ];
    const schemas = refs.map((ref, index) => `    S${index}: {$ref: "${ref}"}\n`);
    expect(await listDiagnostics(`${EMPTY}components:\n  schemas:\n${schemas.join("")}`)).toEqual([
      expect.stringMatching(
        /^6:9 .*gone\.yaml does not exist\. .* The same is true of 2 other references\.$/,
      ),
      expect.stringMatching(/^9:9 .*lost\.yaml does not exist\. Correct the path or create the file\.$/),
      expect.stringMatching(/^10:9 .*is not fetched\. .* The same is true of another reference\.$/),
    ]);
  });

  it("counts a file that cannot be read as one problem, however many references lead to it", async () => {
    const schemas = Array.from({ length: 1001 }, (_, index) => `    S${index}: {$ref: "gone.yaml#/A"}\n`);
    expect(
      await listDiagnostics(
        `${EMPTY}components:\n  schemas:\n${schemas.join("")}    Z: {$ref: "lost.yaml"}\n`,
      ),
    ).toEqual([
      expect.stringMatching(
        /^6:\d+ .*gone\.yaml does not exist\. .* The same is true of 1000 other references\.$/,
      ),
      expect.stringMatching(/^1007:\d+ .*lost\.yaml does not exist\. Correct the path or create the file\.$/),
    ]);
  });

  it("reads files of the folder that the user sets, and nothing outside of it", async () => {
    const outside = await createFolder({ "secret.yaml": "type: string\n" });
    const folder = await createFolder({
      "service/openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: ../shared/a.yaml}}}\n`,
      "shared/a.yaml": "type: integer\n",
    });
    const spec = path.join(folder, "service/openapi.yaml");
    const { document } = await loadDocument(spec, { root: folder });
    expect(document).toMatchObject({ components: { schemas: { a: { type: "integer" } } } });
    expect(await getErrors(loadDocument(spec))).toEqual([
      expect.objectContaining({ message: expect.stringContaining("Pass --root with a folder") as string }),
    ]);
    await writeFile(spec, `${EMPTY}components: {schemas: {A: {$ref: "${outside}/secret.yaml"}}}\n`);
    expect(await getErrors(loadDocument(spec, { root: folder }))).toHaveLength(1);
  });

  it.each([
    ["an alias of itself", `${EMPTY}x-a: &a {b: *a}\n`, /^4:10 An alias contains itself/],
    [
      "deep aliases",
      `${EMPTY}x-0: &a0 {}\n` +
        Array.from({ length: 900 }, (_, i) => `x-${i + 1}: &a${i + 1} {x: *a${i}}\n`).join(""),
      /Nested deeper than 200/,
    ],
    [
      "a chain of references",
      `${EMPTY}components:\n  schemas:\n` +
        Array.from({ length: 3000 }, (_, i) => `    S${i}: {$ref: "#/components/schemas/S${i + 1}"}\n`).join(
          "",
        ),
      /through more than 50 others/,
    ],
    ["millions of nodes", `${EMPTY}x-a: [${"[],".repeat(2_000_000)}1]\n`, /above 1500000 nodes/],
    [
      "an object of thousands of entries",
      `${EMPTY}x-a:\n${Array.from({ length: 10_001 }, (_, i) => `  a${i}: 1\n`).join("")}`,
      /More than 10000 entries/,
    ],
  ])("reports %s with a diagnostic", async (_, text, message) => {
    const found = await listDiagnostics(text);
    expect(found[0]).toMatch(message);
  });

  it("refuses a file above 64 MiB", async () => {
    expect(await listDiagnostics(`# ${"a".repeat(65 * 1024 * 1024)}`)).toEqual([
      expect.stringContaining("64 MiB"),
    ]);
  });

  it("cannot insert lines or terminal control sequences into diagnostics", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {type: "\\e[2J\\n"}}}\n`,
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    for (const problem of found) expect(formatDiagnostic(problem)).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe("features of published documents", () => {
  it("loads the name of a schema in a discriminator, and the URL of an example's value", async () => {
    const folder = await createFolder({
      "openapi.yaml":
        `${EMPTY}components:\n  examples: {e: {externalValue: "https://example.test/e.json"}}\n` +
        "  schemas: {Dog: {}, Pet: {discriminator: {propertyName: kind, mapping: {dog: Dog}}}}\n",
    });
    expect((await loadDocument(path.join(folder, "openapi.yaml"))).warnings).toEqual([]);
  });
});

describe("integers that JavaScript numbers cannot represent", () => {
  const getWarnings = async (name: string, text: string): Promise<string[]> => {
    const folder = await createFolder({ [name]: text });
    const { warnings } = await loadDocument(path.join(folder, name));
    return warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
  };
  const remedy = "JavaScript cannot represent it. Use a number up to 9007199254740991, or a string.";

  it("give one warning each in YAML", async () => {
    const schemas = `components:
  schemas:
    A:
      # 9007199254740995 ${"9".repeat(400)}
      description: 9007199254740993 is not one
      enum: [9007199254740993, 9007199254740992, "9007199254740997", 1]
      minimum: -9223372036854775807
      maximum: 9223372036854775807
      default: 9223372036854776000
    B: {enum: [9007199254740993]}
`;
    expect(await getWarnings("openapi.yaml", EMPTY + schemas)).toEqual([
      `9:14 9007199254740993 is read as 9007199254740992: ${remedy}`,
      `10:7 -9223372036854775807 is read as -9223372036854775808: ${remedy}`,
      `11:7 9223372036854775807 is read as 9223372036854775808: ${remedy}`,
    ]);
  });

  it("are counted if there are too many", async () => {
    const many = Array.from({ length: 1002 }, () => "9007199254740993").join();
    const text = `${EMPTY}components: {schemas: {A: {enum: [${many}]}}}\n`;
    expect(await getWarnings("openapi.yaml", text)).toEqual([
      "1:1 2 more integers of this size were not checked.",
      expect.stringMatching(/^4:\d+ 9007199254740993 is read as/),
    ]);
  });

  it("give warnings in JSON, including referenced files", async () => {
    const root = { openapi: "3.1.0", info: { title: "a", version: "1" }, paths: {} };
    const text = JSON.stringify({ ...root, components: { schemas: { A: { const: "here" } } } });
    expect(await getWarnings("openapi.json", text.replace('"here"', "18446744073709551615"))).toEqual([
      `1:${text.indexOf('"const"') + 1} 18446744073709551615 is read as 18446744073709551616: ${remedy}`,
    ]);
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: other.json}}}\n`,
      "other.json": '{\n  "enum": [\n    9007199254740993\n  ]\n}\n',
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ position }) => `${position?.file} ${position?.line}:${position?.col}`)).toEqual([
      `${path.join(folder, "other.json")} 3:5`,
    ]);
  });
});

import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadDocument } from "../../../scripts/load/load.js";
import { formatDiagnostic, formatDiagnosticIn } from "../../../scripts/print-diagnostics.js";
import { createFolder, EMPTY, getErrors, HEAD, listDiagnostics } from "./documents.js";

describe("a document of several files", () => {
  const files = {
    "openapi.yaml": `${HEAD}paths:\n  /pages:\n    $ref: pages.yaml\n`,
    "pages.yaml":
      'get:\n  operationId: list\n  responses:\n    "200":\n      description: ok\n      content:\n' +
      "        application/json:\n          schema: { $ref: 'models/page.json#/Page' }\n",
    "models/page.json": '{\n  "Page": {\n    "type": "object",\n    "description": "p"\n  }\n}\n',
  };

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

  it("warns about components of several files that have the same name", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {items: {$ref: a/Item.yaml}, not: {$ref: b/Item.yaml}, type: array}}}\n`,
      "a/Item.yaml": "type: string\n",
      "b/Item.yaml": "type: number\n",
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toEqual([
      'Another component is called "Item", so this one is called "Item-2". Rename one of them.',
    ]);
  });

  it("includes the value of an external example", async () => {
    const examples = "components: {examples: {e: {externalValue: value.json}}}\n";
    const folder = await createFolder({ "openapi.yaml": EMPTY + examples, "value.json": '{"a":1}' });
    const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(document).toMatchObject({ components: { examples: { e: { value: { a: 1 } } } } });
  });

  it("warns about an external example that is missing, also in another file, and about a missing discriminator value", async () => {
    const schemas = "schemas: {A: {discriminator: {propertyName: a, mapping: {b: models/b.yaml}}}}";
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {examples: {e: {$ref: "other.yaml#/X"}}, ${schemas}}\n`,
      "other.yaml": "X: {externalValue: none.json}\n",
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Can't resolve mapping: models\/b\.yaml does not exist/),
      expect.stringMatching(/^Can't resolve externalValue: none\.json does not exist/),
    ]);
    expect(warnings.map(({ message }) => message).join()).not.toContain("The same is true of");
    expect(warnings[1]?.position).toMatchObject({ line: 1, col: 20, pointer: "/X/externalValue" });
  });

  it.each([
    ["text.yaml", "hello\n"],
    ["text.md", "- [x]: {y\n"],
  ])("reports a referenced file without an object at its start: %s", async (name, text) => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {properties: {a: {$ref: ${name}}}}}}\n`,
      [name]: text,
    });
    const [found, ...others] = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found?.position).toEqual({ file: path.join(folder, name), line: 1, col: 1, pointer: "" });
    expect(others).toEqual([]);
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

  it("closes the files", async () => {
    const folder = await createFolder(files);
    const before = readdirSync("/dev/fd").length;
    for (let count = 0; count < 20; count += 1) await loadDocument(path.join(folder, "openapi.yaml"));
    expect(readdirSync("/dev/fd").length).toBeLessThan(before + 20);
  });

  it("reports the problems of all files together, sorted", async () => {
    const folder = await createFolder({
      ...files,
      "openapi.yaml": `${files["openapi.yaml"]}  /more: {get: 5}\ncomponents: {schemas: {A: {$ref: "#/no"}}}\n`,
      "models/page.json": '{"Page": {"type": 7}}',
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    expect(found.map((problem) => formatDiagnosticIn(folder, problem))).toEqual([
      expect.stringMatching(
        /^models\/page\.json:1:\d+ {2}error {2}`type` must be one of .*, not 7\. {2}at #\/Page\/type$/,
      ),
      expect.stringMatching(/^openapi\.yaml:6:16 {2}error {2}`get` must be an object, not 5\./),
      expect.stringMatching(/^openapi\.yaml:7:34 {2}error .*"#\/no": nothing is there\. Correct it/),
    ]);
  });
});

it("accepts any patch level of a version", async () => {
  const folder = await createFolder({
    "openapi.yaml": "openapi: 3.1.10\ninfo: {title: a, version: '1'}\npaths: {}\n",
  });
  expect((await loadDocument(path.join(folder, "openapi.yaml"))).document["openapi"]).toBe("3.1.10");
});

describe("invalid documents", () => {
  it.each([
    ["", "1:1 The document is empty"],
    ["# nothing\n", "1:1 The document is empty"],
    ["null", "1:1 The document is empty"],
    ["hello", "1:1 The document is not an object"],
    ["- a", "1:1 The document is not an object"],
    ['swagger: "2.0"', "1:1 Swagger 2.0 is not supported. Convert"],
    ["a: 1", "1:1 The field `openapi` is missing"],
    ["openapi: 3.1", "1:1 The OpenAPI version must be text"],
    ["openapi: 3.1.0-rc1", '1:1 OpenAPI "3.1.0-rc1" is not supported'],
    ["a: 1\nopenapi: 3.3.0", '2:1 OpenAPI "3.3.0" is not supported'],
    [`a: 1\nopenapi: v${"9".repeat(50)}`, `2:1 OpenAPI "v${"9".repeat(39)}" is not supported`],
    ["a: 1\n b: 2", "2:2 Indent this line by 0 spaces, as lines above it, not by 1."],
    ["a: 1\na: 2", "2:1 The key `a` occurs twice in this object, first in line 1. Remove or rename one."],
    [
      "p:\n  a:\n    b: 1\n\n  # a\n  ab: 2\n  a: 3",
      "7:3 The key `a` occurs twice in this object, first in line 2.",
    ],
    [
      "p:\n  /a b:c: 1\n  /a b: 2\n  /a b:d: 3\n  /a b:c: 4",
      "5:3 The key `/a b:c` occurs twice in this object, first in line 2.",
    ],
    ["p:\n  \"200\": 1\n  '200': 2", "3:4 The key `200` occurs twice in this object, first in line 2."],
    ['{\n"a": 1,\n"a":2}', "3:2 The key `a` occurs twice in this object, first in line 2."],
    [
      "p:\n  - b: 1\n    a: 1\n  - a: 1\n    a: 2",
      "5:5 The key `a` occurs twice in this object. Remove or rename one.",
    ],
    [
      "a: 1\np:\n  - b: 1\n    a: 1\n    a: 2",
      "5:5 The key `a` occurs twice in this object, first in line 4.",
    ],
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

  it("refuses the field `openapi` in other letters", async () => {
    expect(await listDiagnostics("info: {}\nopenAPI: 3.1.0\n")).toEqual([
      "2:1 The field must be called `openapi`, not `openAPI`.",
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

  it("cannot insert lines or terminal control sequences into diagnostics", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {type: "\\e[2J\\n"}}}\n`,
    });
    const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
    for (const problem of found) expect(formatDiagnostic(problem)).not.toMatch(/[\u0000-\u001f]/);
  });
});

it("reads JSON texts that end with backslashes", async () => {
  const info = { title: 'a"', version: "b\\", description: "c\\\\" };
  const text = JSON.stringify({ openapi: "3.1.0", paths: {}, info });
  const folder = await createFolder({ "openapi.json": text });
  const { document } = await loadDocument(path.join(folder, "openapi.json"));
  expect(document["info"]).toEqual(info);
});

it("loads the name of a schema in a discriminator, and the URL of an example's value", async () => {
  const folder = await createFolder({
    "openapi.yaml":
      `${EMPTY}components:\n  examples: {e: {externalValue: "https://example.test/e.json"}}\n` +
      "  schemas: {Dog: {}, Pet: {discriminator: {propertyName: kind, mapping: {dog: Dog}}}}\n",
  });
  expect((await loadDocument(path.join(folder, "openapi.yaml"))).warnings).toEqual([]);
});

it.each(["---\n", "--- # end\n\n", "...\n", "...\n---\n# end\n...\n"])(
  "reads a document with nothing after %j",
  async (end) => {
    const folder = await createFolder({ "openapi.yaml": `---\n${EMPTY}${end}` });
    const { document, locate } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(document).toMatchObject({ info: { title: "a" } });
    expect(locate("/info/title").line).toBe(3);
  },
);

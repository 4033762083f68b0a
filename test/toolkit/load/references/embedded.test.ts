import path from "node:path";
import { describe, expect, it } from "vitest";
import { emitTypes } from "../../../../scripts/emit/types/types.js";
import { loadDocument } from "../../../../scripts/load/load.js";
import { buildApi } from "../../../../scripts/model/build.js";
import { createFolder, EMPTY, listDiagnostics } from "../documents.js";

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

  it("are resolved in other files too, inside schemas with an identifier and for names with a percent sign", async () => {
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY.replace("3.0.3", "3.1.0")}components: {schemas: {A: {$ref: a.yaml}, D: {$ref: a.yaml#dog}}}\n`,
      "a.yaml": `$id: https://example.test/a.json
type: object
properties: {b: {$ref: b.json}, c: {$ref: "b.json#c"}, d: {$ref: "#dog"}, e: {$ref: "b.json#/$defs/C"}, f: {$ref: e.yaml}}
$defs:
  B: {$id: b.json, properties: {c: {$ref: "#c"}, e: {$ref: "#/$defs/C"}}, $defs: {C: {$anchor: c, type: integer}}}
  "100%25": {$anchor: dog, type: boolean}
`,
      "e.yaml": "type: number\n",
    });
    const { document, locate } = await loadDocument(path.join(folder, "openapi.yaml"));
    const [file] = emitTypes(buildApi(document, locate).api).files;
    expect(file?.content).toContain(
      "export type A2 = {\n  b?: B;\n  c?: C;\n  d?: _100;\n  e?: C;\n  f?: E;\n};\n",
    );
    expect(file?.content).toContain("export type B = {\n  c?: C;\n  e?: C;\n};\n");
    expect(file?.content).toContain("export type D = _100;\n");
  });

  it("are refused without a schema with the identifier", async () => {
    const text = EMPTY.replace("3.0.3", "3.1.0") + schemas.replace("$anchor: mine", "$anchor: theirs");
    expect(await listDiagnostics(text)).toEqual([
      expect.stringMatching(/^12:19 Can't resolve \$ref "#mine"/),
    ]);
  });

  it("exclude references to components, which refer to the document also inside a schema with an identifier", async () => {
    const text = EMPTY.replace("3.0.3", "3.1.0") + schemas.replace('"#"', '"#/components/schemas/Theirs"');
    expect(await listDiagnostics(text)).toEqual([
      expect.stringMatching(/^8:\d+ Can't resolve \$ref "#\/components\/schemas\/Theirs"/),
    ]);
  });
});

import path from "node:path";
import { symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DocumentFiles } from "../../../scripts/load/document-files.js";
import { MAX_FILE_REFERENCES } from "../../../scripts/load/limits.js";
import { isUrl } from "../../../scripts/load/references/reference-resolver.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { createFolder, EMPTY, getErrors, HEAD, listDiagnostics } from "./documents.js";

test.each([
  ["https://example.test/a.yaml", true],
  ["urn:a", true],
  ["//example.test/a.yaml", true],
  ["\\\\server\\a.yaml", true],
  ["a.yaml", false],
  ["../a/b.yaml", false],
  // The drive of Windows.
  ["C:/a.yaml", false],
])("%s is a URL: %s", (reference, expected) => {
  expect(isUrl(reference)).toBe(expected);
});

test("a link to a file that is not YAML, JSON or Markdown is refused", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: link.yaml}}}\n`,
    ".env": "type: string\n",
  });
  await symlink(path.join(folder, ".env"), path.join(folder, "link.yaml"));
  const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
  expect(found.map((problem) => problem.message)).toEqual([
    expect.stringContaining(".env cannot be read: its name must end in"),
  ]);
});

test("references can lead to files of the folder that the user sets, and to nothing outside of it", async () => {
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

test("references to other files can lead to keys that a JSON pointer escapes", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${HEAD}paths: {/a: {parameters: [{$ref: "other.yaml#/parameters/a~1b"}]}}\ncomponents: {schemas: {A: {$ref: "other.yaml#/schemas/c~0d"}}}\n`,
    "other.yaml":
      "parameters: {a/b: {name: a, in: query, schema: {$ref: '#/schemas/e~1f'}}}\nschemas: {c~d: {type: string}, e/f: {type: integer}}\n",
  });
  const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
  expect(document).toMatchObject({
    paths: { "/a": { parameters: [{ $ref: "#/components/parameters/a~1b" }] } },
    components: {
      parameters: { "a/b": { name: "a" } },
      schemas: {
        A: { $ref: "#/components/schemas/c~0d" },
        "c~d": { type: "string" },
        "e/f": { type: "integer" },
      },
    },
  });
});

test("references to files can be percent-encoded", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: a%20b.yaml}, B: {$ref: c%20d.yaml#/B}}}\n`,
    "a b.yaml": "$ref: 100%25.yaml#/A\n",
    "100%.yaml": "A: {type: string}\n",
    "c%20d.yaml": "B: {type: integer}\n",
  });
  const { document } = await loadDocument(path.join(folder, "openapi.yaml"));
  expect(document).toMatchObject({
    components: { schemas: { A: { type: "string" }, B: { type: "integer" } } },
  });
});

test("each file that cannot be read is reported once", async () => {
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
    expect.stringMatching(/^6:16 .*gone\.yaml does not exist\. .* The same is true of 2 other references\.$/),
    expect.stringMatching(/^9:16 .*lost\.yaml does not exist\. Correct the path or create the file\.$/),
    expect.stringMatching(/^10:16 .*is not fetched\. .* The same is true of another reference\.$/),
  ]);
});

test("a missing file is reported by its path from the referring file, with a similar file in the root folder", async () => {
  const outside = await createFolder({ "pets.yaml": "" });
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: paths/a.yaml}, B: {$ref: "${outside}/pet.yaml"}}}\n`,
    "paths/a.yaml": 'not: {$ref: "../schemas/pet.yaml#/Pet"}\n',
    "schemas/pets.yaml": "Pet: {type: string}\n",
  });
  const found = await getErrors(loadDocument(path.join(folder, "openapi.yaml")));
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/pet\.yaml does not exist\. Correct the path or create the file\.$/),
    'Can\'t resolve $ref: ../schemas/pet.yaml does not exist. Did you mean "../schemas/pets.yaml"?',
  ]);
});

test("a file that cannot be read counts as one problem, however many references lead to it", async () => {
  const schemas = Array.from({ length: 1001 }, (_, index) => `    S${index}: {$ref: "gone.yaml#/A"}\n`);
  expect(
    await listDiagnostics(`${EMPTY}components:\n  schemas:\n${schemas.join("")}    Z: {$ref: "lost.yaml"}\n`),
  ).toEqual([
    expect.stringMatching(
      /^6:\d+ .*gone\.yaml does not exist\. .* The same is true of 1000 other references\.$/,
    ),
    expect.stringMatching(/^1007:\d+ .*lost\.yaml does not exist\. Correct the path or create the file\.$/),
  ]);
});

test("a limited number of references between files is followed", async () => {
  const folder = await createFolder({ "a.yaml": "type: string\n" });
  const files = new DocumentFiles(path.join(folder, "a.yaml"), folder, undefined);
  Reflect.set(files, "referenceCount", MAX_FILE_REFERENCES - 1);
  await files.resolveDocument(null, "a.yaml");
  await expect(files.resolveDocument(null, "a.yaml")).rejects.toThrow("Too many references between files.");
});

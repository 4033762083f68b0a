import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadDocument } from "../../../scripts/load/load.js";
import { readSourceFile } from "../../../scripts/load/read-source-file.js";
import { expectCpuTimeBelow } from "../../support/cpu-time.js";
import { createFolder, EMPTY, listDiagnostics } from "./documents.js";

describe("a document beyond a limit", () => {
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
    ["millions of nodes", `${EMPTY}x-a: [${"[],".repeat(3_000_000)}1]\n`, /above 2500000 nodes/],
    [
      "an object of thousands of entries",
      `${EMPTY}x-a:\n${Array.from({ length: 20_001 }, (_, i) => `  a${i}: 1\n`).join("")}`,
      /More than 20000 entries/,
    ],
    [
      "a schema with a long identifier",
      `${EMPTY}components: {schemas: {A: {$id: "https://a.test/${"a".repeat(10_000)}"}}}\n`,
      /^4:28 The URI of this \$id has more than 10000 characters/,
    ],
    [
      "a long $self",
      `${EMPTY}$self: "https://a.test/${"a".repeat(10_000)}"\n`,
      /^4:1 The URI of this \$self has more than 10000 characters/,
    ],
    [
      "a long identifier of short parts",
      `${EMPTY}components: {schemas: {A: ${`{$id: "${"a".repeat(800)}/", not: `.repeat(15)}{}${"}".repeat(15)}}}\n`,
      /The URI of this \$id has more than 10000 characters/,
    ],
  ])("gives a diagnostic: %s", async (_, text, message) => {
    const found = await listDiagnostics(text);
    expect(found[0]).toMatch(message);
  });

  it.each([
    [{ bytes: 14, nodes: 5 }, "is read"],
    [{ bytes: 13, nodes: 5 }, "brings the document above 64 MiB"],
    [{ bytes: 14, nodes: 4 }, "brings the document above 2500000 nodes"],
  ])("is refused, and not one at the limit: %j", async (budget, expected) => {
    const folder = await createFolder({ "a.yaml": "- - {a: [b,c]}" });
    const reading = readSourceFile(path.join(folder, "a.yaml"), undefined, budget);
    expect(await reading.then(() => "is read", String)).toContain(expected);
  });

  it("gives a diagnostic: a file above 64 MiB", async () => {
    expect(await listDiagnostics(`# ${"a".repeat(65 * 1024 * 1024)}`)).toEqual([
      expect.stringContaining("64 MiB"),
    ]);
  });
});

it("follows circular references with long pointers in data in linear time", async () => {
  const pointer = "/x-a".repeat(500);
  const references = Array.from({ length: 100 }, (_, index) => ({ $ref: `#/x-a/${index}` }));
  const document = { openapi: "3.1.0", info: { title: "a", version: "1" }, paths: {} };
  const text = JSON.stringify({ ...document, "x-a": { $ref: `#${pointer}` }, "x-b": references });
  const folder = await createFolder({ "openapi.json": text });
  // It takes 0.1 s instead of 10 s.
  await expectCpuTimeBelow(3000, () => loadDocument(path.join(folder, "openapi.json")));
});

it("reports 1,000 of 20,000 references to components of another kind, in linear time", async () => {
  const allOf = Array.from({ length: 20_000 }, () => ({ $ref: "#/components/responses/R" }));
  const components = { responses: { R: { description: "" } }, schemas: { A: { allOf } } };
  const document = { openapi: "3.1.0", info: { title: "a", version: "1" }, paths: {}, components };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  // It takes 0.2 s instead of 18 s.
  await expectCpuTimeBelow(4000, async () => {
    const { warnings } = await loadDocument(path.join(folder, "openapi.json"));
    expect(warnings).toHaveLength(1_000);
  });
});

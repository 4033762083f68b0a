import { expect, test } from "vitest";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { type LocationTarget, SourceText } from "../../../../scripts/load/text/source-text.js";

const TEXT = `# A comment.
plain: text
"quoted key": 'quoted'
empty:
block: | # kept
  lines
folded: >-
  lines
flow: [1, { deep: "x" }]
items:
  - &shared { a: !!str 1 }
  - *shared
  -
`;

/** Returns the text from the position of a value, or of its key, to the end of the line. */
function getText(keys: string[], target: LocationTarget): string {
  const source = new SourceText("/spec.yaml", TEXT);
  const { line, col } = source.getLineAndColumn(source.find(keys, target).offset);
  return TEXT.split("\n")[line - 1]?.slice(col - 1) ?? "";
}

test.each([
  { keys: ["plain"], key: "plain: text", value: "text" },
  { keys: ["quoted key"], key: `"quoted key": 'quoted'`, value: "'quoted'" },
  { keys: ["empty"], key: "empty:", value: "empty:" },
  { keys: ["block"], key: "block: | # kept", value: "| # kept" },
  { keys: ["folded"], key: "folded: >-", value: ">-" },
  { keys: ["flow", "1"], key: `{ deep: "x" }]`, value: `{ deep: "x" }]` },
  { keys: ["flow", "1", "deep"], key: `deep: "x" }]`, value: `"x" }]` },
  { keys: ["items", "0", "a"], key: "a: !!str 1 }", value: "1 }" },
  { keys: ["items", "1"], key: "*shared", value: "*shared" },
  { keys: ["items", "2"], key: "- &shared { a: !!str 1 }", value: "- &shared { a: !!str 1 }" },
])("$keys", ({ keys, key, value }) => {
  expect({ key: getText(keys, "key"), value: getText(keys, "value") }).toEqual({ key, value });
});

test("a block on the first line begins at its mark", () => {
  const source = new SourceText("/spec.yaml", "a: |\n  lines\n");
  expect(source.getLineAndColumn(source.find(["a"], "value").offset)).toEqual({ line: 1, col: 4 });
});

test("missing keys have the position of the nearest parent", () => {
  const source = new SourceText("/spec.yaml", TEXT);
  expect(source.find(["flow", "1", "none", "deeper"], "value")).toEqual(source.find(["flow", "1"], "value"));
  expect(source.find(["flow", "7"], "value")).toMatchObject({ depth: 1 });
  expect(source.find(["items", "1", "a"], "value")).toMatchObject({ depth: 2 });
  expect(source.find(["none"], "key")).toMatchObject({ depth: 0 });
});

test("positions in JSON are those of the YAML parser", () => {
  const value = {
    "": [[], {}, [[1, -2.5e3]], "a\\", '"]', "{\n"],
    'k"}': { "a/b": null, "\\": [true, { deep: "é:,[" }] },
    10: "numeric key",
  };
  for (const text of [JSON.stringify(value), `\n${JSON.stringify(value, null, "\t")}\n`, " 1 ", '"text"']) {
    const source = new SourceText("/spec.json", text);
    const json = new SourceText("/spec.json", text);
    json.isJson = true;
    const compare = (node: unknown, keys: string[]): void => {
      for (const target of ["key", "value"] as const)
        expect([keys, target, json.find(keys, target)]).toEqual([keys, target, source.find(keys, target)]);
      if (typeof node === "object" && node !== null)
        for (const [key, child] of Object.entries({ ...node, none: 1 })) compare(child, [...keys, key]);
    };
    compare(JSON.parse(text), []);
  }
});

test("finds the members of a large collection without reading those before each of them", async () => {
  const count = 20_000;
  const text = JSON.stringify({ list: Array.from({ length: count }, () => 1) });
  await expectCpuTimeBelow(2000, () => {
    const source = new SourceText("/spec.json", text);
    for (let index = 0; index < count; index += 1)
      expect(source.find(["list", String(index)], "value").depth).toBe(2);
  });
});

test("a key that occurs twice has the position of the first", () => {
  const source = new SourceText("/spec.json", '{"a": 1,\n"a": 2}');
  expect(source.getLineAndColumn(source.find(["a"], "key").offset)).toEqual({ line: 1, col: 2 });
});

test("finds every position in JSON", () => {
  const source = new SourceText("/spec.json", '{\n\t"a": [\n\t\ttrue, null]}');
  expect(source.getLineAndColumn(source.find(["a", "1"], "value").offset)).toEqual({ line: 3, col: 9 });
});

test("an empty text has its first position", () => {
  const source = new SourceText("/spec.yaml", "");
  expect(source.getLineAndColumn(source.find(["a"], "key").offset)).toEqual({ line: 1, col: 1 });
});

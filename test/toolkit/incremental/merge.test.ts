import { expect, test } from "vitest";
import { mergeExcerpt, MergeConflictError } from "../../../scripts/incremental/merge.js";

const WHOLE = `// Generated.

import { a, b } from "x";

/** The paths. */
export interface paths {
  /** A. */
  "/a": {
    get: operations["a"];
  };
  "/b=": {
    get: operations["b"];
  };
}
export type Cat = { name: string };

/** A dog. */
export type Dog = {
  name: string;
};
`;

/** Part of `WHOLE`. */
const BEFORE = `// Generated.

import { b } from "x";

/** The paths. */
export interface paths {
  "/b=": {
    get: operations["b"];
  };
}

/** A dog. */
export type Dog = {
  name: string;
};
`;

test("a change of an excerpt is made in the whole text, and nothing else", () => {
  const merge = (from: string, to: string): string => mergeExcerpt(BEFORE, BEFORE.replace(from, to), WHOLE);
  expect(merge("nothing", "")).toBe(WHOLE);
  expect(merge("A dog.", "A big dog.")).toBe(WHOLE.replace("A dog.", "A big dog."));
  expect(merge("  name: string;\n", "  name: string;\n  age: number;\n")).toBe(
    WHOLE.replace("  name: string;\n", "  name: string;\n  age: number;\n"),
  );
  expect(merge('get: operations["b"]', 'put: operations["b"]')).toBe(
    WHOLE.replace('get: operations["b"]', 'put: operations["b"]'),
  );
});

test("the last member of a list keeps its end without a comma", () => {
  const whole = '{\n  "a": {\n    "x": 1\n  },\n  "b": {\n    "y": 2\n  }\n}\n';
  const before = '{\n  "a": {\n    "x": 1\n  }\n}\n';
  expect(mergeExcerpt(before, before.replace("1", "3"), whole)).toBe(whole.replace("1", "3"));
});

test.each([
  ["another import", '"x"', '"y"'],
  ["a new statement", "/** A dog. */", "export type Bird = {};\n\n/** A dog. */"],
  ["a new statement at the end", "string;\n};\n", "string;\n};\nexport type Bird = {};\n"],
  ["another name", "type Dog", "type Wolf"],
  ["a new member of a block that the excerpt has in part", '  "/b="', '  "/c": {};\n  "/b="'],
  ["another comment of such a block", "The paths.", "All paths."],
  ["another blank line", "}\n\n/** A dog", "}\n/** A dog"],
])("%s is a conflict", (_, from, to) => {
  expect(() => mergeExcerpt(BEFORE, BEFORE.replace(from, to), WHOLE)).toThrow(MergeConflictError);
});

test("another import is a conflict, because code outside the excerpt may use what it no longer imports", () => {
  const whole =
    'import { a, b } from "x";\n\nexport const one = () => a;\n\nexport const two = () => b(a);\n';
  const before = 'import { a, b } from "x";\n\nexport const two = () => b(a);\n';
  const after = 'import { b } from "x";\n\nexport const two = () => b;\n';
  expect(() => mergeExcerpt(before, after, whole)).toThrow(MergeConflictError);
});

test("an excerpt that is not a part of the whole text is a conflict, even if it does not change there", () => {
  const renamed = BEFORE.replace('operations["b"]', 'operations["c"]');
  expect(() => mergeExcerpt(renamed, renamed.replace("A dog.", "A big dog."), WHOLE)).toThrow(
    MergeConflictError,
  );
  expect(() => mergeExcerpt(BEFORE.replace("Dog", "Wolf"), BEFORE.replace("Dog", "Wolf"), WHOLE)).toThrow(
    MergeConflictError,
  );
  const object = "export const a = {\n  b: 1,\n};\n";
  const whole = "export const a = {\n  b: 1,\n  c: 2,\n} as const;\n";
  expect(() => mergeExcerpt(object, object.replace("1", "2"), whole)).toThrow(MergeConflictError);
});

test("calls with the same name may change nowhere", () => {
  const whole = 'export function mount(router: R): void {\n  router.get("/a");\n  router.get("/b");\n}\n';
  const before = 'export function mount(router: R): void {\n  router.get("/b");\n}\n';
  expect(mergeExcerpt(before, before, whole)).toBe(whole);
  expect(() => mergeExcerpt(before, before.replace("/b", "/c"), whole)).toThrow(MergeConflictError);
});

test.each([
  ["readers of headers, which operations share by their content", "const etagHeaders = {\n  ETag: "],
])("another value in %s is a conflict", (_, start) => {
  const before = `${start}Number,\n};\n`;
  const whole = `${before}\nconst other = etagHeaders;\n`;
  expect(mergeExcerpt(before, before, whole)).toBe(whole);
  expect(() => mergeExcerpt(before, before.replace("Number", "String"), whole)).toThrow(MergeConflictError);
});

test("a constant of one schema may change", () => {
  const before = 'const Cat$names = new Set([\n  "a",\n]);\n';
  const after = before.replace('"a"', '"b"');
  expect(mergeExcerpt(before, after, before)).toBe(after);
});

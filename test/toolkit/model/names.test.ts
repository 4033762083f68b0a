import { describe, expect, test } from "vitest";
import {
  toIdentifier,
  makeGroupName,
  makeOperationId,
  toPascalCase,
  assignUniqueNames,
} from "../../../scripts/model/names.js";

const HOSTILE = [
  `a"; globalThis.canary = 1; "`,
  "a`${globalThis.canary}`",
  "*/ canary /*",
  "a\nb\r\nc",
  "a\u2028b\u2029c",
  "../../etc/passwd",
  "con",
  "\u202Egnp.exe",
  "🧭",
  "",
  " ",
  "1",
  "__proto__",
  "constructor",
  "then",
  "a".repeat(10_000),
];

describe("a name for an operation", () => {
  test.each([
    ["retrievePage", "retrievePage"],
    ["RetrievePage", "RetrievePage"],
    ["retrieve-page", "retrievePage"],
    ["retrieve page", "retrievePage"],
    ["pages/retrieve", "pagesRetrieve"],
    ["pages.retrieve_one", "pagesRetrieveOne"],
    ["HTTPServer-get", "hTTPServerGet"],
    ["snake_case", "snake_case"],
    ["$ref", "$ref"],
    ["2fa-enable", "_2faEnable"],
    ["Crème brûlée", "cremeBrulee"],
    ["größe lesen", "großeLesen"],
    ["获取用户", "获取用户"],
    ["получить пользователя", "получитьПользователя"],
    ["हिन्दी-한국어", "हिन्दी한국어"],
    ["用\u200b户\u3164", "用户"],
    ["1用户", "_1用户"],
    ["delete", "delete"],
    ["constructor", "constructorOperation"],
    ["toString", "toStringOperation"],
    ["toJSON", "toJSONOperation"],
    ["isPrototypeOf", "isPrototypeOfOperation"],
    ["new", "newOperation"],
    ["__proto__", "__proto__Operation"],
    // An awaited client must not look like a promise, and `http` is the low-level client.
    ["then", "thenOperation"],
    ["http", "httpOperation"],
    ["prototypes", "prototypes"],
    ["🧭", ""],
    ["", ""],
  ])("%j is %j", (id, name) => {
    expect(toIdentifier(id)).toBe(name);
  });

  test.each(HOSTILE)("%j is an ASCII identifier or nothing", (id) => {
    for (const name of [toIdentifier(id), toPascalCase(id)])
      expect(name).toMatch(/^([A-Za-z_$][A-Za-z0-9_$]*)?$/);
    for (const name of [toIdentifier(id)]) expect(Object.prototype).not.toHaveProperty([name || "-"]);
  });

  test.each([
    ["get", "/v1/pages/{page_id}", "getV1PagesByPageId"],
    ["get", "/", "get"],
    ["post", "/a-b/c.d", "postABCD"],
    ["delete", "/{a}/{b}", "deleteByAByB"],
  ])("%s %s without an operationId", (method, path, name) => {
    expect(makeOperationId(method, path)).toBe(name);
  });
});

test.each([
  ["Con", "conOperations"],
  ["COM1", "com1Operations"],
  ["lpt9", "lpt9Operations"],
  ["com10", "com10"],
])("the group %s, which gives a file its name, is called %s", (tag, name) => {
  expect(makeGroupName(tag)).toBe(name);
});

test("a name takes at most 200 bytes, because file names are limited", () => {
  expect(toIdentifier("用".repeat(300))).toBe("用".repeat(66));
  expect(toPascalCase("x".repeat(300))).toBe(`X${"x".repeat(199)}`);
});

describe("a type name", () => {
  test.each([
    ["retrievePage", "RetrievePage"],
    ["list-things", "ListThings"],
    ["snake_case", "SnakeCase"],
    ["2fa", "_2fa"],
    ["Result«List«订单»»", "ResultList订单"],
    ["", ""],
  ])("for %j is %j", (text, name) => {
    expect(toPascalCase(text)).toBe(name);
  });
});

describe("equal names", () => {
  const unique = (items: string[]): string[] => {
    const names = assignUniqueNames(
      items,
      (item) => item.split(" ")[0] ?? "",
      (item) => item,
    );
    return items.map((item) => `${item} -> ${names.get(item)}`).sort();
  };

  test.each([
    [
      ["a 1", "a 2", "a 3"],
      ["a 1 -> a", "a 2 -> a2", "a 3 -> a3"],
    ],
    [
      ["a 1", "A 2"],
      ["A 2 -> A", "a 1 -> a2"],
    ],
    [
      ["a 1", "a 2", "a2 3"],
      ["a 1 -> a", "a 2 -> a3", "a2 3 -> a2"],
    ],
    [
      ["a 1", "b 2"],
      ["a 1 -> a", "b 2 -> b"],
    ],
    // The second one needs no change.
    [
      ["A 1", "a"],
      ["A 1 -> A2", "a -> a"],
    ],
  ])("%j get unused numbers", (items, names) => {
    expect(unique(items)).toEqual(names);
    expect(unique(items.toReversed())).toEqual(names);
  });
});

test("names have at most 200 characters", () => {
  for (const convert of [toIdentifier, toPascalCase]) {
    expect(convert("ab-".repeat(100))).toHaveLength(200);
    expect(convert("ab-".repeat(101))).toHaveLength(200);
  }
});

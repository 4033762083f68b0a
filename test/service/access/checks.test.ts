import { expect, test } from "vitest";
import { checkName, describeInvalidEmail, normalizeEmail } from "../../../src/access/checks.js";
import { UserError } from "../../../src/errors.js";

const [RIGHT_TO_LEFT, ZERO_WIDTH, JOINER, TAG] = ["\u202e", "\u200b", "\u200d", "\u{e0041}"];

test("names must be visible and contain no control characters", () => {
  for (const name of ["Ada", "Ада", "עדה", "愛達", "👩‍💻", "4", "…", `👩${JOINER}💻`, "José"]) {
    expect(() => checkName("key", name)).not.toThrow();
  }
  const hidden = ["", " ", ZERO_WIDTH, TAG, `${ZERO_WIDTH}${JOINER}`, "\u00a0", "\u2029", "\u3164", "\u2800"];
  const turned = [`Ada${RIGHT_TO_LEFT}adA`, "\u2066Ada", "A\u200fda", "A\u2028da", "A\nda", "A\0", "\ud800"];
  for (const name of [...hidden, ...turned]) {
    expect(() => checkName("key", name)).toThrow(UserError);
  }
});

test("names have at most 100 UTF-16 units", () => {
  expect(() => checkName("you", "x".repeat(100))).not.toThrow();
  expect(() => checkName("you", "x".repeat(101))).toThrow("Your name has 101 characters. Use at most 100.");
  expect(() => checkName("key", "🧭".repeat(51))).toThrow("The name of the key has 102 characters.");
});

test("an empty name is asked for", () => {
  expect(() => checkName("you", " ")).toThrow("Enter your name.");
  expect(() => checkName("key", "")).toThrow("Enter a name for the key.");
});

test("the name of a workspace cannot be an ID, unlike other names", () => {
  const id = "0190a5ab-1b2c-7d3e-8f00-0123456789ab";
  expect(() => checkName("workspace", id)).toThrow("The name of the workspace is an ID.");
  expect(() => checkName("key", id)).not.toThrow();
});

test("e-mail addresses contain no invisible characters and are normalized", () => {
  for (const email of ["ada@example.org", "josé@例え.jp", "a@b"]) {
    expect(describeInvalidEmail(email)).toBeUndefined();
  }
  for (const part of [ZERO_WIDTH, JOINER, RIGHT_TO_LEFT, TAG, "\0", " ", "\ud800", "@"]) {
    for (const email of [`ad${part}a@example.org`, `ada@example${part}.org`]) {
      expect(describeInvalidEmail(email)).toContain("is not an e-mail address. Enter one");
    }
  }
  expect(normalizeEmail(" JOSE\u0301@Example.org ")).toBe("jos\u00e9@example.org");
});

test.each([
  ["Ada@EXÄMPLE.org", "ada@xn--exmple-cua.org"],
  ["ａｄａ＠example.org", "ada@example.org"],
  ["A@B@EXÄMPLE.org", "a@b@xn--exmple-cua.org"],
  ["a\0@example.org", "a\ufffd@example.org"],
  ["Ada", "ada"],
  ["ada@", "ada@"],
  ["ada@a b", "ada@a b"],
])("the e-mail address %j is normalized to %j", (email, expected) => {
  expect(normalizeEmail(email)).toBe(expected);
});

test("e-mail addresses have at most 200 UTF-16 units", () => {
  expect(describeInvalidEmail(`${"a".repeat(198)}@b`)).toBeUndefined();
  expect(describeInvalidEmail(`${"a".repeat(199)}@b`)).toContain("Use at most 200 characters.");
});

test("a text that is much too long for an e-mail address is cut before it is normalized", () => {
  const email = normalizeEmail("a".repeat(16_000));
  expect(email).toHaveLength(1000);
  expect(describeInvalidEmail(email)).toContain("Use at most 200");
});

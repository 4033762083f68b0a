import { expect, test } from "vitest";
import { checkEmail, checkName, normalizeEmail } from "../../../src/access/checks.js";
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

test("e-mail addresses contain no invisible characters and are normalized", () => {
  for (const email of ["ada@example.org", "josé@例え.jp", "a@b"]) {
    expect(() => checkEmail(email)).not.toThrow();
  }
  for (const part of [ZERO_WIDTH, JOINER, RIGHT_TO_LEFT, TAG, "\0", " ", "\ud800", "@"]) {
    for (const email of [`ad${part}a@example.org`, `ada@example${part}.org`]) {
      expect(() => checkEmail(email)).toThrow(UserError);
    }
  }
  expect(normalizeEmail(" JOSE\u0301@Example.org ")).toBe("jos\u00e9@example.org");
});

test("a text that is much too long for an e-mail address is cut before it is normalized", () => {
  const email = normalizeEmail("a".repeat(16_000));
  expect(email).toHaveLength(1000);
  expect(() => checkEmail(email)).toThrow("Use at most 200");
});

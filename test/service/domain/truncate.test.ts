import { expect, test } from "vitest";
import { createInvalidValueError } from "../../../src/domain/errors.js";
import { truncate } from "../../../src/domain/truncate.js";

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["ab🧭", 3, "ab"],
  ["ab🧭", 4, "ab🧭"],
  ["ab🧭c", 4, "ab🧭"],
  ["🧭", 1, ""],
])("%s in %d UTF-16 units is %s", (text, maxLength, expected) => {
  expect(truncate(text, maxLength)).toBe(expected);
});

test("messages truncate long values at a whole character", () => {
  // The quotation mark of the JSON text is counted.
  const { message } = createInvalidValueError("body.title", "short", `${"a".repeat(98)}🧭${"a".repeat(50)}`);
  expect(message).toContain(`instead was \`"${"a".repeat(98)}…\``);
});

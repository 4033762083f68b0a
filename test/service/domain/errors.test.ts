import { expect, test } from "vitest";
import { createInvalidValueError } from "../../../src/domain/errors.js";

test.each([
  ["x".repeat(98), `"${"x".repeat(98)}"`],
  ["x".repeat(99), `"${"x".repeat(99)}…`],
  [`${"x".repeat(98)}🌱`, `"${"x".repeat(98)}…`],
])("an invalid value of more than 100 characters is cut, with an ellipsis: %s", (value, quoted) => {
  expect(createInvalidValueError("body.icon.emoji", "an emoji", value).message).toBe(
    `body failed validation: body.icon.emoji should be an emoji, instead was \`${quoted}\`.`,
  );
});

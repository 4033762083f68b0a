import { expect, test } from "vitest";
import { unwrapParagraphs } from "../../../scripts/project/docs/unwrap.js";

test("joins the lines of paragraphs, and keeps all other Markdown", () => {
  const other = [
    "# Title",
    "Text.",
    "",
    "| a | b |",
    "| - | - |",
    "After a table, and before code:",
    "```sh",
    "one",
    "two # three",
    "```",
    "- item",
    "- item",
    "1. first",
    "2. second",
    "10) tenth",
    "  11. eleventh",
    "* star",
    "+ plus",
    "> quote",
    "<b>tag</b>",
    "Text after a tag.",
  ].join("\n");
  expect(unwrapParagraphs(other)).toBe(other);
  expect(unwrapParagraphs("one\ntwo\n\n- three\n  four\n- five\n\nsix\n`seven`\n8 eight\n-nine\n")).toBe(
    "one two\n\n- three four\n- five\n\nsix `seven` 8 eight -nine\n",
  );
});

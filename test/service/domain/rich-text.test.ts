import { expect, test } from "vitest";
import { parseRichTextRun } from "../../../src/domain/rich-text.js";

const parseLink = (url: string) => parseRichTextRun({ text: { content: "x", link: { url } } }).href;

test("a link is absolute, or a path, fragment or query without spaces", () => {
  for (const url of ["https://example.org/a b", "mailto:a@example.org", "/page", "#part", "?page=2"]) {
    expect(parseLink(url)).toBe(url);
  }
  for (const url of ["page", "/a page", "#a part", "?a b", ""]) {
    expect(() => parseLink(url)).toThrow("Invalid URL for link.");
  }
});

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

test("a template mention or custom emoji has a plain text, also without a name", () => {
  const id = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";
  const mentions = [
    { template_mention: { template_mention_date: "now" as const } },
    { custom_emoji: { id } },
  ];
  const runs = mentions.map((mention) => parseRichTextRun({ mention }));
  expect(runs.map(({ plain_text }) => plain_text)).toEqual(["@Now", "::"]);
});

import { expect, test } from "vitest";
import { MAX_RENDERED_CHARACTERS } from "../../../../src/budgets.js";
import type { RichText } from "../../../../src/domain/rich-text.js";
import { html } from "../../../../src/web/html.js";
import { renderBlocks } from "../../../../src/web/render/blocks.js";
import { RenderBudget } from "../../../../src/web/render/budget.js";
import { renderPropertyValue } from "../../../../src/web/render/property-value.js";
import { renderRichText } from "../../../../src/web/render/rich-text.js";
import { plainRun } from "../../../support/objects.js";
import { createBlockContext, createNode } from "./nodes.js";

const PLAIN = plainRun("");
const PAGE_ID = "00000000-0000-7000-9000-000000000001";
const ANNOTATED: RichText = {
  ...PLAIN,
  annotations: { bold: true, italic: true, strikethrough: true, underline: true, code: true, color: "red" },
};
/** Length of the HTML of one run, with space to spare. */
const MAX_RUN_LENGTH = 200;

function repeatUntilCut(run: RichText): RichText[] {
  const { length } = html`${renderRichText([run], new RenderBudget())}`.text;
  return Array.from({ length: Math.ceil((MAX_RENDERED_CHARACTERS * 1.5) / length) }, () => run);
}

test.each<[string, RichText]>([
  ["annotations", ANNOTATED],
  ["lines", { ...PLAIN, plain_text: "\n" }],
  ["links", { ...PLAIN, plain_text: "x", href: "http://a/" }],
  [
    "mentions of pages",
    { ...PLAIN, type: "mention", mention: { type: "page", page: { id: PAGE_ID } }, plain_text: "x" },
  ],
  [
    "dates",
    {
      ...PLAIN,
      type: "mention",
      mention: { type: "date", date: { start: "2026-05-04", end: null, time_zone: null } },
    },
  ],
])("the markup of %s counts as characters of the page", (_, run) => {
  const budget = new RenderBudget();
  const { text } = html`${renderRichText(repeatUntilCut(run), budget)}`;
  expect(budget.isExhausted).toBe(true);
  expect(text.length).toBeGreaterThan(MAX_RENDERED_CHARACTERS - MAX_RUN_LENGTH);
  expect(text.length).toBeLessThan(MAX_RENDERED_CHARACTERS + MAX_RUN_LENGTH);
});

test.each(["table", "table_row"])("a %s is cut within a row", (type) => {
  const cells = Array.from({ length: 50 }, () => repeatUntilCut(ANNOTATED).slice(0, 1000));
  const row = createNode("table_row", { cells });
  const content = { table_width: 50, has_column_header: false, has_row_header: false };
  const nodes = [type === "table" ? createNode("table", content, [row]) : row];
  const budget = new RenderBudget();
  const rendered = renderBlocks(nodes, createBlockContext({ budget }));
  const { text } = html`${rendered}`;
  expect(text.split(/<td>| \| /).length).toBeLessThan(40);
  expect(budget.isExhausted).toBe(true);
});

test("properties after one that exhausts the space of the page are not shown", () => {
  const budget = new RenderBudget();
  const context = { budget, titles: new Map(), numberFormats: new Map() };
  const long = renderPropertyValue(
    { id: "a", type: "rich_text", rich_text: repeatUntilCut(ANNOTATED) },
    context,
  );
  expect(html`${long}`.text.length).toBeLessThan(MAX_RENDERED_CHARACTERS + MAX_RUN_LENGTH);
  expect(renderPropertyValue({ id: "b", type: "checkbox", checkbox: true }, context)).toBeUndefined();
});

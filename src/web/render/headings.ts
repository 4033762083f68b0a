import { formatBareId } from "../../domain/ids.js";
import { toPlainText } from "../../domain/properties/plain-text.js";
import { formatTitle } from "../../domain/text.js";
import type { BlockNode } from "../../operations/load/block-tree.js";
import type { BlockBody } from "../../operations/present/block.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { BlockContext, Heading } from "./context.js";

/** Collects the headings of a page, in order. */
export function collectHeadings(nodes: readonly BlockNode[]): Heading[] {
  return nodes.flatMap(({ block, children }): Heading[] => {
    const heading = toHeading(block);
    return [...(heading === undefined ? [] : [heading]), ...collectHeadings(children)];
  });
}

function toHeading(block: BlockBody): Heading | undefined {
  switch (block.type) {
    case "heading_1":
      return { id: block.id, level: 1, text: toPlainText(block.heading_1.rich_text) };
    case "heading_2":
      return { id: block.id, level: 2, text: toPlainText(block.heading_2.rich_text) };
    case "heading_3":
      return { id: block.id, level: 3, text: toPlainText(block.heading_3.rich_text) };
    default:
      return undefined;
  }
}

/** Renders links to the headings of a page, as many as its size limit allows. */
export function renderTableOfContents(idAttribute: HtmlValue, { headings, budget }: BlockContext): Html {
  if (headings.length === 0)
    return html`<p ${idAttribute} class="block muted">This page has no headings.</p>`;
  const entries: Html[] = [];
  for (const heading of headings) {
    const entry = budget.reserveHtml(
      html`<li class="level-${heading.level}">
        <a href="#${formatBareId(heading.id)}">${formatTitle(heading.text)}</a>
      </li>`,
    );
    if (entry === undefined) break;
    entries.push(entry);
  }
  return html`<div ${idAttribute} class="block contents" role="group" aria-label="Table of contents">
    <ul>
      ${entries}
    </ul>
  </div>`;
}

import { formatBareId } from "../../domain/ids.js";
import { toPlainText } from "../../domain/properties/plain-text.js";
import type { RichText } from "../../domain/rich-text.js";
import { isInvisible } from "../../domain/text.js";
import type { BlockNode } from "../../operations/views/block-tree.js";
import type { BlockBody } from "../../operations/present/block.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { BlockContext, Heading } from "./context.js";

/** Collects the headings of a page, in order. */
export function collectHeadings(nodes: readonly BlockNode[], outline: number[] = []): Heading[] {
  return nodes.flatMap(({ block, children }): Heading[] => {
    const heading = toHeading(block, outline);
    return [...(heading === undefined ? [] : [heading]), ...collectHeadings(children, outline)];
  });
}

/** Returns the heading that a block is; undefined for other blocks, and for headings without text. */
function toHeading(block: BlockBody, outline: number[]): Heading | undefined {
  const create = (level: number, runs: readonly RichText[]): Heading | undefined => {
    const text = toPlainText(runs);
    return isInvisible(text) ? undefined : { id: block.id, depth: addToOutline(outline, level), text };
  };
  switch (block.type) {
    case "heading_1":
      return create(1, block.heading_1.rich_text);
    case "heading_2":
      return create(2, block.heading_2.rich_text);
    case "heading_3":
      return create(3, block.heading_3.rich_text);
    default:
      return undefined;
  }
}

/** Adds a heading to the levels of those above it, and returns its depth, from 1, which never skips a step. */
export function addToOutline(outline: number[], level: number): number {
  while ((outline.at(-1) ?? 0) >= level) outline.pop();
  return outline.push(level);
}

/** Renders links to the headings of a page, as many as the budget allows. */
export function renderTableOfContents(idAttribute: HtmlValue, { headings, budget }: BlockContext): Html {
  if (headings.length === 0)
    return html`<p ${idAttribute} class="block muted">This page has no headings.</p>`;
  const entries: Html[] = [];
  for (const heading of headings) {
    const entry = budget.reserveHtml(
      html`<li class="depth-${heading.depth}">
        <a href="#${formatBareId(heading.id)}">${heading.text}</a>
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

import { toPlainText } from "../../domain/properties/plain-text.js";
import type { RichText } from "../../domain/rich-text.js";
import { isInvisible } from "../../domain/text.js";
import type { BlockNode } from "../../operations/views/block-tree.js";
import { getLinkTarget } from "../../operations/views/linked-titles.js";
import { html, Html, type HtmlValue } from "../html.js";
import { renderCode } from "./code.js";
import type { BlockContext } from "./context.js";
import { renderEquation } from "./equation.js";
import { addToOutline, renderTableOfContents } from "./headings.js";
import { renderIcon } from "./icon.js";
import { renderChildLink, renderFigure, renderImage, renderLink, renderLinkToPage } from "./leaf-blocks.js";
import { renderBlockIdAttribute, renderMoreLink } from "./links.js";
import { renderRichText } from "./rich-text.js";
import { renderTable } from "./table-block.js";

/** HTML elements of lists, by the type of their items. */
const LIST_TAGS: Readonly<Record<string, Html>> = {
  bulleted_list_item: new Html("ul"),
  to_do: new Html("ul"),
  numbered_list_item: new Html("ol"),
};

/** Renders the children of a page or block, in order. Neighbouring list items of one type share a list. */
export function renderBlocks(nodes: readonly BlockNode[], context: BlockContext): Html[] {
  const groups: { readonly first: BlockNode; readonly rendered: Html[] }[] = [];
  for (const node of nodes) {
    if (context.budget.isExhausted) break;
    const { type } = node.block;
    const rendered = renderBlock(node, context);
    const last = groups.at(-1);
    if (type in LIST_TAGS && last?.first.block.type === type) last.rendered.push(rendered);
    else groups.push({ first: node, rendered: [rendered] });
  }
  return groups.flatMap(({ first, rendered }) => wrapInList(first, rendered));
}

/** Wraps the items of a list, which begins with `first`. Returns other blocks unchanged. */
function wrapInList({ block, listNumber = 1 }: BlockNode, rendered: Html[]): Html | Html[] {
  const tag = LIST_TAGS[block.type];
  if (tag === undefined) return rendered;
  const start = listNumber > 1 && html`start="${listNumber}"`;
  const attribute = block.type === "to_do" ? html`class="to-do"` : start;
  return html`<${tag} ${attribute} dir="auto">${rendered}</${tag}>`;
}

function renderBlock(node: BlockNode, context: BlockContext): Html {
  const { block } = node;
  const { budget } = context;
  const id = renderBlockIdAttribute(block.id, context.usedIds);
  const renderInline = (runs: readonly RichText[]): HtmlValue => renderRichText(runs, budget);
  const renderNested = (): HtmlValue => renderChildren(node, context);
  switch (block.type) {
    case "paragraph":
      return html`<div ${id} class="block ${formatColorClass(block.paragraph)}">
        <p>${renderInline(block.paragraph.rich_text)}</p>
        ${renderNested()}
      </div>`;
    case "heading_1":
      return renderHeading(node, id, 1, block.heading_1, context);
    case "heading_2":
      return renderHeading(node, id, 2, block.heading_2, context);
    case "heading_3":
      return renderHeading(node, id, 3, block.heading_3, context);
    case "bulleted_list_item":
      return renderListItem(node, id, block.bulleted_list_item, context);
    case "numbered_list_item":
      return renderListItem(node, id, block.numbered_list_item, context);
    case "to_do":
      return renderToDo(node, id, block.to_do, context);
    case "toggle":
      return html`<details ${id} class="block ${formatColorClass(block.toggle)}" dir="auto">
        ${renderSummary(block.toggle, renderInline(block.toggle.rich_text))} ${renderNested()}
      </details>`;
    case "quote":
      return html`<blockquote ${id} class="${formatColorClass(block.quote)}" dir="auto">
        <p>${renderInline(block.quote.rich_text)}</p>
        ${renderNested()}
      </blockquote>`;
    case "callout":
      return html`<div ${id} class="callout ${formatColorClass(block.callout)}" role="note" dir="auto">
        ${budget.reserveHtml(renderIcon(block.callout.icon))}
        <div>
          <p>${renderInline(block.callout.rich_text)}</p>
          ${renderNested()}
        </div>
      </div>`;
    case "table":
      return renderTable(node, id, block.table, context);
    case "column_list":
      return html`<div ${id} class="column-list block">${renderNested()}</div>`;
    case "column":
    case "synced_block":
      return html`<div ${id} class="block unindented">${renderNested()}</div>`;
    case "template":
      return html`<div ${id} class="block">
        <p class="muted">Template button: ${renderInline(block.template.rich_text)}</p>
        ${renderNested()}
      </div>`;
    case "code": {
      const { rich_text: runs, language, caption } = block.code;
      return renderFigure(id, renderCode(toPlainText(runs), language, budget), caption, context);
    }
    case "equation":
      return html`<div ${id} class="block equation" tabindex="0">
        ${renderEquation(block.equation.expression, { display: true }, budget)}
      </div>`;
    case "divider":
      return html`<hr ${id} />`;
    case "breadcrumb":
      return html`<div ${id} class="block breadcrumbs">${budget.reserveHtml(context.breadcrumbs)}</div>`;
    case "table_of_contents":
      return renderTableOfContents(id, context);
    case "image":
      return renderImage(id, block.image, context);
    case "bookmark":
      return renderLink(id, "Bookmark", block.bookmark.url, block.bookmark.caption, context);
    case "embed":
      return renderLink(id, "Embedded page", block.embed.url, block.embed.caption, context);
    case "link_preview":
      return renderLink(id, "Link", block.link_preview.url, [], context);
    case "video":
      return renderLink(id, "Video", block.video.external.url, block.video.caption, context);
    case "pdf":
      return renderLink(id, "PDF", block.pdf.external.url, block.pdf.caption, context);
    case "audio":
      return renderLink(id, "Audio", block.audio.external.url, block.audio.caption, context);
    case "file":
      return renderLink(id, block.file.name || "File", block.file.external.url, block.file.caption, context);
    case "child_page":
      return renderChildLink(id, { kind: "page", id: block.id, ...block.child_page }, context);
    case "child_database":
      return renderChildLink(id, { kind: "database", id: block.id, ...block.child_database }, context);
    case "link_to_page":
      return renderLinkToPage(id, getLinkTarget(block), context);
    case "table_row":
      return html`<p ${id} class="block">
        ${budget.mapWhileLeft(block.table_row.cells, (cell, index) => [index > 0 && " | ", renderInline(cell)])}
      </p>`;
    case "unsupported":
      return html`<p ${id} class="block muted">A block that cannot be shown here</p>`;
  }
}

function renderChildren({ children, rest }: BlockNode, context: BlockContext): HtmlValue {
  if (children.length === 0 && rest === undefined) return undefined;
  return html`<div class="children">
    ${renderBlocks(children, context)} ${renderMoreLink("Show more", rest)}
  </div>`;
}

interface TextContent {
  readonly rich_text: readonly RichText[];
  readonly color: string;
}

function renderListItem(node: BlockNode, id: HtmlValue, content: TextContent, context: BlockContext): Html {
  return html`<li ${id} class="${formatColorClass(content)}">
    ${renderRichText(content.rich_text, context.budget)} ${renderChildren(node, context)}
  </li>`;
}

function renderToDo(
  node: BlockNode,
  id: HtmlValue,
  content: TextContent & { readonly checked: boolean },
  context: BlockContext,
): Html {
  return html`<li ${id} class="${formatColorClass(content)}">
    <label
      ><input
        type="checkbox"
        disabled
        ${content.checked && html`checked`}
        ${isBlank(content) && html`aria-label="To-do without text"`}
      /><span class="${content.checked && "done"}"
        >${renderRichText(content.rich_text, context.budget)}</span
      ></label
    >
    ${renderChildren(node, context)}
  </li>`;
}

/** Renders a heading of the first depth as `h2`, and so on, because the title of the page is the only `h1`. */
function renderHeading(
  node: BlockNode,
  id: HtmlValue,
  level: number,
  content: TextContent & { readonly is_toggleable: boolean },
  context: BlockContext,
): Html {
  // A heading without text would only interrupt the outline that screen readers list.
  const tag = new Html(isBlank(content) ? "div" : `h${addToOutline(context.outline, level) + 1}`);
  const text = renderRichText(content.rich_text, context.budget);
  const heading = html`<${tag} ${id} class="heading-${level} ${formatColorClass(content)}">${text}</${tag}>`;
  const children = renderChildren(node, context);
  if (!content.is_toggleable) return html`${heading}${children}`;
  return html`<details class="block" dir="auto">${renderSummary(content, heading)} ${children}</details>`;
}

/** Renders the visible part of a toggle, named for screen readers if it has no text. */
function renderSummary(content: TextContent, rendered: HtmlValue): Html {
  return isBlank(content)
    ? html`<summary aria-label="Toggle without text">${rendered}</summary>`
    : html`<summary>${rendered}</summary>`;
}

function isBlank({ rich_text: runs }: TextContent): boolean {
  return isInvisible(toPlainText(runs));
}

function formatColorClass({ color }: { readonly color: string }): string {
  return color === "default" ? "" : `color-${color}`;
}

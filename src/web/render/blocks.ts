import { toPlainText } from "../../domain/properties/plain-text.js";
import type { RichText } from "../../domain/rich-text.js";
import { isInvisible } from "../../domain/text.js";
import type { BlockNode } from "../../operations/views/block-tree.js";
import { html, Html, type HtmlValue } from "../html.js";
import type { BlockContext } from "./context.js";
import { addToOutline } from "./headings.js";
import { renderIcon } from "./icon.js";
import { renderLeafBlock } from "./leaf-blocks.js";
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
  const id = renderBlockIdAttribute(block.id, context.usedIds);
  const renderInline = (runs: readonly RichText[]): HtmlValue => renderRichText(runs, context.budget);
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
        ${context.budget.reserveHtml(renderIcon(block.callout.icon))}
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
    default:
      return renderLeafBlock(block, id, context);
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

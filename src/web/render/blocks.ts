import { toPlainText } from "../../domain/properties/plain-text.js";
import type { RichText } from "../../domain/rich-text.js";
import { formatTitle, isInvisible } from "../../domain/text.js";
import type { BlockNode } from "../../operations/views/block-tree.js";
import { getLinkTarget, type LinkTarget } from "../../operations/views/linked-titles.js";
import { html, Html, type HtmlValue } from "../html.js";
import { renderCode } from "./code.js";
import { renderEquation } from "./equation.js";
import type { BlockContext } from "./context.js";
import { addToOutline, renderTableOfContents } from "./headings.js";
import { renderIcon } from "./icon.js";
import {
  getContentPath,
  renderBlockIdAttribute,
  renderExternalLink,
  renderRestLink,
  toSafeImageUrl,
} from "./links.js";
import { renderRichText } from "./rich-text.js";
import { renderTable } from "./table-block.js";

/** HTML lists by block type. Neighbouring blocks of one type share a list. */
const LIST_TAGS: Readonly<Record<string, Html>> = {
  bulleted_list_item: new Html("ul"),
  to_do: new Html("ul"),
  numbered_list_item: new Html("ol"),
};

/** Renders the children of a page or block, in order. */
export function renderBlocks(nodes: readonly BlockNode[], context: BlockContext): Html[] {
  const rendered: Html[] = [];
  // Each turn renders a group: neighbouring list items of one type, or one other block.
  for (let index = 0; index < nodes.length && !context.budget.isExhausted;) {
    const type = nodes[index]?.block.type ?? "";
    const listNumber = nodes[index]?.listNumber ?? 1;
    const tag = LIST_TAGS[type];
    let end = index + 1;
    if (tag !== undefined) while (nodes[end]?.block.type === type) end += 1;
    const group: Html[] = [];
    for (const node of nodes.slice(index, end)) {
      if (context.budget.isExhausted) break;
      group.push(renderBlock(node, context));
    }
    const start = listNumber > 1 && html`start="${listNumber}"`;
    const attribute = type === "to_do" ? html`class="to-do"` : start;
    if (tag === undefined) rendered.push(...group);
    else rendered.push(html`<${tag} ${attribute} dir="auto">${group}</${tag}>`);
    index = end;
  }
  return rendered;
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
      return html`<li ${id} class="${formatColorClass(block.to_do)}">
        <label
          ><input
            type="checkbox"
            disabled
            ${block.to_do.checked && html`checked`}
            ${isBlank(block.to_do) && html`aria-label="To-do without text"`}
          /><span class="${block.to_do.checked && "done"}"
            >${renderInline(block.to_do.rich_text)}</span
          ></label
        >
        ${renderNested()}
      </li>`;
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
    case "code":
      return renderFigure(
        id,
        renderCode(toPlainText(block.code.rich_text), block.code.language, context.budget),
        block.code.caption,
        context,
      );
    case "equation":
      return html`<div ${id} class="block equation" tabindex="0">
        ${renderEquation(block.equation.expression, { display: true }, context.budget)}
      </div>`;
    case "divider":
      return html`<hr ${id} />`;
    case "breadcrumb":
      return html`<div ${id} class="block breadcrumbs">
        ${context.budget.reserveHtml(context.breadcrumbs)}
      </div>`;
    case "table_of_contents":
      return renderTableOfContents(id, context);
    case "image":
      return renderImage(id, block.image, context);
    case "bookmark":
      return renderLink(id, block.bookmark.url, "Bookmark", block.bookmark.caption, context);
    case "embed":
      return renderLink(id, block.embed.url, "Embedded page", block.embed.caption, context);
    case "link_preview":
      return renderLink(id, block.link_preview.url, "Link", [], context);
    case "video":
      return renderLink(id, block.video.external.url, "Video", block.video.caption, context);
    case "pdf":
      return renderLink(id, block.pdf.external.url, "PDF", block.pdf.caption, context);
    case "audio":
      return renderLink(id, block.audio.external.url, "Audio", block.audio.caption, context);
    case "file":
      return renderLink(id, block.file.external.url, block.file.name || "File", block.file.caption, context);
    case "child_page":
      return renderChildLink(id, { kind: "page", id: block.id, title: block.child_page.title }, context);
    case "child_database":
      return renderChildLink(
        id,
        { kind: "database", id: block.id, title: block.child_database.title },
        context,
      );
    case "link_to_page":
      return renderLinkToPage(id, getLinkTarget(block), context);
    case "table":
      return renderTable(node, id, block.table, context);
    case "column_list":
      return html`<div ${id} class="column-list block">${renderNested()}</div>`;
    case "column":
      return html`<div ${id} class="block unindented">${renderNested()}</div>`;
    case "synced_block":
      return html`<div ${id} class="block unindented">${renderNested()}</div>`;
    case "template":
      return html`<div ${id} class="block">
        <p class="muted">Template button: ${renderInline(block.template.rich_text)}</p>
        ${renderNested()}
      </div>`;
    case "table_row":
      return html`<p ${id} class="block">
        ${block.table_row.cells.map((cell, index) => [index > 0 && " | ", renderInline(cell)])}
      </p>`;
    case "unsupported":
      return html`<p ${id} class="block muted">A block that cannot be shown here</p>`;
  }
}

function renderChildren({ children, rest }: BlockNode, context: BlockContext): HtmlValue {
  if (children.length === 0 && rest === undefined) return undefined;
  return html`<div class="children">
    ${renderBlocks(children, context)} ${renderRestLink("Show more", rest)}
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

function renderImage(
  id: HtmlValue,
  { external, caption }: { external: { url: string }; caption: readonly RichText[] },
  context: BlockContext,
): Html {
  const { budget } = context;
  const source = toSafeImageUrl(external.url);
  if (source === undefined) return html`<p ${id} class="block muted">${budget.clip(external.url)}</p>`;
  const altText = budget.clip(toPlainText(caption)) || "Image without a description";
  const image = html`<img src="${source}" alt="${altText}" referrerpolicy="no-referrer" loading="lazy" />`;
  return renderFigure(id, budget.reserveHtml(image), caption, context);
}

/** Renders embedded content as a link, so that nothing is loaded from other sites. */
function renderLink(
  id: HtmlValue,
  url: string,
  kind: string,
  caption: readonly RichText[],
  context: BlockContext,
): Html {
  const { budget } = context;
  const content = renderExternalLink(url, budget.clip(url), budget);
  const paragraph = html`<p class="external"><span class="muted">${budget.clip(kind)}</span> ${content}</p>`;
  return renderFigure(id, paragraph, caption, context);
}

function renderChildLink(
  id: HtmlValue,
  target: { readonly kind: "page" | "database"; readonly id: string; readonly title: string },
  { budget, icons }: BlockContext,
): Html {
  return html`<p ${id} class="block child ${target.kind}">
    ${budget.reserveHtml(renderIcon(icons.get(target.id) ?? null))}
    <a href="${getContentPath(target.id)}">${budget.clip(formatTitle(target.title))}</a>
  </p>`;
}

function renderLinkToPage(id: HtmlValue, target: LinkTarget | undefined, context: BlockContext): Html {
  if (target === undefined) return html`<p ${id} class="block muted">A link to a comment</p>`;
  const title = context.titles.get(target.id) ?? `Linked ${target.kind}`;
  return renderChildLink(id, { ...target, title }, context);
}

function renderFigure(
  id: HtmlValue,
  content: HtmlValue,
  caption: readonly RichText[],
  { budget }: BlockContext,
): Html {
  return html`<figure ${id} class="block">
    ${content} ${caption.length > 0 && html`<figcaption>${renderRichText(caption, budget)}</figcaption>`}
  </figure>`;
}

function formatColorClass({ color }: { readonly color: string }): string {
  return color === "default" ? "" : `color-${color}`;
}

import type { components } from "../../../generated/types.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { Block, BlockNode } from "./block-node.js";
import type { RenderContext } from "./budget.js";
import { renderCode } from "./code.js";
import { renderEquation } from "./equation.js";
import { renderIcon } from "./icon.js";
import { getContentPath, renderExternalLink, toSafeImageUrl } from "./links.js";
import { toPlainText, renderRichText, type RichText } from "./rich-text.js";
import { renderTable } from "./table-block.js";

/** Data for rendering the blocks of a page. */
export interface BlockContext extends RenderContext {
  /** Rendered breadcrumbs of the page, for breadcrumb blocks. */
  readonly breadcrumbs: Html;
  /** Headings of the page, for tables of contents. */
  readonly headings: readonly Heading[];
}

/** A heading of a page. */
export interface Heading {
  readonly id: string;
  readonly level: 1 | 2 | 3;
  readonly text: string;
}

/** HTML lists by block type. Neighbouring blocks of one type share a list. */
const LIST_TAGS: Readonly<Record<string, "ul" | "ol">> = {
  bulleted_list_item: "ul",
  to_do: "ul",
  numbered_list_item: "ol",
};

/** Renders the children of a page or block, in order. */
export function renderBlocks(nodes: readonly BlockNode[], context: BlockContext): Html[] {
  const rendered: Html[] = [];
  // Each turn renders a group: neighbouring list items of one type, or one other block.
  for (let index = 0; index < nodes.length;) {
    const type = nodes[index]?.block.type ?? "";
    let end = index + 1;
    if (LIST_TAGS[type] !== undefined) while (nodes[end]?.block.type === type) end += 1;
    const group = nodes.slice(index, end).map((node) => renderBlock(node, context));
    if (LIST_TAGS[type] === "ol")
      rendered.push(
        html`<ol>
          ${group}
        </ol>`,
      );
    else if (LIST_TAGS[type] === "ul")
      rendered.push(
        html`<ul ${type === "to_do" && html`class="to-do"`}>
          ${group}
        </ul>`,
      );
    else rendered.push(...group);
    index = end;
  }
  return rendered;
}

/** Collects the headings of a page, in order. */
export function collectHeadings(nodes: readonly BlockNode[]): Heading[] {
  return nodes.flatMap(({ block, children }): Heading[] => {
    const heading = toHeading(block);
    return [...(heading === undefined ? [] : [heading]), ...collectHeadings(children)];
  });
}

function toHeading(block: Block): Heading | undefined {
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

function renderBlock(node: BlockNode, context: BlockContext): Html {
  const { block } = node;
  const renderInline = (runs: readonly RichText[]): HtmlValue => renderRichText(runs, context.budget);
  const renderNested = (): HtmlValue => renderChildren(node, context);
  switch (block.type) {
    case "paragraph":
      return html`<div class="block ${formatColorClass(block.paragraph)}">
        <p>${renderInline(block.paragraph.rich_text)}</p>
        ${renderNested()}
      </div>`;
    case "heading_1":
      return renderHeading(node, block.heading_1, context);
    case "heading_2":
      return renderHeading(node, block.heading_2, context);
    case "heading_3":
      return renderHeading(node, block.heading_3, context);
    case "bulleted_list_item":
      return html`<li class="${formatColorClass(block.bulleted_list_item)}">
        ${renderInline(block.bulleted_list_item.rich_text)} ${renderNested()}
      </li>`;
    case "numbered_list_item":
      return html`<li class="${formatColorClass(block.numbered_list_item)}">
        ${renderInline(block.numbered_list_item.rich_text)} ${renderNested()}
      </li>`;
    case "to_do":
      return html`<li class="${formatColorClass(block.to_do)}">
        <label
          ><input type="checkbox" disabled ${block.to_do.checked && html`checked`} /><span
            class="${block.to_do.checked && "done"}"
            >${renderInline(block.to_do.rich_text)}</span
          ></label
        >
        ${renderNested()}
      </li>`;
    case "toggle":
      return html`<details class="block ${formatColorClass(block.toggle)}">
        <summary>${renderInline(block.toggle.rich_text)}</summary>
        ${renderNested()}
      </details>`;
    case "quote":
      return html`<blockquote class="${formatColorClass(block.quote)}">
        <p>${renderInline(block.quote.rich_text)}</p>
        ${renderNested()}
      </blockquote>`;
    case "callout":
      return html`<div class="callout ${formatColorClass(block.callout)}" role="note">
        ${renderIcon(block.callout.icon)}
        <div>
          <p>${renderInline(block.callout.rich_text)}</p>
          ${renderNested()}
        </div>
      </div>`;
    case "code":
      return renderFigure(
        renderCode(toPlainText(block.code.rich_text), block.code.language, context.budget),
        block.code.caption,
        context,
      );
    case "equation":
      return html`<div class="block equation" tabindex="0">
        ${renderEquation(block.equation.expression, { display: true }, context.budget)}
      </div>`;
    case "divider":
      return html`<hr />`;
    case "breadcrumb":
      return html`<div class="block breadcrumbs">${context.budget.reserveHtml(context.breadcrumbs)}</div>`;
    case "table_of_contents":
      return renderTableOfContents(context);
    case "image":
      return renderImage(block.image, context);
    case "bookmark":
      return renderLink(block.bookmark.url, "Bookmark", block.bookmark.caption, context);
    case "embed":
      return renderLink(block.embed.url, "Embedded page", block.embed.caption, context);
    case "link_preview":
      return renderLink(block.link_preview.url, "Link", [], context);
    case "video":
      return renderLink(block.video.external.url, "Video", block.video.caption, context);
    case "pdf":
      return renderLink(block.pdf.external.url, "PDF", block.pdf.caption, context);
    case "audio":
      return renderLink(block.audio.external.url, "Audio", block.audio.caption, context);
    case "file":
      return renderLink(block.file.external.url, block.file.name || "File", block.file.caption, context);
    case "child_page":
      return renderChildLink(block.id, block.child_page.title, context);
    case "child_database":
      return renderChildLink(block.id, block.child_database.title, context);
    case "link_to_page":
      return renderLinkToPage(block.link_to_page, context);
    case "table":
      return renderTable(node, block.table, renderInline);
    case "column_list":
      return html`<div class="columns block">${renderNested()}</div>`;
    case "column":
    case "synced_block":
      return html`<div class="block unindented">${renderNested()}</div>`;
    case "template":
      return html`<div class="block">
        <p class="muted">Template button: ${renderInline(block.template.rich_text)}</p>
        ${renderNested()}
      </div>`;
    case "table_row":
      return html`<p class="block">
        ${block.table_row.cells.map((cell, index) => [index > 0 && " | ", renderInline(cell)])}
      </p>`;
    case "unsupported":
      return html`<p class="block muted">A block that cannot be shown here</p>`;
  }
}

function renderChildren({ children, hasMore }: BlockNode, context: BlockContext): HtmlValue {
  if (children.length === 0 && !hasMore) return undefined;
  return html`<div class="children">
    ${renderBlocks(children, context)}
    ${hasMore && html`<p class="muted small">Not all blocks are shown here.</p>`}
  </div>`;
}

interface HeadingContent {
  readonly rich_text: readonly RichText[];
  readonly color: string;
  readonly is_toggleable: boolean;
}

/** Renders `heading_1` as `h2`, and so on, because the title of the page is the only `h1`. */
function renderHeading(node: BlockNode, content: HeadingContent, context: BlockContext): Html {
  const { block } = node;
  const text = renderRichText(content.rich_text, context.budget);
  const color = formatColorClass(content);
  const id = formatHeadingId(block.id);
  const heading =
    block.type === "heading_1"
      ? html`<h2 id="${id}" class="${color}">${text}</h2>`
      : block.type === "heading_2"
        ? html`<h3 id="${id}" class="${color}">${text}</h3>`
        : html`<h4 id="${id}" class="${color}">${text}</h4>`;
  const children = renderChildren(node, context);
  if (!content.is_toggleable) return html`${heading}${children}`;
  return html`<details class="block">
    <summary>${heading}</summary>
    ${children}
  </details>`;
}

/** Formats the HTML id of a heading, for links to it. */
export function formatHeadingId(blockId: string): string {
  return `b${blockId}`;
}

function renderTableOfContents({ headings, budget }: BlockContext): Html {
  if (headings.length === 0) return html`<p class="block muted">This page has no headings.</p>`;
  const entries: Html[] = [];
  for (const { id, level, text } of headings) {
    const entry = budget.reserveHtml(
      html`<li class="level-${level}"><a href="#${formatHeadingId(id)}">${text || "Untitled"}</a></li>`,
    );
    if (entry === undefined) break;
    entries.push(entry);
  }
  return html`<div class="block contents" role="group" aria-label="Table of contents">
    <ul>
      ${entries}
    </ul>
  </div>`;
}

function renderImage(
  { external, caption }: { external: { url: string }; caption: readonly RichText[] },
  context: BlockContext,
): Html {
  const source = toSafeImageUrl(external.url);
  if (source === undefined) return html`<p class="block muted">${external.url}</p>`;
  const altText = toPlainText(caption) || "Image without a description";
  return renderFigure(
    html`<img src="${source}" alt="${altText}" referrerpolicy="no-referrer" loading="lazy" />`,
    caption,
    context,
  );
}

/** Renders embedded content as a link, so that nothing is loaded from other sites. */
function renderLink(url: string, kind: string, caption: readonly RichText[], context: BlockContext): Html {
  const { budget } = context;
  const content = renderExternalLink(url, budget.clip(url));
  const paragraph = html`<p class="external"><span class="muted">${budget.clip(kind)}</span> ${content}</p>`;
  return renderFigure(paragraph, caption, context);
}

function renderChildLink(id: string, title: string, { budget }: BlockContext): Html {
  return html`<p class="block child">
    <a href="${getContentPath(id)}">${budget.clip(title || "Untitled")}</a>
  </p>`;
}

function renderLinkToPage(target: components["schemas"]["LinkToPageContent"], context: BlockContext): Html {
  if (target.type === "comment_id") return html`<p class="block muted">A link to a comment</p>`;
  const id = target.type === "page_id" ? target.page_id : target.database_id;
  return renderChildLink(id, context.titles.get(id) ?? "Linked page", context);
}

function renderFigure(content: Html, caption: readonly RichText[], { budget }: BlockContext): Html {
  return html`<figure class="block">
    ${content} ${caption.length > 0 && html`<figcaption>${renderRichText(caption, budget)}</figcaption>`}
  </figure>`;
}

function formatColorClass({ color }: { readonly color: string }): string {
  return color === "default" ? "" : `color-${color}`;
}

import type { Schemas } from "../../domain/api-schemas.js";
import { toPlainText } from "../../domain/properties/plain-text.js";
import type { RichText } from "../../domain/rich-text.js";
import { formatTitle } from "../../domain/text.js";
import type { BlockBody } from "../../operations/present/block.js";
import { getLinkTarget, type LinkTarget } from "../../operations/views/linked-titles.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderCode } from "./code.js";
import type { BlockContext } from "./context.js";
import { renderEquation } from "./equation.js";
import { renderTableOfContents } from "./headings.js";
import { renderIcon } from "./icon.js";
import { getContentPath, renderExternalLink, toSafeImageUrl } from "./links.js";
import { renderRichText } from "./rich-text.js";

type TypeWithChildren =
  | `heading_${1 | 2 | 3}`
  | `${"bulleted" | "numbered"}_list_item`
  | "callout"
  | "column"
  | "column_list"
  | "paragraph"
  | "quote"
  | "synced_block"
  | "table"
  | "template"
  | "to_do"
  | "toggle";

/** A block that contains no other blocks, so that renderBlock does not render it. */
type LeafBlock = Exclude<BlockBody, { type: TypeWithChildren }>;

/** Renders a block that contains no other blocks. `id` is its id attribute. */
export function renderLeafBlock(block: LeafBlock, id: HtmlValue, context: BlockContext): Html {
  const { budget } = context;
  switch (block.type) {
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
        ${budget.mapWhileLeft(block.table_row.cells, (cell, index) => [index > 0 && " | ", renderRichText(cell, budget)])}
      </p>`;
    case "unsupported":
      return html`<p ${id} class="block muted">A block that cannot be shown here</p>`;
  }
}

function renderImage(
  id: HtmlValue,
  { external, caption }: Schemas["MediaContent"],
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
  label: string,
  url: string,
  caption: readonly RichText[],
  context: BlockContext,
): Html {
  const { budget } = context;
  const link = renderExternalLink(url, budget.clip(url), budget);
  const paragraph = html`<p class="external"><span class="muted">${budget.clip(label)}</span> ${link}</p>`;
  return renderFigure(id, paragraph, caption, context);
}

function renderChildLink(
  id: HtmlValue,
  target: LinkTarget & { readonly title: string },
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

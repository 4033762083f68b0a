import type { Schemas } from "../../domain/api-schemas.js";
import { toPlainText } from "../../domain/properties/plain-text.js";
import type { RichText } from "../../domain/rich-text.js";
import { formatTitle } from "../../domain/text.js";
import type { LinkTarget } from "../../operations/views/linked-titles.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { BlockContext } from "./context.js";
import { renderIcon } from "./icon.js";
import { getContentPath, renderExternalLink, toSafeImageUrl } from "./links.js";
import { renderRichText } from "./rich-text.js";

/* Renderers of blocks that contain no other blocks. `id` is the id attribute of the block. */

/** Renders an image, or its address if that is not a URL of an image. */
export function renderImage(
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
export function renderLink(
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

export function renderChildLink(
  id: HtmlValue,
  target: LinkTarget & { readonly title: string },
  { budget, icons }: BlockContext,
): Html {
  return html`<p ${id} class="block child ${target.kind}">
    ${budget.reserveHtml(renderIcon(icons.get(target.id) ?? null))}
    <a href="${getContentPath(target.id)}">${budget.clip(formatTitle(target.title))}</a>
  </p>`;
}

/** Renders a link to a page or database with its title; `target` is undefined for a comment. */
export function renderLinkToPage(id: HtmlValue, target: LinkTarget | undefined, context: BlockContext): Html {
  if (target === undefined) return html`<p ${id} class="block muted">A link to a comment</p>`;
  const title = context.titles.get(target.id) ?? `Linked ${target.kind}`;
  return renderChildLink(id, { ...target, title }, context);
}

export function renderFigure(
  id: HtmlValue,
  content: HtmlValue,
  caption: readonly RichText[],
  { budget }: BlockContext,
): Html {
  return html`<figure ${id} class="block">
    ${content} ${caption.length > 0 && html`<figcaption>${renderRichText(caption, budget)}</figcaption>`}
  </figure>`;
}

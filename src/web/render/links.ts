import { formatBareId, parseId } from "../../domain/ids.js";
import { isSafeLink, parseUrl } from "../../domain/url.js";
import type { BlockLocation } from "../../operations/views/block-tree.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { RenderBudget } from "./budget.js";

/** Returns the URL for a `href` attribute; undefined unless it is an absolute http, https or mailto URL. */
function toSafeLink(address: string): string | undefined {
  const link = parseUrl(address)?.href;
  return link !== undefined && isSafeLink(link) ? link : undefined;
}

/** Renders content as a link to another site, unless its scheme is not allowed or the page has no space left for it. */
export function renderExternalLink<Content extends HtmlValue>(
  address: string,
  content: Content,
  budget: RenderBudget,
): Content | Html {
  const link = budget.isExhausted ? undefined : toSafeLink(address);
  return link === undefined || budget.reserveHtml(html`${link}`) === undefined
    ? content
    : html`<a href="${link}" rel="noopener noreferrer nofollow">${content}</a>`;
}

/**
 * Returns the path of a link to a page, database or block of the service, as clients of Notion's API write it: `/ID`, `/ID#BLOCK_ID` or
 * `#BLOCK_ID`. Returns undefined for any other text.
 */
export function toContentPath(link: string): string | undefined {
  const [, pagePart, blockPart] = /^(\/[^#]+)?(#.+)?$/.exec(link) ?? [];
  const parts = [pagePart, blockPart].flatMap((part) => part ?? []);
  const ids = parts.map((part) => parseId(part.slice(1)));
  if (ids.length === 0 || ids.includes(undefined)) return undefined;
  return formatBareId(parts.join("").toLowerCase());
}

/** Returns the URL for the `src` attribute of an image; undefined unless it is an absolute http or https URL. */
export function toSafeImageUrl(address: string): string | undefined {
  const link = toSafeLink(address);
  return link?.startsWith("http") ? link : undefined;
}

/** Returns the path of a page or database in the web application. */
export function getContentPath(id: string): string {
  return `/${formatBareId(id)}`;
}

/** Returns the path of a part of a page. */
export function getPartPath({ pageId, cursor }: BlockLocation): string {
  return cursor === undefined ? getContentPath(pageId) : `${getContentPath(pageId)}?cursor=${cursor}`;
}

/** Renders the link to the children of a block that the page leaves out; nothing when it shows all. */
export function renderMoreLink(text: string, rest: BlockLocation | undefined): HtmlValue {
  return rest && html`<p class="small"><a href="${getPartPath(rest)}">${text}</a></p>`;
}

/** Renders the id attribute of a block, for links to it. Synced copies repeat blocks, but not their ids. */
export function renderBlockIdAttribute(blockId: string, usedIds: Set<string>): HtmlValue {
  if (usedIds.has(blockId)) return undefined;
  usedIds.add(blockId);
  return html`id="${formatBareId(blockId)}"`;
}

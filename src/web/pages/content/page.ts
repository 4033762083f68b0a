import type { components } from "../../../../generated/types.js";
import type { BlockNode } from "../../content/block-node.js";
import { collectHeadings, renderBlocks } from "../../content/blocks.js";
import type { RenderContext } from "../../content/budget.js";
import { renderIcon } from "../../content/icon.js";
import { toSafeImageUrl } from "../../content/links.js";
import { renderPropertyValue } from "../../content/property-value.js";
import { renderRichText } from "../../content/rich-text.js";
import { html, type Html, type HtmlValue } from "../../html.js";
import { renderTimeTag } from "../../format.js";
import { renderNextLink } from "../elements.js";
import { renderLayout, type PageContext } from "../layout.js";
import {
  type Ancestor,
  renderBreadcrumbList,
  renderBreadcrumbs,
  type Database,
  type Page,
  getTitle,
} from "./parts.js";

type Comment = components["schemas"]["Comment"];

/** Content of a page. */
export interface PageContent {
  readonly page: Page;
  readonly workspaceName: string;
  /** The pages and databases that contain the page, outermost first. */
  readonly ancestors: readonly Ancestor[];
  readonly blocks: readonly BlockNode[];
  /** Continues after the last block; null when all are shown. */
  readonly nextCursor: string | null;
  readonly comments: readonly Comment[];
  /** Names of the users that the page refers to, by id. */
  readonly userNames: ReadonlyMap<string, string>;
  readonly rendering: RenderContext;
}

/** Renders a page: its properties, blocks and comments. */
export function renderContentPage(content: PageContent, context: PageContext): Html {
  const { page, workspaceName, ancestors, blocks, nextCursor, rendering } = content;
  const title = getTitle(page);
  const rendered = renderBlocks(blocks, {
    ...rendering,
    breadcrumbs: renderBreadcrumbList(workspaceName, ancestors),
    headings: collectHeadings(blocks),
  });
  return renderLayout(
    title,
    html`<article class="content">
        ${renderBreadcrumbs(workspaceName, ancestors)} ${renderCoverImage(page.cover)}
        <h1>${renderIcon(page.icon)} ${title}</h1>
        ${renderTrashBadge(page)} ${renderEditSummary(page, content.userNames)}
        ${renderProperties(page, rendering)}
        ${
          rendered.length === 0
            ? html`<p class="muted">This page has no content.</p>`
            : html`<div class="blocks">${rendered}</div>`
        }
        ${rendering.budget.isExhausted && html`<p class="muted">This page is too long to be shown whole.</p>`}
        ${renderNextLink("Next blocks", nextCursor)}
      </article>
      ${renderComments(content)}`,
    { context },
  );
}

/** Renders who edited a page or database last, and when. */
export function renderEditSummary(object: Page | Database, userNames: ReadonlyMap<string, string>): Html {
  const name = (id: string): string => userNames.get(id) ?? "a removed user";
  return html`<p class="muted small">
    Edited by ${name(object.last_edited_by.id)} on
    ${renderTimeTag(Date.parse(object.last_edited_time), true)}; created by ${name(object.created_by.id)} on
    ${renderTimeTag(Date.parse(object.created_time))}
  </p>`;
}

/** Renders the image above a page or database. */
export function renderCoverImage(file: Page["cover"]): HtmlValue {
  const source = file === null ? undefined : toSafeImageUrl(file.external.url);
  return (
    source !== undefined && html`<img class="cover" src="${source}" alt="" referrerpolicy="no-referrer" />`
  );
}

/** Renders the badge of objects in the trash. */
export function renderTrashBadge({ in_trash: inTrash }: Page | Database): HtmlValue {
  return inTrash && html`<p><a class="badge warn" href="/trash">In the trash</a></p>`;
}

function renderProperties(page: Page, context: RenderContext): HtmlValue {
  const shown = Object.entries(page.properties).filter(([, value]) => value.type !== "title");
  if (shown.length === 0) return undefined;
  return html`<dl class="properties">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${renderPropertyValue(value, context) ?? html`<span class="muted">Empty</span>`}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderComments({ comments: list, userNames, rendering }: PageContent): HtmlValue {
  if (list.length === 0) return undefined;
  return html`<section class="comments" aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    <ol>
      ${list.map(
        (comment) =>
          html`<li>
            <p class="muted small">
              ${userNames.get(comment.created_by.id) ?? "A removed user"},
              ${renderTimeTag(Date.parse(comment.created_time), true)}
            </p>
            <p>${renderRichText(comment.rich_text, rendering.budget)}</p>
          </li>`,
      )}
    </ol>
  </section>`;
}

import type { components } from "../../../../generated/types.js";
import type { BlockNode } from "../../content/block-node.js";
import { collectHeadings, renderBlocks } from "../../content/blocks.js";
import type { RenderContext } from "../../content/budget.js";
import { renderIcon } from "../../content/icon.js";
import { safeImage } from "../../content/links.js";
import { renderPropertyValue } from "../../content/property-value.js";
import { renderRichText } from "../../content/rich-text.js";
import { html, type Html, type Part } from "../../html.js";
import { layout, timeTag, type PageContext } from "../layout.js";
import { type Ancestor, breadcrumbList, breadcrumbs, type Database, type Page, titleOf } from "./parts.js";

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
export function contentPage(content: PageContent, context: PageContext): Html {
  const { page, workspaceName, ancestors, blocks, nextCursor, rendering } = content;
  const title = titleOf(page);
  const rendered = renderBlocks(blocks, {
    ...rendering,
    breadcrumbs: breadcrumbList(workspaceName, ancestors),
    headings: collectHeadings(blocks),
  });
  return layout(
    title,
    html`<article class="content">
        ${breadcrumbs(workspaceName, ancestors)} ${coverImage(page.cover)}
        <h1>${renderIcon(page.icon)} ${title}</h1>
        ${trashBadge(page)} ${editSummary(page, content.userNames)} ${properties(page, rendering)}
        ${
          rendered.length === 0
            ? html`<p class="muted">This page has no content.</p>`
            : html`<div class="blocks">${rendered}</div>`
        }
        ${rendering.budget.isExhausted && html`<p class="muted">This page is too long to be shown whole.</p>`}
        ${
          nextCursor !== null &&
          html`<p><a class="button quiet" rel="next" href="?cursor=${nextCursor}">Next blocks</a></p>`
        }
      </article>
      ${comments(content)}`,
    { context },
  );
}

/** Renders who edited a page or database last, and when. */
export function editSummary(object: Page | Database, userNames: ReadonlyMap<string, string>): Html {
  const name = (id: string): string => userNames.get(id) ?? "a removed user";
  return html`<p class="muted small">
    Edited by ${name(object.last_edited_by.id)} on ${timeTag(Date.parse(object.last_edited_time), true)};
    created by ${name(object.created_by.id)} on ${timeTag(Date.parse(object.created_time))}
  </p>`;
}

/** Renders the image above a page or database. */
export function coverImage(file: Page["cover"]): Part {
  const source = file === null ? undefined : safeImage(file.external.url);
  return (
    source !== undefined && html`<img class="cover" src="${source}" alt="" referrerpolicy="no-referrer" />`
  );
}

/** Renders the badge of objects in the trash. */
export function trashBadge({ in_trash: inTrash }: Page | Database): Part {
  return inTrash && html`<p><a class="badge warn" href="/trash">In the trash</a></p>`;
}

function properties(page: Page, context: RenderContext): Part {
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

function comments({ comments: list, userNames, rendering }: PageContent): Part {
  if (list.length === 0) return undefined;
  return html`<section class="comments" aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    <ol>
      ${list.map(
        (comment) =>
          html`<li>
            <p class="muted small">
              ${userNames.get(comment.created_by.id) ?? "A removed user"},
              ${timeTag(Date.parse(comment.created_time), true)}
            </p>
            <p>${renderRichText(comment.rich_text, rendering.budget)}</p>
          </li>`,
      )}
    </ol>
  </section>`;
}

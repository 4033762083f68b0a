import type { Schemas } from "../../../domain/api-schemas.js";
import type { PageCursors, PageView } from "../../../operations/views/view-page.js";
import type { BlockNode } from "../../../operations/views/block-tree.js";
import { renderBlocks } from "../../render/blocks.js";
import { RenderBudget } from "../../render/budget.js";
import type { RenderContext } from "../../render/context.js";
import { collectHeadings } from "../../render/headings.js";
import { renderPropertyValue } from "../../render/property-value.js";
import { renderRichText } from "../../render/rich-text.js";
import { html, type Html, type HtmlValue } from "../../html.js";
import { renderTimeTag } from "../../format.js";
import { type Notice, renderNextLink } from "../elements.js";
import { renderLayout, type SignedInLayoutData } from "../layout.js";
import { renderBreadcrumbList, renderObjectHeader } from "./object-header.js";
import { getShownTitle } from "./object-list.js";
import type { PageBody } from "../../../operations/present/page.js";

type Comment = Schemas["Comment"];

interface PageContent extends PageView, Pick<RenderContext, "budget"> {
  readonly cursors: PageCursors;
  readonly notice: Notice | undefined;
}

/** Renders a page: its properties, blocks and comments. */
export function renderPage(content: PageContent, layoutData: SignedInLayoutData): Html {
  const { page, ancestors, blocks, cursors, nextCursor, budget } = content;
  const { session } = layoutData;
  const isFirstPart = cursors.blocks === undefined;
  const usedIds = new Set<string>();
  const rendered = renderBlocks(blocks, {
    ...content,
    breadcrumbs: renderBreadcrumbList(session.workspaceName, ancestors),
    headings: collectHeadings(blocks),
    outline: [],
    usedIds,
  });
  // Properties and comments have their own budget, so that long blocks leave space for them.
  const details = { ...content, budget: new RenderBudget(budget.parts) };
  const properties = renderProperties(page, details);
  const comments = renderComments(details);
  const isCut = budget.isExhausted || details.budget.isExhausted;
  return renderLayout(
    getShownTitle(page),
    html`<article class="content">
        ${renderObjectHeader(page, { ...content, session, isFirstPart })} ${properties}
        ${!isFirstPart && html`<p><a class="button quiet" href="?">First part</a></p>`}
        ${
          rendered.length === 0
            ? html`<p class="muted">
                ${page.in_trash ? "Restore the page to see its content." : "This page has no content."}
              </p>`
            : html`<div class="blocks">${rendered}</div>`
        }
        ${isCut && html`<p class="muted">This page is too long to be shown whole.</p>`}
        ${renderNextLink("Next part", (budget.isExhausted ? findCutId(blocks, usedIds) : undefined) ?? nextCursor)}
      </article>
      ${comments}`,
    { layoutData },
  );
}

/** Finds the last block that was begun, because it was cut. The next part must begin with a later block than this part. */
function findCutId(blocks: readonly BlockNode[], begunIds: ReadonlySet<string>): string | undefined {
  const index = blocks.findIndex(({ block }) => !begunIds.has(block.id));
  return blocks[Math.max(1, (index === -1 ? blocks.length : index) - 1)]?.block.id;
}

function renderProperties(page: PageBody, context: RenderContext): HtmlValue {
  const renderRow = (name: string, value: HtmlValue): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  const rows: Html[] = [];
  const emptyNames: string[] = [];
  for (const [name, value] of Object.entries(page.properties)) {
    if (value.type === "title") continue;
    const rendered = renderPropertyValue(value, context);
    if (rendered !== undefined) rows.push(renderRow(name, rendered));
    else if (!context.budget.isExhausted) emptyNames.push(name);
  }
  if (emptyNames.length > 0)
    rows.push(
      html`<div class="no-value">
        <dt>Empty properties</dt>
        <dd>${emptyNames.join(", ")}</dd>
      </div>`,
    );
  return rows.length > 0 && html`<dl class="properties">${rows}</dl>`;
}

/** Renders the comments: the first one of each discussion, with the others as replies to it. */
function renderComments(content: PageContent): HtmlValue {
  const { comments } = content;
  const discussionIds = [...new Set(comments.map((comment) => comment.discussion_id))];
  if (discussionIds.length === 0) return undefined;
  const discussions = discussionIds.map((id) => comments.filter((comment) => comment.discussion_id === id));
  return html`<section class="comments" aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    <ol>
      ${discussions.map((discussion) => renderDiscussion(discussion, content))}
    </ol>
    ${renderCommentPaging(content)}
  </section>`;
}

/** Renders the links to the first and the next comments, which stay at the part of the blocks that is shown. */
function renderCommentPaging({ cursors, nextCommentsCursor }: PageContent): HtmlValue {
  const renderLink = (text: string, comments: Readonly<Record<string, string>>): Html => {
    const query = new URLSearchParams({ ...(cursors.blocks && { cursor: cursors.blocks }), ...comments });
    return html`<a class="button quiet" href="?${query.toString()}#comments">${text}</a>`;
  };
  if (cursors.comments === undefined && nextCommentsCursor === null) return undefined;
  return html`<p class="paging">
    ${cursors.comments !== undefined && renderLink("First comments", {})}
    ${nextCommentsCursor !== null && renderLink("Next comments", { comments: nextCommentsCursor })}
  </p>`;
}

function renderDiscussion([comment, ...replies]: readonly Comment[], content: PageContent): HtmlValue {
  if (comment === undefined) return undefined;
  return html`<li>
    <p class="small">
      <strong><bdi>${content.userNames.get(comment.created_by.id) ?? "A removed user"}</bdi></strong>
      <span class="muted">${renderTimeTag(Date.parse(comment.created_time), true)}</span>
    </p>
    <p>${renderRichText(comment.rich_text, content.budget)}</p>
    ${
      replies.length > 0 &&
      html`<ol>
        ${replies.map((reply) => renderDiscussion([reply], content))}
      </ol>`
    }
  </li>`;
}

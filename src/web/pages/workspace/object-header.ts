import type { Session } from "../../../access/accounts/sessions.js";
import type { Ancestor } from "../../../operations/views/ancestors.js";
import { renderIcon } from "../../render/icon.js";
import { getContentPath, toSafeImageUrl } from "../../render/links.js";
import { renderTimeTag } from "../../format.js";
import { html, type Html, type HtmlValue } from "../../html.js";
import { type Notice, renderNotice } from "../elements.js";
import { renderPostForm } from "../form-elements.js";
import { getShownTitle } from "./object-list.js";
import type { DatabaseBody } from "../../../operations/present/database.js";
import type { PageBody } from "../../../operations/present/page.js";

/** The reader, the location of a page or database, and the people who edited it. */
interface ObjectContext {
  readonly session: Session;
  readonly ancestors: readonly Ancestor[];
  /** Names of users, by id. */
  readonly userNames: ReadonlyMap<string, string>;
  /** Whether the first part of the content is shown. Only this part has the cover. */
  readonly isFirstPart: boolean;
  /** Whether the object was moved to the trash by itself, so that it can be restored and deleted permanently. */
  readonly isTrashRoot: boolean;
  readonly notice: Notice | undefined;
}

/** Renders the head of a page or database: breadcrumbs, cover, title, description, and who edited it. */
export function renderObjectHeader(
  object: PageBody | DatabaseBody,
  { session, ancestors, userNames, isFirstPart, isTrashRoot, notice }: ObjectContext,
  description?: HtmlValue,
): Html {
  return html`<nav class="breadcrumbs" aria-label="Breadcrumbs">
      ${renderBreadcrumbList(session.workspaceName, ancestors)}
    </nav>
    ${isFirstPart && renderCoverImage(object.cover)}
    <h1>${renderIcon(object.icon)} ${getShownTitle(object)}</h1>
    ${object.in_trash && renderTrashState(object, isTrashRoot, session.csrfToken)} ${description}
    ${renderEditSummary(object, userNames)} ${renderNotice(notice)}`;
}

/** Nearest ancestors whose breadcrumbs are always visible, so that they fit on small screens. */
const VISIBLE_ANCESTORS = 2;

/** Renders the breadcrumbs of a page or database without a landmark. They start with the workspace; farther ancestors are folded. */
export function renderBreadcrumbList(workspaceName: string, ancestors: readonly Ancestor[]): Html {
  const renderItems = (items: readonly Ancestor[]): Html[] =>
    items.map(({ id, title }) => html`<li><a href="${getContentPath(id)}">${title}</a></li>`);
  // A single one takes no more space than the button that unfolds it.
  const foldedCount = ancestors.length > VISIBLE_ANCESTORS + 1 ? ancestors.length - VISIBLE_ANCESTORS : 0;
  return html`<ol>
    <li><a href="/">${workspaceName}</a></li>
    ${
      foldedCount > 0 &&
      html`<li>
        <details>
          <summary aria-label="${`${foldedCount} more levels`}">…</summary>
          <ol>
            ${renderItems(ancestors.slice(0, foldedCount))}
          </ol>
        </details>
      </li>`
    }
    ${renderItems(ancestors.slice(foldedCount))}
  </ol>`;
}

function renderEditSummary(object: PageBody | DatabaseBody, userNames: ReadonlyMap<string, string>): Html {
  const getName = (id: string): string => userNames.get(id) ?? "a removed user";
  return html`<p class="muted small">
    Edited by ${getName(object.last_edited_by.id)} on
    ${renderTimeTag(Date.parse(object.last_edited_time), true)}; created by ${getName(object.created_by.id)}
    on ${renderTimeTag(Date.parse(object.created_time))}
  </p>`;
}

function renderCoverImage(file: PageBody["cover"]): HtmlValue {
  const source = file === null ? undefined : toSafeImageUrl(file.external.url);
  return (
    source !== undefined && html`<img class="cover" src="${source}" alt="" referrerpolicy="no-referrer" />`
  );
}

function renderTrashState({ id }: PageBody | DatabaseBody, isTrashRoot: boolean, csrfToken: string): Html {
  const badge = html`<a class="badge warn" href="/trash">In the trash</a>`;
  if (!isTrashRoot) return html`<p>${badge} with the page or database that contains it</p>`;
  const content = html`${badge}
    <button class="quiet slim">Restore</button>
    <a class="small" href="/trash/${id}/delete">Delete permanently</a>`;
  return renderPostForm(`/trash/${id}/restore`, csrfToken, content, "buttons");
}

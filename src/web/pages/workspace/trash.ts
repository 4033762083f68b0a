import type { DeletableObject } from "../../../operations/delete-permanently.js";
import type { ListResult } from "../../../operations/load/list-parts.js";
import type { TrashedObject } from "../../../operations/views/list-trash.js";
import { renderIcon } from "../../render/icon.js";
import { getContentPath } from "../../render/links.js";
import { renderRecentTime } from "../../format.js";
import { html, type Html } from "../../html.js";
import { type Notice, renderNextLink, renderNotice, renderPageHead } from "../elements.js";
import { renderPostForm } from "../form-elements.js";
import { renderCardPage, renderLayout, type SignedInLayoutData } from "../layout.js";

/** Renders the trash of a workspace, where each object can be restored or deleted permanently, and owners can empty it. */
export function renderTrashPage(
  { results, nextCursor, notice }: ListResult<TrashedObject> & { readonly notice: Notice | undefined },
  layoutData: SignedInLayoutData,
): Html {
  const { csrfToken, role } = layoutData.session;
  const renderEntry = (object: TrashedObject): Html => {
    const { id, kind, title, parentTitle, movedBy = "a removed user" } = object;
    const button = html`<button class="quiet slim" aria-label="${`Restore ${title}`}">Restore</button>`;
    return html`<li>
      <div>
        <span class="object-title ${kind}"
          >${renderIcon(object.icon)}<a href="${getContentPath(id)}">${title}</a>
          ${kind === "database" && html`<span class="badge">database</span>`}</span
        >
        <span class="muted small"
          >moved by ${movedBy} ${parentTitle !== undefined && html`from ${parentTitle}`}</span
        >
      </div>
      <span class="muted small">${renderRecentTime(object.lastEditedTime)}</span>
      ${renderPostForm(`/trash/${id}/restore`, csrfToken, button)}
      <a href="/trash/${id}/delete" aria-label="${`Delete ${title} permanently`}">Delete</a>
    </li>`;
  };
  return renderLayout(
    "Trash",
    html`${renderPageHead(
      "Trash",
      "Restoring a page or database also restores what went into the trash with it. Objects in the trash count as storage until they are deleted permanently.",
    )}
    ${renderNotice(notice)}
    ${
      results.length === 0
        ? html`<p class="empty">
            The trash has no pages or databases.
            ${role === "owner" && "It may still contain blocks, which “Empty trash” deletes permanently."}
          </p>`
        : html`<ul class="objects">
            ${results.map(renderEntry)}
          </ul>`
    }
    ${renderNextLink("More", nextCursor)}
    ${role === "owner" && html`<p><a class="button quiet" href="/trash/empty">Empty trash</a></p>`}`,
    { layoutData, currentPath: "/trash" },
  );
}

/** Asks for confirmation before an object of the trash is deleted permanently. */
export function renderDeletePage({ id, kind, title }: DeletableObject, layoutData: SignedInLayoutData): Html {
  const subject = html`The ${kind} <strong>${title}</strong>`;
  return renderConfirmationPage("Delete permanently", subject, `/trash/${id}/delete`, layoutData);
}

/** Asks for confirmation before everything in the trash is deleted permanently. `list` is the first part of the trash. */
export function renderEmptyTrashPage(
  { results, nextCursor }: ListResult<TrashedObject>,
  layoutData: SignedInLayoutData,
): Html {
  const { length } = results;
  const count = length === 1 ? "1 page or database" : `${length} pages and databases`;
  const subject = html`${nextCursor !== null && "More than "}${length === 0 ? "All" : `${count}, and all`}
    blocks in the trash of <strong>${layoutData.session.workspaceName}</strong>`;
  return renderConfirmationPage("Empty trash", subject, "/trash/empty", layoutData);
}

function renderConfirmationPage(
  title: string,
  subject: Html,
  path: string,
  layoutData: SignedInLayoutData,
): Html {
  const button = html`<button class="danger wide">${title}</button>`;
  return renderCardPage(
    title,
    html`<p>${subject} will be deleted permanently, with everything inside. This cannot be undone.</p>
      ${renderPostForm(path, layoutData.session.csrfToken, button)}
      <p><a href="/trash">Cancel</a></p>`,
    { layoutData },
  );
}

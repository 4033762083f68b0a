import { getContentPath } from "../../content/links.js";
import { renderTimeTag } from "../../format.js";
import { html, type Html } from "../../html.js";
import { renderNextLink, renderPageHead } from "../elements.js";
import { renderPostForm } from "../form-elements.js";
import { renderLayout, type PageContext } from "../layout.js";

/** A page or database in the trash. */
export interface TrashedEntry {
  readonly id: string;
  readonly object: "page" | "database";
  readonly title: string;
  readonly lastEditedTime: number;
}

/** Content of the trash page. */
export interface TrashContent {
  readonly objects: readonly TrashedEntry[];
  readonly csrfToken: string;
  readonly nextCursor: string | null;
}

/** Renders the trash of a workspace, with a button to restore each object. */
export function renderTrashPage(
  { objects, csrfToken, nextCursor }: TrashContent,
  pageContext: PageContext,
): Html {
  const renderEntry = ({ id, object, title, lastEditedTime }: TrashedEntry): Html => {
    const button = html`<button class="quiet slim" aria-label="${`Restore ${title}`}">Restore</button>`;
    return html`<li>
      <span class="object-title"
        ><a href="${getContentPath(id)}">${title}</a> <span class="badge">${object}</span></span
      >
      <span class="muted small">edited ${renderTimeTag(lastEditedTime)}</span>
      ${renderPostForm(`/trash/${id}/restore`, csrfToken, button)}
    </li>`;
  };
  return renderLayout(
    "Trash",
    html`${renderPageHead(
      "Trash",
      "Restoring a page or database also restores what went into the trash with it.",
    )}
    ${
      objects.length === 0
        ? html`<p class="empty">The trash is empty.</p>`
        : html`<ul class="objects">
            ${objects.map(renderEntry)}
          </ul>`
    }
    ${renderNextLink("More", nextCursor)}`,
    { pageContext },
  );
}

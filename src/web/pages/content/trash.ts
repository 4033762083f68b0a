import { getContentPath } from "../../content/links.js";
import { html, type Html } from "../../html.js";
import {
  renderLayout,
  type Notice,
  renderNotice,
  renderTimeTag,
  renderCsrfField,
  type PageContext,
} from "../layout.js";

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
  readonly notice?: Notice | undefined;
}

/** Renders the trash of a workspace, with a button to restore each object. */
export function renderTrashPage(
  { objects, csrfToken, nextCursor, notice }: TrashContent,
  context: PageContext,
): Html {
  return renderLayout(
    "Trash",
    html`<div class="page-head">
        <div>
          <h1>Trash</h1>
          <p>Restoring a page or database also restores what went into the trash with it.</p>
        </div>
      </div>
      ${renderNotice(notice)}
      ${
        objects.length === 0
          ? html`<p class="empty">The trash is empty.</p>`
          : html`<ul class="objects">
              ${objects.map(
                ({ id, object, title, lastEditedTime }) =>
                  html`<li>
                    <span class="object-title"
                      ><a href="${getContentPath(id)}">${title}</a> <span class="badge">${object}</span></span
                    >
                    <span class="muted small">edited ${renderTimeTag(lastEditedTime)}</span>
                    <form method="post" action="/trash/${id}/restore">
                      ${renderCsrfField(csrfToken)}
                      <button class="quiet slim" aria-label="${`Restore ${title}`}">Restore</button>
                    </form>
                  </li>`,
              )}
            </ul>`
      }
      ${
        nextCursor !== null &&
        html`<p>
          <a class="button quiet" rel="next" href="/trash?cursor=${encodeURIComponent(nextCursor)}">More</a>
        </p>`
      }`,
    { context },
  );
}

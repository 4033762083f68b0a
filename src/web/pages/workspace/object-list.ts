import { MAX_SHOWN_TITLE_LENGTH } from "../../../budgets.js";
import { toPlainText } from "../../../domain/properties/plain-text.js";
import { renderIcon } from "../../render/icon.js";
import { getContentPath } from "../../render/links.js";
import { html, type HtmlValue } from "../../html.js";
import { renderRecentTime } from "../../format.js";
import { formatTitle } from "../../../domain/text.js";
import type { ListedObject } from "../../../operations/views/list-objects.js";
import type { DatabaseBody } from "../../../operations/present/database.js";
import type { PageBody } from "../../../operations/present/page.js";

/** Returns the displayed title of a page or database. */
export function getShownTitle(object: PageBody | DatabaseBody): string {
  const runs =
    object.object === "database"
      ? object.title
      : Object.values(object.properties).flatMap((value) => (value.type === "title" ? value.title : []));
  return formatTitle(toPlainText(runs), MAX_SHOWN_TITLE_LENGTH);
}

/** Renders a list of pages and databases with the titles of their parents, and the times of their last edits. */
export function renderObjectList(
  objects: readonly ListedObject[],
  emptyMessage: HtmlValue,
  { showsDatabaseBadges = false } = {},
): HtmlValue {
  if (objects.length === 0) return html`<p class="empty">${emptyMessage}</p>`;
  return html`<ul class="objects">
    ${objects.map(
      ({ id, kind, title, icon, parentTitle, lastEditedTime }) =>
        html`<li>
          <span class="object-title ${kind}"
            >${renderIcon(icon)}<a href="${getContentPath(id)}">${title}</a>
            ${showsDatabaseBadges && kind === "database" && html`<span class="badge">database</span>`}
            ${parentTitle !== undefined && html`<span class="muted small">in ${parentTitle}</span>`}</span
          >
          <span class="muted small">edited ${renderRecentTime(lastEditedTime)}</span>
        </li>`,
    )}
  </ul>`;
}

import type { components } from "../../../../generated/types.js";
import { renderIcon } from "../../content/icon.js";
import { contentPath } from "../../content/links.js";
import { plainText } from "../../content/rich-text.js";
import { html, type Html, type Part } from "../../html.js";
import { timeTag } from "../layout.js";

export type Page = components["schemas"]["Page"];
export type Database = components["schemas"]["Database"];

/** A page or database that contains the displayed one. */
export interface Ancestor {
  readonly id: string;
  readonly title: string;
}

/** Returns the displayed title of a page or database. */
export function titleOf(object: Page | Database): string {
  const runs =
    object.object === "database"
      ? object.title
      : Object.values(object.properties).flatMap((value) => (value.type === "title" ? value.title : []));
  return plainText(runs).trim() || "Untitled";
}

/** Renders a link to a page or database with its icon. */
function objectLink(object: Page | Database): Html {
  return html`${renderIcon(object.icon)}<a href="${contentPath(object.id)}">${titleOf(object)}</a>`;
}

/** Renders the breadcrumbs of a page or database, starting with the workspace. */
export function breadcrumbs(workspaceName: string, ancestors: readonly Ancestor[]): Html {
  return html`<nav class="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      <li><a href="/">${workspaceName}</a></li>
      ${ancestors.map(({ id, title }) => html`<li><a href="${contentPath(id)}">${title}</a></li>`)}
    </ol>
  </nav>`;
}

/** Renders a list of pages and databases with the times of their last edits. */
export function objectList(objects: readonly (Page | Database)[], whenEmpty: Part): Part {
  if (objects.length === 0) return html`<p class="empty">${whenEmpty}</p>`;
  return html`<ul class="objects">
    ${objects.map(
      (object) =>
        html`<li>
          <span class="object-title">${objectLink(object)}</span>
          <span class="muted small">edited ${timeTag(Date.parse(object.last_edited_time))}</span>
        </li>`,
    )}
  </ul>`;
}

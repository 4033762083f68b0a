import type { RenderContext } from "../../content/budget.js";
import { renderIcon } from "../../content/icon.js";
import { contentPath } from "../../content/links.js";
import { renderPropertyValue } from "../../content/property-value.js";
import { renderRichText } from "../../content/rich-text.js";
import { html, type Html, type Part } from "../../html.js";
import { layout, type Notice, noticeBox, type PageContext } from "../layout.js";
import { filterForm } from "./filter-form.js";
import { cover, edits, trashBadge } from "./page.js";
import { type Ancestor, breadcrumbs, type Database, type Page, titleOf } from "./parts.js";
import { type TableView, viewParameters } from "./table-view.js";

/** A database with one page of its table. */
export interface DatabaseContent {
  readonly database: Database;
  readonly workspaceName: string;
  readonly ancestors: readonly Ancestor[];
  readonly rows: readonly Page[];
  readonly view: TableView;
  readonly nextCursor: string | null;
  readonly userNames: ReadonlyMap<string, string>;
  readonly notice?: Notice | undefined;
  readonly rendering: RenderContext;
}

/** Renders a database as a table of its pages. */
export function databasePage(content: DatabaseContent, context: PageContext): Html {
  const { database, workspaceName, ancestors, view, rows, notice, rendering } = content;
  const title = titleOf(database);
  return layout(
    title,
    html`${breadcrumbs(workspaceName, ancestors)} ${cover(database.cover)}
      <h1>${renderIcon(database.icon)} ${title}</h1>
      ${trashBadge(database)}
      ${database.description.length > 0 && html`<p>${renderRichText(database.description, rendering.budget)}</p>`}
      ${edits(database, content.userNames)} ${noticeBox(notice)} ${filterForm(database, view)}
      ${rows.length === 0 ? html`<p class="empty">No pages match.</p>` : table(content)} ${paging(content)}`,
    { context, isWide: true },
  );
}

/** Returns the names of the columns: the title first, the others in the order of the database. */
function columnsOf({ properties }: Database): string[] {
  const names = Object.keys(properties);
  const isTitle = (name: string): boolean => properties[name]?.type === "title";
  return [...names.filter(isTitle), ...names.filter((name) => !isTitle(name))];
}

function table({ database, rows, view, rendering }: DatabaseContent): Html {
  const columns = columnsOf(database);
  return html`<div class="table-frame rows" tabindex="0" role="region" aria-label="Pages of the database">
    <table>
      <thead>
        <tr>
          ${columns.map((name) => columnHeader(name, database, view))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((name) => cell(row, name, rendering))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Renders a column header as a link that sorts by the column, or reverses the sort. */
function columnHeader(name: string, { properties }: Database, view: TableView): Html {
  const isSorted = view.sort?.property === name;
  const descending = isSorted && view.sort?.direction === "ascending";
  const direction = descending ? "descending" : "ascending";
  const parameters = viewParameters({ ...view, sort: { property: name, direction } });
  const arrow = isSorted && (view.sort?.direction === "ascending" ? " ↑" : " ↓");
  return html`<th
    scope="col"
    ${numberClass(properties[name]?.type)}
    ${isSorted && html`aria-sort="${view.sort?.direction}"`}
  >
    <a href="?${parameters}">${name}${arrow && html`<span aria-hidden="true">${arrow}</span>`}</a>
  </th>`;
}

function cell(row: Page, name: string, rendering: RenderContext): Html {
  const value = row.properties[name];
  if (value?.type === "title") {
    return html`<th scope="row">
      ${renderIcon(row.icon)}<a href="${contentPath(row.id)}">${titleOf(row)}</a>
    </th>`;
  }
  const shown: Part = value && renderPropertyValue(value, rendering);
  return html`<td ${numberClass(value?.type)}>${shown}</td>`;
}

/** Returns the class that aligns number columns to the right. */
function numberClass(type: string | undefined): Part {
  return type === "number" && html`class="number"`;
}

function paging({ view, nextCursor }: DatabaseContent): Part {
  if (nextCursor === null && view.cursor === undefined) return undefined;
  return html`<nav class="paging" aria-label="Pages of the table">
    ${
      view.cursor !== undefined &&
      html`<a class="button quiet" href="?${viewParameters({ ...view, cursor: undefined })}">First rows</a>`
    }
    ${
      nextCursor !== null &&
      html`<a class="button quiet" rel="next" href="?${viewParameters({ ...view, cursor: nextCursor })}">
        Next rows
      </a>`
    }
  </nav>`;
}

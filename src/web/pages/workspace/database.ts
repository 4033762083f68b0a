import { getRollupResultType } from "../../../domain/properties/compute-rollup.js";
import type { DatabaseView } from "../../../operations/views/view-database.js";
import type { RenderContext } from "../../render/context.js";
import { renderIcon } from "../../render/icon.js";
import { getContentPath } from "../../render/links.js";
import { renderPropertyValue } from "../../render/property-value.js";
import { renderRichText } from "../../render/rich-text.js";
import { html, type Html, type HtmlValue } from "../../html.js";
import { formatNumber } from "../../format.js";
import type { Notice } from "../elements.js";
import { renderLayout, type SignedInLayoutData } from "../layout.js";
import { renderObjectHeader } from "./object-header.js";
import { getShownTitle } from "./object-list.js";
import { renderColumnForm, renderFilterForm } from "./table-forms.js";
import type { NamedObject } from "../../table/filter-types.js";
import { type TableParameters, formatTableParameters, listColumns } from "../../table/table-parameters.js";
import { type FilterProblem, isSortable } from "../../table/table-query.js";
import type { DatabaseBody } from "../../../operations/present/database.js";
import type { PageBody } from "../../../operations/present/page.js";

interface DatabaseContent extends DatabaseView, Pick<RenderContext, "budget"> {
  readonly database: DatabaseBody;
  readonly parameters: TableParameters;
  /** Users that the filter form suggests, if the database has properties with users. */
  readonly users: readonly NamedObject[];
  /** Message about the filter, which was ignored because it does not fit the database. */
  readonly filterProblem: FilterProblem | undefined;
  /** Notice about the sort, which was ignored because it does not fit the database, or about a change. */
  readonly notice: Notice | undefined;
}

/** Renders a database as a table with a row for each of its pages. */
export function renderDatabasePage(content: DatabaseContent, layoutData: SignedInLayoutData): Html {
  const { database, parameters, rows, budget } = content;
  const { description } = database;
  const { session } = layoutData;
  const context = { ...content, session, isFirstPart: parameters.position === undefined };
  const renderedDescription = description.length > 0 && html`<p>${renderRichText(description, budget)}</p>`;
  return renderLayout(
    getShownTitle(database),
    html`${renderObjectHeader(database, context, renderedDescription)}
    ${
      (rows.length > 0 || parameters.filter !== undefined) &&
      html`<div class="table-tools">
        ${renderFilterForm(content)} ${renderColumnForm(database, parameters)}
        ${rows.length > 0 && html`<span class="muted small">${describeRows(content)}</span>`}
      </div>`
    }
    ${hasPagingLinks(content) && html`<a class="skip" href="#paging">Skip to the links below the table</a>`}
    ${rows.length === 0 ? renderEmptyTable(database, parameters) : renderDatabaseTable(content)}
    ${budget.isExhausted && html`<p class="muted">This table is too long to be shown whole.</p>`}
    ${renderPagingLinks(content)}`,
    { layoutData, isWide: true },
  );
}

/** Describes which rows are shown, for example: 24 rows, or Rows 101–200. */
function describeRows({ parameters, rows, nextCursor }: DatabaseContent): string {
  const count = `${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  if (parameters.position === undefined && nextCursor === null) return count;
  const skipped = countSkippedRows(parameters);
  if (skipped === undefined) return `The next ${count}`;
  if (rows.length === 1) return `Row ${formatNumber(skipped + 1)}`;
  return `Rows ${formatNumber(skipped + 1)}–${formatNumber(skipped + rows.length)}`;
}

function countSkippedRows({ position }: TableParameters): number | undefined {
  return position === undefined ? 0 : position.skipped;
}

function renderEmptyTable(
  { in_trash: isInTrash }: DatabaseBody,
  { filter, position }: TableParameters,
): Html {
  if (isInTrash) return html`<p class="empty">Restore the database to see its pages.</p>`;
  if (filter !== undefined) return html`<p class="empty">No pages match the filter.</p>`;
  if (position !== undefined) return html`<p class="empty">There are no more pages.</p>`;
  return html`<p class="empty">
    This database has no pages yet. <a href="/docs#/pages/createpage">Create one with the API</a>.
  </p>`;
}

function renderDatabaseTable(content: DatabaseContent): Html {
  const { database, parameters, rows } = content;
  const columns = parameters.columns ?? listColumns(database);
  // Formatted once, because it can be as long as a URL.
  const otherParameters = html`${formatTableParameters({ ...parameters, sort: undefined, position: undefined })}`;
  return html`<div class="table-frame rows" tabindex="0" role="region" aria-label="Pages of the database">
    <table>
      <thead>
        <tr>
          ${columns.map((name) => renderColumnHeader(name, otherParameters, content))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((name) => renderCell(row, name, getColumnClass(database.properties[name]), content))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Renders a column header as a link that sorts the rows: in ascending order, then in descending order, then not. */
function renderColumnHeader(
  name: string,
  otherParameters: Html,
  { database, parameters, budget }: DatabaseContent,
): Html {
  const property = database.properties[name];
  const canSort = property !== undefined && isSortable(property);
  const isSorted = canSort && parameters.sort?.property === name;
  const isAscending = isSorted && parameters.sort?.direction === "ascending";
  const direction = isAscending ? "descending" : "ascending";
  const sort = isSorted && !isAscending ? undefined : ({ property: name, direction } as const);
  // Reserved, because each link repeats the filter and the columns, which can be as long as a URL.
  const sortParameters = formatTableParameters({ sort });
  const separator = sort !== undefined && otherParameters.text !== "" && "&";
  const query =
    canSort && !budget.isExhausted
      ? budget.reserveHtml(html`${sortParameters}${separator}${otherParameters}`)
      : undefined;
  const arrow = isSorted && html`<span aria-hidden="true">${isAscending ? " ↑" : " ↓"}</span>`;
  const label = html`${name}${arrow}`;
  return html`<th
    scope="col"
    ${getColumnClass(property)}
    ${isSorted && html`aria-sort="${parameters.sort?.direction}"`}
  >
    ${query ? html`<a href="?${query}">${label}</a>` : label}
  </th>`;
}

function renderCell(row: PageBody, name: string, columnClass: HtmlValue, context: RenderContext): Html {
  const value = row.properties[name];
  if (value?.type === "title") {
    return html`<th scope="row">
      <a href="${getContentPath(row.id)}" dir="auto">${renderIcon(row.icon)}${getShownTitle(row)}</a>
    </th>`;
  }
  const rendered: HtmlValue = value && renderPropertyValue(value, context);
  // The inner element is cut to one line.
  return html`<td ${columnClass}>${rendered && html`<div>${rendered}</div>`}</td>`;
}

/** Returns the class of a column: numbers are aligned to the right. */
function getColumnClass(property: DatabaseBody["properties"][string] | undefined): HtmlValue {
  const isNumber =
    property?.type === "number" ||
    (property?.type === "rollup" && getRollupResultType(property.rollup.function) === "number");
  return isNumber && html`class="number"`;
}

/** Whether the table has rows that are not shown. */
function hasPagingLinks({ parameters, nextCursor }: DatabaseContent): boolean {
  return nextCursor !== null || parameters.position !== undefined;
}

function renderPagingLinks(content: DatabaseContent): HtmlValue {
  const { parameters, rows, nextCursor } = content;
  const skipped = countSkippedRows(parameters);
  const nextSkipped = skipped === undefined ? undefined : skipped + rows.length;
  if (!hasPagingLinks(content)) return undefined;
  return html`<nav class="paging" id="paging" tabindex="-1" aria-label="Rows of the table">
    ${
      parameters.position !== undefined &&
      html`<a class="button quiet" href="?${formatTableParameters({ ...parameters, position: undefined })}"
        >First rows</a
      >`
    }
    ${
      nextCursor !== null &&
      html`<a
        class="button quiet"
        rel="next"
        href="?${formatTableParameters({ ...parameters, position: { cursor: nextCursor, skipped: nextSkipped } })}"
      >
        Next rows
      </a>`
    }
  </nav>`;
}

import { html, type Html } from "../../html.js";
import { listColumns, type Database } from "./objects.js";
import { CONDITION_LABELS, type TableView, formatTableView } from "./table-view.js";

/** Renders the form that filters the table of a database. */
export function renderFilterForm(database: Database, { sort, filter }: TableView): Html {
  const option = (value: string, text: string, chosen: string | undefined): Html =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
  return html`<form class="filter" aria-label="Filter">
    ${
      sort !== undefined &&
      html`<input type="hidden" name="sort" value="${sort.property}" />
        <input type="hidden" name="direction" value="${sort.direction}" />`
    }
    <label class="visually-hidden" for="filter">Property</label>
    <select class="slim" id="filter" name="filter">
      ${listColumns(database).map((name) => option(name, name, filter?.property))}
    </select>
    <label class="visually-hidden" for="condition">Condition</label>
    <select class="slim" id="condition" name="condition">
      ${Object.entries(CONDITION_LABELS).map(([name, text]) => option(name, text, filter?.condition))}
    </select>
    <label class="visually-hidden" for="value">Value</label>
    <input class="slim" id="value" name="value" value="${filter?.value ?? ""}" placeholder="Value" />
    <button class="quiet slim">Filter</button>
    ${filter !== undefined && html`<a href="?${formatTableView({ sort, filter: undefined, cursor: undefined })}">Clear</a>`}
  </form>`;
}

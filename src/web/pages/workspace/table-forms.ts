import { MAX_SUGGESTED_OPTIONS } from "../../../budgets.js";
import type { DatabaseBody } from "../../../operations/present/database.js";
import { html, type Html, type HtmlValue } from "../../html.js";
import { CONDITION_LABELS, getFilterType, listOptions, type NamedObject } from "../../table/filter-types.js";
import { formatTableParameters, listColumns, type TableParameters } from "../../table/table-parameters.js";
import { type FilterProblem, findCondition } from "../../table/table-query.js";
import { renderOptions } from "../form-elements.js";

/** Renders the form that filters a table by one property. It suggests `users` for properties with users. */
export function renderFilterForm({
  database,
  parameters,
  users,
  filterProblem,
}: {
  readonly database: DatabaseBody;
  readonly parameters: TableParameters;
  readonly users: readonly NamedObject[];
  readonly filterProblem: FilterProblem | undefined;
}): Html {
  const { filter } = parameters;
  const renderInvalid = (field: FilterProblem["field"]): HtmlValue =>
    field === filterProblem?.field && html`aria-invalid="true" aria-describedby="filter-error" autofocus`;
  const listConditions = (name: string) => getFilterType(name, database).conditions;
  const getPlaceholder = (name: string): string => getFilterType(name, database).placeholder ?? "Value";
  const condition = filter && (findCondition(filter, database) ?? listConditions(filter.property).at(0));
  const unfiltered = { ...parameters, filter: undefined, position: undefined };
  const names = listColumns(database).filter((name) => listConditions(name).length > 0);
  return html`<form class="filter" aria-label="Filter">
    ${renderHiddenFields(unfiltered)}
    <label class="visually-hidden" for="filter">Property</label>
    <select class="slim" id="filter" name="filter" ${renderInvalid("filter")}>
      ${names.map(
        (name) =>
          html`<option
            value="${name}"
            data-conditions="${listConditions(name).join(" ")}"
            data-placeholder="${getPlaceholder(name)}"
            data-list="${getListId(name, database)}"
            ${name === parameters.filterProperty && html`selected`}
          >
            ${name}
          </option>`,
      )}
    </select>
    <label class="visually-hidden" for="condition">Condition</label>
    <select class="slim" id="condition" name="condition" ${renderInvalid("condition")}>
      ${renderOptions(Object.entries(CONDITION_LABELS), condition)}
    </select>
    <label class="visually-hidden" for="value">Value</label>
    <input
      class="slim"
      id="value"
      name="value"
      list="${getListId(parameters.filterProperty ?? names[0] ?? "", database)}"
      value="${filter?.value ?? ""}"
      placeholder="${getPlaceholder(parameters.filterProperty ?? "")}"
      ${renderInvalid("value")}
    />
    ${renderOptionLists(database, users)}
    <button class="quiet slim">Filter</button>
    ${filter !== undefined && html`<a href="?${formatTableParameters(unfiltered)}">Clear</a>`}
    ${filterProblem && html`<span class="field-error" id="filter-error">${filterProblem.message}</span>`}
  </form>`;
}

/** Returns the id of the list of suggested values, which exists only for properties with options or users. */
function getListId(name: string, database: DatabaseBody): string {
  return getFilterType(name, database).comparesUsers ? "users" : `options-${database.properties[name]?.id}`;
}

/** Renders the names of options that the filter form suggests, as a list for each property, and those of users as one list. */
function renderOptionLists(database: DatabaseBody, users: readonly NamedObject[]): Html[] {
  const optionsById = new Map(
    Object.entries(database.properties).map(([name, property]) => [
      getListId(name, database),
      getFilterType(name, database).comparesUsers ? users : listOptions(property),
    ]),
  );
  let freeCount = MAX_SUGGESTED_OPTIONS;
  return [...optionsById].flatMap(([id, allOptions]) => {
    const options = allOptions.slice(0, freeCount);
    freeCount -= options.length;
    return options.length === 0
      ? []
      : html`<datalist id="${id}">
          ${options.map(({ name }) => html`<option value="${name}"></option>`)}
        </datalist>`;
  });
}

/** Renders the form that hides columns. Always sends the title column, which cannot be hidden. */
export function renderColumnForm(database: DatabaseBody, parameters: TableParameters): Html {
  const [title = "", ...names] = listColumns(database);
  const isShown = (name: string): boolean => parameters.columns?.includes(name) ?? true;
  const withAllColumns = { ...parameters, columns: undefined, position: undefined };
  return html`<details class="column-choice">
    <summary>
      Columns${parameters.columns !== undefined && ` (${names.filter(isShown).length + 1} of ${names.length + 1})`}
    </summary>
    <form aria-label="Columns">
      ${renderHiddenFields({ ...withAllColumns, columns: [title] })}
      ${names.map(
        (name) =>
          html`<label
            ><input type="checkbox" name="column" value="${name}" ${isShown(name) && html`checked`} />
            ${name}</label
          >`,
      )}
      <button class="quiet slim">Show these</button>
      ${parameters.columns !== undefined && html`<a href="?${formatTableParameters(withAllColumns)}">Show all</a>`}
    </form>
  </details>`;
}

/** Renders the parameters that the form does not edit as hidden fields. */
function renderHiddenFields(parameters: TableParameters): Html[] {
  return [...new URLSearchParams(formatTableParameters(parameters))].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

import type { components } from "../../../../generated/types.js";
import type { Database } from "./parts.js";

type Filter = components["schemas"]["FilterLeaf"];
type Sort = components["schemas"]["Sort"];

/** Sort, filter and cursor of a table, as in the query string of its address. */
export interface TableView {
  readonly sort: { readonly property: string; readonly direction: "ascending" | "descending" } | undefined;
  readonly filter:
    { readonly property: string; readonly condition: string; readonly value: string } | undefined;
  readonly cursor: string | undefined;
}

/** Parses the query string of a table's address. */
export function parseTableView(query: URLSearchParams): TableView {
  const sort = query.get("sort");
  const property = query.get("filter");
  return {
    sort:
      sort === null
        ? undefined
        : {
            property: sort,
            direction: query.get("direction") === "descending" ? "descending" : "ascending",
          },
    filter:
      property === null || property === ""
        ? undefined
        : { property, condition: query.get("condition") ?? "", value: query.get("value") ?? "" },
    cursor: query.get("cursor") ?? undefined,
  };
}

/** Formats a view as the query string of its table's address. */
export function viewParameters({ sort, filter, cursor }: TableView): string {
  const parameters = new URLSearchParams();
  if (sort !== undefined) {
    parameters.set("sort", sort.property);
    parameters.set("direction", sort.direction);
  }
  if (filter !== undefined) {
    parameters.set("filter", filter.property);
    parameters.set("condition", filter.condition);
    parameters.set("value", filter.value);
  }
  if (cursor !== undefined) parameters.set("cursor", cursor);
  return parameters.toString();
}

/** Builds the sorts of a query. */
export function buildSorts({ sort }: TableView): Sort[] {
  return sort === undefined ? [] : [sort];
}

/** Conditions of the filter form by their name in the address; each fits some types of properties. */
export const CONDITIONS = {
  contains: "contains",
  equals: "is",
  does_not_equal: "is not",
  greater_than: "is more than",
  less_than: "is less than",
  before: "is before",
  after: "is after",
  is_empty: "is empty",
  is_not_empty: "is not empty",
} as const;

/** Types whose values a filter condition of the same shape compares, by type of property. */
const OPERAND_TYPES: Readonly<Record<string, "text" | "number" | "boolean">> = {
  title: "text",
  rich_text: "text",
  url: "text",
  email: "text",
  phone_number: "text",
  select: "text",
  status: "text",
  multi_select: "text",
  date: "text",
  created_time: "text",
  last_edited_time: "text",
  number: "number",
  unique_id: "number",
  checkbox: "boolean",
};

/**
 * Builds the filter of a query.
 *
 * @returns undefined without a filter; a message where the filter does not fit the property
 */
export function buildFilter({ filter }: TableView, { properties }: Database): Filter | string | undefined {
  if (filter === undefined) return undefined;
  const { property, condition, value } = filter;
  const type = Object.hasOwn(properties, property) ? properties[property]?.type : undefined;
  if (type === undefined) return `The database has no property “${property}”.`;
  const operand = parseOperand(type, condition, value);
  if (operand === undefined) return `“${property}” cannot be filtered like this. Choose another condition.`;
  // The cast: the query checks the condition against the type of the property.
  return { property, [type]: { [condition]: operand } } as Filter;
}

function parseOperand(type: string, condition: string, value: string): string | number | boolean | undefined {
  if (!Object.hasOwn(CONDITIONS, condition)) return undefined;
  if (condition === "is_empty" || condition === "is_not_empty") return true;
  switch (OPERAND_TYPES[type]) {
    case "text":
      return value;
    case "number":
      return value.trim() === "" || !Number.isFinite(Number(value)) ? undefined : Number(value);
    case "boolean":
      return ["yes", "true", "1", "✓"].includes(value.trim().toLowerCase());
    default:
      return undefined;
  }
}

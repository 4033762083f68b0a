import type { components } from "../../../../generated/types.js";
import { parseDate } from "../../../domain/properties/dates.js";
import type { Database } from "./parts.js";

type Property = Database["properties"][string];
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
  const condition = query.get("condition") ?? "";
  const value = query.get("value") ?? "";
  return {
    sort:
      sort === null
        ? undefined
        : {
            property: sort,
            direction: query.get("direction") === "descending" ? "descending" : "ascending",
          },
    filter:
      // The form without a value shows all pages: every text contains the empty one.
      property === null || (condition === "contains" && value.trim() === "")
        ? undefined
        : { property, condition, value },
    cursor: query.get("cursor") ?? undefined,
  };
}

/** Formats a view as the query string of its table's address. */
export function formatTableView({ sort, filter, cursor }: TableView): string {
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

/** Conditions of the filter form by their name in the address. */
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
type Condition = keyof typeof CONDITIONS;

const EMPTINESS = ["is_empty", "is_not_empty"] as const;
const TEXT = ["contains", "equals", "does_not_equal", ...EMPTINESS] as const;
const OPTION = ["equals", "does_not_equal", ...EMPTINESS] as const;
const TIME = ["equals", "before", "after"] as const;
const NUMBER = ["equals", "does_not_equal", "greater_than", "less_than"] as const;

/** Conditions that fit a property, by its type. */
const CONDITIONS_BY_TYPE: Readonly<Record<Property["type"], readonly Condition[]>> = {
  title: TEXT,
  rich_text: TEXT,
  url: TEXT,
  email: TEXT,
  phone_number: TEXT,
  select: OPTION,
  status: OPTION,
  multi_select: ["contains", ...EMPTINESS],
  number: [...NUMBER, ...EMPTINESS],
  unique_id: NUMBER,
  checkbox: ["equals", "does_not_equal"],
  date: [...TIME, ...EMPTINESS],
  created_time: TIME,
  last_edited_time: TIME,
  people: EMPTINESS,
  files: EMPTINESS,
  relation: EMPTINESS,
  created_by: [],
  last_edited_by: [],
  rollup: [],
};

/**
 * Builds the filter of a query.
 *
 * @returns undefined without a filter; a message where the filter does not fit the property
 */
export function buildFilter({ filter }: TableView, { properties }: Database): Filter | string | undefined {
  if (filter === undefined) return undefined;
  const { property, value } = filter;
  const type = Object.hasOwn(properties, property) ? properties[property]?.type : undefined;
  if (type === undefined) return `The database has no property “${property}”.`;
  const conditions = CONDITIONS_BY_TYPE[type];
  if (conditions.length === 0) return `Tables cannot be filtered by “${property}”. Choose another property.`;
  const condition = conditions.find((name) => name === filter.condition);
  if (condition === undefined) {
    const names = conditions.map((name) => `“${CONDITIONS[name]}”`).join(", ");
    return `“${property}” does not have this condition. Choose one of: ${names}.`;
  }
  const isEmptiness = condition === "is_empty" || condition === "is_not_empty";
  const operand = isEmptiness ? true : parseOperand(type, value.trim());
  if (operand === undefined) return `Enter ${EXPECTED_VALUES[type] ?? "a value"} to filter by “${property}”.`;
  // The cast: the table above has the conditions that the type has in the API.
  return { property, [type]: { [condition]: operand } } as Filter;
}

const DATE_EXAMPLE = "a date such as 2026-12-24";

/** Descriptions of the values that a filter compares, where not every text is one. */
const EXPECTED_VALUES: Readonly<Partial<Record<Property["type"], string>>> = {
  number: "a number such as 12.5",
  unique_id: "a number such as 12",
  checkbox: "“yes” or “no”",
  date: DATE_EXAMPLE,
  created_time: DATE_EXAMPLE,
  last_edited_time: DATE_EXAMPLE,
};

/** Parses the value that a filter compares; returns undefined where it does not fit the type of the property. */
function parseOperand(type: Property["type"], value: string): string | number | boolean | undefined {
  switch (type) {
    case "number":
      return value === "" || !Number.isFinite(Number(value)) ? undefined : Number(value);
    case "unique_id": {
      // Pages show the number with its prefix, as in ORD-12.
      const digits = /^(?:.*-)?(\d{1,15})$/.exec(value)?.[1];
      return digits === undefined ? undefined : Number(digits);
    }
    case "checkbox":
      if (/^(yes|true|1|✓)$/i.test(value)) return true;
      return /^(no|false|0|–)$/i.test(value) ? false : undefined;
    case "date":
    case "created_time":
    case "last_edited_time":
      return parseDate(value) === undefined ? undefined : value;
    default:
      return value;
  }
}

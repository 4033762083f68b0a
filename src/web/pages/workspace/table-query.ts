import { MAX_NAMED_OPTIONS } from "../../../budgets.js";
import type { Schemas } from "../../../domain/api-schemas.js";
import { parseDate } from "../../../domain/properties/dates.js";
import type { Database } from "./object-list.js";
import type { TableView } from "./table-view.js";

type Property = Database["properties"][string];
type Filter = Schemas["FilterLeaf"];

/** Labels of the filter conditions, by API name. */
export const CONDITION_LABELS = {
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
type Condition = keyof typeof CONDITION_LABELS;

const EMPTINESS_CONDITIONS = ["is_empty", "is_not_empty"] as const;
const TEXT_CONDITIONS = ["contains", "equals", "does_not_equal", ...EMPTINESS_CONDITIONS] as const;
const OPTION_CONDITIONS = ["equals", "does_not_equal", ...EMPTINESS_CONDITIONS] as const;
const TIME_CONDITIONS = ["equals", "before", "after"] as const;
const NUMBER_CONDITIONS = ["equals", "does_not_equal", "greater_than", "less_than"] as const;

/** Filter conditions of the API, by property type. */
const CONDITIONS_BY_TYPE: Readonly<Record<Property["type"], readonly Condition[]>> = {
  title: TEXT_CONDITIONS,
  rich_text: TEXT_CONDITIONS,
  url: TEXT_CONDITIONS,
  email: TEXT_CONDITIONS,
  phone_number: TEXT_CONDITIONS,
  select: OPTION_CONDITIONS,
  status: OPTION_CONDITIONS,
  multi_select: ["contains", ...EMPTINESS_CONDITIONS],
  number: [...NUMBER_CONDITIONS, ...EMPTINESS_CONDITIONS],
  unique_id: NUMBER_CONDITIONS,
  checkbox: ["equals", "does_not_equal"],
  date: [...TIME_CONDITIONS, ...EMPTINESS_CONDITIONS],
  created_time: TIME_CONDITIONS,
  last_edited_time: TIME_CONDITIONS,
  people: EMPTINESS_CONDITIONS,
  files: EMPTINESS_CONDITIONS,
  relation: EMPTINESS_CONDITIONS,
  created_by: [],
  last_edited_by: [],
  rollup: [],
};

/** Conditions to use instead of an unsupported one: select has only `equals`, and multi_select only `contains`. */
const FALLBACK_CONDITIONS: ReadonlyMap<string, Condition> = new Map([
  ["contains", "equals"],
  ["equals", "contains"],
]);

/** Finds the condition to apply: the requested one or its fallback; undefined if the property has neither. */
export function findCondition(
  { property, condition }: NonNullable<TableView["filter"]>,
  database: Database,
): Condition | undefined {
  const conditions = listConditions(property, database);
  const fallbackCondition = FALLBACK_CONDITIONS.get(condition);
  return (
    conditions.find((name) => name === condition) ?? conditions.find((name) => name === fallbackCondition)
  );
}

function findProperty(name: string, { properties }: Database): Property | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Lists the filter conditions of a property; none if tables cannot be filtered by it. */
export function listConditions(name: string, database: Database): readonly Condition[] {
  const property = findProperty(name, database);
  return property === undefined ? [] : CONDITIONS_BY_TYPE[property.type];
}

/** Filter and sorts of an API query, and a message if the filter or sort of the view does not fit the database. */
interface TableQuery {
  readonly filter?: Filter;
  readonly sorts?: NonNullable<TableView["sort"]>[];
  readonly problem?: string;
}

/** Builds the API query of a view, without a filter or sort that does not fit the database. */
export function buildTableQuery(view: TableView, database: Database): TableQuery {
  const { sort } = view;
  const query = buildFilter(view, database);
  if (sort === undefined) return query;
  return findProperty(sort.property, database)
    ? { ...query, sorts: [sort] }
    : { problem: formatUnknownProperty(sort.property), ...query };
}

const formatUnknownProperty = (name: string): string => `The database has no property “${name}”.`;

function buildFilter({ filter }: TableView, database: Database): Pick<TableQuery, "filter" | "problem"> {
  if (filter === undefined) return {};
  const { property } = filter;
  const value = filter.value.trim();
  const definition = findProperty(property, database);
  if (definition === undefined) return { problem: formatUnknownProperty(property) };
  const { type } = definition;
  const conditions = CONDITIONS_BY_TYPE[type];
  if (conditions.length === 0) {
    return { problem: `Tables cannot be filtered by “${property}”. Choose another property.` };
  }
  const condition = findCondition(filter, database);
  if (condition === undefined) {
    const labels = conditions.map((name) => `“${CONDITION_LABELS[name]}”`).join(", ");
    return { problem: `“${property}” does not have this condition. Choose one of: ${labels}.` };
  }
  const testsEmptiness = condition === "is_empty" || condition === "is_not_empty";
  const operand = testsEmptiness ? true : parseOperand(definition, value);
  if (operand === undefined) {
    const expected = EXPECTED_VALUES[type];
    return {
      problem:
        expected === undefined
          ? `“${property}” has no option “${value}”. ${describeOptions(listOptions(definition))}`
          : `Enter ${expected} to filter by “${property}”.`,
    };
  }
  // Safe cast: CONDITIONS_BY_TYPE lists only conditions that the API has for the type.
  return { filter: { property, [type]: { [condition]: operand } } as Filter };
}

const DATE_EXAMPLE = "a date such as 2026-12-24";

/** Descriptions of the values that a filter can compare, for types without options that do not accept every text. */
const EXPECTED_VALUES: Readonly<Partial<Record<Property["type"], string>>> = {
  number: "a number such as 12.5",
  unique_id: "a number such as 12",
  checkbox: "“yes” or “no”",
  date: DATE_EXAMPLE,
  created_time: DATE_EXAMPLE,
  last_edited_time: DATE_EXAMPLE,
};

/** Returns the placeholder of the field for the value that a filter compares. */
export function getValuePlaceholder(property: string, database: Database): string {
  switch (findProperty(property, database)?.type) {
    case "checkbox":
      return "yes or no";
    case "date":
    case "created_time":
    case "last_edited_time":
      return "2026-12-24";
    default:
      return "Value";
  }
}

/** Parses the value that a filter compares; returns undefined if it does not fit the type of the property. */
function parseOperand(property: Property, value: string): string | number | boolean | undefined {
  switch (property.type) {
    case "number":
      return parseNumber(value, property.number.format === "percent");
    case "unique_id": {
      // Pages show the number with a prefix, such as ORD-12. The prefix is ignored.
      const digits = /^(?:.*-)?(\d{1,15})$/.exec(value)?.[1];
      return digits === undefined ? undefined : Number(digits);
    }
    case "checkbox":
      // `☑` and `☐` are the texts of checkboxes in tables.
      if (/^(yes|true|1|☑)$/i.test(value)) return true;
      return /^(no|false|0|☐)$/i.test(value) ? false : undefined;
    case "date":
    case "created_time":
    case "last_edited_time":
      return parseDate(value) === undefined ? undefined : value;
    case "select":
    case "status":
    case "multi_select":
      return findOptionName(listOptions(property), value);
    default:
      return value;
  }
}

/** Start of a number with a comma, or a space, between all thousands. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}([,\s])\d{3}(?:\1\d{3})*(?!\d)/;

/** Parses a number, including the formats that tables show, such as `-$1,234.50` or `12.5%`. Percentages need no percent sign. */
function parseNumber(text: string, isPercentage: boolean): number | undefined {
  const digits = text
    .replace(/^([+-]?)[\p{L}\p{Sc}\s]+/u, "$1")
    .replace(THOUSANDS, (thousands) => thousands.replaceAll(/[,\s]/g, ""))
    .replace(isPercentage ? /\s?%?$/ : /\s?%$/, "e-2");
  return digits === "" || !Number.isFinite(Number(digits)) ? undefined : Number(digits);
}

type Options = readonly { readonly name: string }[];

/** Lists the options of a property; none if its type has no options. */
export function listOptions(property: Property): Options {
  switch (property.type) {
    case "select":
      return property.select.options;
    case "status":
      return property.status.options;
    case "multi_select":
      return property.multi_select.options;
    default:
      return [];
  }
}

/** Names the first options, for example: Its options are “Green”, “Oolong”. */
function describeOptions(options: Options): string {
  if (options.length === 0) return "It has no options yet.";
  const names = options.slice(0, MAX_NAMED_OPTIONS).map(({ name }) => `“${name}”`);
  return `Its options are ${names.join(", ")}${options.length > MAX_NAMED_OPTIONS ? ", …" : "."}`;
}

/** Finds the name of an option, ignoring case. */
function findOptionName(options: Options, text: string): string | undefined {
  return options.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.name;
}

import { MAX_FILTER_CONDITIONS, MAX_NAMED_OPTIONS } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import { findRoundingRange } from "../render/number.js";
import { parseDate } from "../../domain/properties/dates.js";
import { abbreviate } from "../../domain/text.js";
import { getIds } from "../../lists.js";
import type { TableParameters } from "./table-parameters.js";
import type { DatabaseBody } from "../../operations/present/database.js";

type Property = DatabaseBody["properties"][string];
type Leaf = Schemas["FilterLeaf"];
type Filter = Schemas["FilterGroup"];

/** A person, a bot or a related page that a filter can compare. */
export interface NamedObject {
  readonly id: string;
  /** Name of a person or bot; pages are found by title. */
  readonly name?: string | null;
}

/** Labels of the filter conditions, by API name. For people, `equals` stands for `contains` of the API. */
export const CONDITION_LABELS = {
  contains: "contains",
  does_not_contain: "does not contain",
  equals: "is",
  does_not_equal: "is not",
  greater_than: "is more than",
  less_than: "is less than",
  before: "is before",
  after: "is after",
  is_empty: "is empty",
  is_not_empty: "is not empty",
} as const;
type ConditionName = keyof typeof CONDITION_LABELS;

/** A value that the API compares, or the IDs of the users or related pages that a name stands for. */
type Operand = string | number | boolean | readonly string[];

/** Conditions and values that filter tables by properties of a type. */
interface FilterType {
  readonly conditions: readonly ConditionName[];
  /** Parses the value that a filter compares; returns undefined if it does not fit. */
  readonly parse: (value: string, property: Property, objects: readonly NamedObject[]) => Operand | undefined;
  /** Describes the values that fit, unless they are options or all texts. */
  readonly expected?: string;
  /** Says that nothing has the name that the filter compares. */
  readonly describeUnknown?: (value: string) => string;
  readonly placeholder?: string;
  /** Whether the values are names of users. */
  readonly comparesUsers?: true;
}

const EQUALITY = ["equals", "does_not_equal"] as const;
const CONTAINMENT = ["contains", "does_not_contain"] as const;
const EMPTINESS = ["is_empty", "is_not_empty"] as const;
const COMPARISONS = [...EQUALITY, "greater_than", "less_than"] as const;

const TEXT: FilterType = { conditions: [...CONTAINMENT, ...EQUALITY, ...EMPTINESS], parse: (value) => value };

const OPTION: FilterType = {
  conditions: [...EQUALITY, ...EMPTINESS],
  parse: (value, property) => findByName(listOptions(property), value)[0]?.name,
};

const TIME: FilterType = {
  conditions: ["equals", "before", "after"],
  parse: (value) => (parseDate(value) === undefined ? undefined : value),
  expected: "a date such as 2026-12-24",
  placeholder: "2026-12-24 (UTC)",
};

const USER: FilterType = {
  conditions: EQUALITY,
  parse: (value, _property, users) => toIds(findByName(users, value)),
  expected: "the name of a person or API key",
  describeUnknown: (value) => `No person or API key has the name “${value}”.`,
  comparesUsers: true,
};

const RELATION: FilterType = {
  conditions: [...CONTAINMENT, ...EMPTINESS],
  parse: (value, _property, pages) => (value === "" ? undefined : toIds(pages)),
  expected: "a part of the title of a related page",
  describeUnknown: (value) => `No related page has “${value}” in its title.`,
};

/** Filters that only test whether a property has a value, or none at all. */
const EXISTENCE: FilterType = { conditions: EMPTINESS, parse: () => undefined };
const NONE: FilterType = { conditions: [], parse: () => undefined };

const FILTER_TYPES: Readonly<Record<Property["type"], FilterType>> = {
  title: TEXT,
  rich_text: TEXT,
  url: TEXT,
  email: TEXT,
  phone_number: TEXT,
  select: OPTION,
  status: OPTION,
  multi_select: { ...OPTION, conditions: [...CONTAINMENT, ...EMPTINESS] },
  number: {
    conditions: [...COMPARISONS, ...EMPTINESS],
    parse: (value, property) =>
      parseNumber(value, property.type === "number" && property.number.format === "percent"),
    expected: "a number such as 12.5",
  },
  unique_id: {
    conditions: COMPARISONS,
    // Pages show the number with a prefix, such as ORD-12. The prefix is ignored.
    parse: (value) => parseNumber(/^(?:.*-)?(\d{1,15})$/.exec(value)?.[1] ?? "", false),
    expected: "a number such as 12",
  },
  checkbox: {
    conditions: EQUALITY,
    // `☑` and `☐` are the texts of checkboxes in tables.
    parse(value) {
      if (/^(yes|true|1|☑)$/i.test(value)) return true;
      return /^(no|false|0|☐)$/i.test(value) ? false : undefined;
    },
    expected: "“yes” or “no”",
    placeholder: "yes or no",
  },
  date: { ...TIME, conditions: [...TIME.conditions, ...EMPTINESS] },
  created_time: TIME,
  last_edited_time: TIME,
  people: { ...USER, conditions: [...EQUALITY, ...EMPTINESS] },
  created_by: USER,
  last_edited_by: USER,
  files: EXISTENCE,
  relation: RELATION,
  rollup: NONE,
};

/** Conditions to use instead of an unsupported one: select has `equals`, and multi_select `contains`. */
const FALLBACK_CONDITIONS: ReadonlyMap<string, ConditionName> = new Map([
  ["contains", "equals"],
  ["equals", "contains"],
  ["does_not_contain", "does_not_equal"],
  ["does_not_equal", "does_not_contain"],
]);

/** Finds the condition to apply: the requested one or its fallback; undefined if the property has neither. */
export function findCondition(
  { property, condition }: NonNullable<TableParameters["filter"]>,
  database: DatabaseBody,
): ConditionName | undefined {
  const conditions = listConditions(property, database);
  const fallbackCondition = FALLBACK_CONDITIONS.get(condition);
  return (
    conditions.find((name) => name === condition) ?? conditions.find((name) => name === fallbackCondition)
  );
}

function findProperty(name: string, { properties }: DatabaseBody): Property | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the filter type of a property; NONE if the property does not exist. */
function getFilterType(name: string, database: DatabaseBody): FilterType {
  const property = findProperty(name, database);
  return property === undefined ? NONE : FILTER_TYPES[property.type];
}

/** Lists the filter conditions of a property; none if tables cannot be filtered by it. */
export function listConditions(name: string, database: DatabaseBody): readonly ConditionName[] {
  return getFilterType(name, database).conditions;
}

/** Returns the placeholder of the field for the value that a filter compares. */
export function getValuePlaceholder(name: string, database: DatabaseBody): string {
  return getFilterType(name, database).placeholder ?? "Value";
}

/** Returns the text that a filter of a relation looks for, and the database with the titles; undefined for other filters. */
export function findTitleSearch(
  { filter }: Pick<TableParameters, "filter">,
  database: DatabaseBody,
): { databaseId: string; titlePart: string } | undefined {
  const titlePart = filter?.value.trim();
  const property = filter && findProperty(filter.property, database);
  if (!titlePart || property?.type !== "relation") return undefined;
  return { databaseId: property.relation.database_id, titlePart };
}

/** Whether tables are filtered by a property with the names of users. */
export function hasUsers(name: string, database: DatabaseBody): boolean {
  return getFilterType(name, database).comparesUsers === true;
}

/** Filter and sorts of an API query, and a message if the filter or sort does not fit the database. */
export interface TableQuery {
  readonly filter?: Filter;
  readonly sorts?: NonNullable<TableParameters["sort"]>[];
  readonly problem?: string;
}

/**
 * Builds the API query of a table, without a filter or sort that does not fit the database.
 *
 * @param objects users of findFilterUsers, or pages of findFilterPages if the filter compares a relation
 */
export function buildTableQuery(
  parameters: TableParameters,
  database: DatabaseBody,
  objects: readonly NamedObject[] = [],
): TableQuery {
  const { sort } = parameters;
  const query = buildFilter(parameters, database, objects);
  if (sort === undefined) return query;
  return findProperty(sort.property, database)
    ? { ...query, sorts: [sort] }
    : { problem: formatUnknownProperty(sort.property), ...query };
}

const formatUnknownProperty = (name: string): string => `The database has no property “${abbreviate(name)}”.`;

function buildFilter(
  { filter }: TableParameters,
  database: DatabaseBody,
  objects: readonly NamedObject[],
): Pick<TableQuery, "filter" | "problem"> {
  if (filter === undefined) return {};
  const { property: name } = filter;
  const value = filter.value.trim();
  const property = findProperty(name, database);
  if (property === undefined) return { problem: formatUnknownProperty(name) };
  const { conditions, parse, expected, describeUnknown } = FILTER_TYPES[property.type];
  if (conditions.length === 0) {
    return { problem: `Tables cannot be filtered by “${name}”. Choose another property.` };
  }
  const condition = findCondition(filter, database);
  if (condition === undefined) {
    const labels = conditions.map((each) => `“${CONDITION_LABELS[each]}”`).join(", ");
    return { problem: `“${name}” does not have this condition. Choose one of: ${labels}.` };
  }
  const testsEmptiness = condition === "is_empty" || condition === "is_not_empty";
  const operand = testsEmptiness ? true : parse(value, property, objects);
  if (Array.isArray(operand) && operand.length > MAX_FILTER_CONDITIONS) {
    const found =
      property.type === "relation"
        ? `related pages have “${abbreviate(value)}” in their titles`
        : `people and API keys have the name “${abbreviate(value)}”`;
    return { problem: `More than ${MAX_FILTER_CONDITIONS} ${found}, too many for a filter.` };
  }
  if (operand !== undefined) return { filter: createFilter(name, property, condition, operand) };
  if (value !== "" && describeUnknown) return { problem: describeUnknown(abbreviate(value)) };
  if (expected !== undefined) return { problem: `Enter ${expected} to filter by “${name}”.` };
  const problem =
    value === ""
      ? `Enter an option to filter by “${name}”.`
      : `“${name}” has no option “${abbreviate(value)}”.`;
  return { problem: `${problem} ${describeOptions(listOptions(property))}` };
}

function createFilter(name: string, property: Property, condition: ConditionName, operand: Operand): Filter {
  // Safe cast: FILTER_TYPES lists only conditions that the API has for the type, except for users.
  const createLeaf = (operator: string, value: unknown) =>
    ({ property: name, [property.type]: { [operator]: value } }) as Leaf;
  if (Array.isArray(operand)) {
    return condition === "equals" || condition === "contains"
      ? { or: operand.map((id) => createLeaf("contains", id)) }
      : { and: operand.map((id) => createLeaf("does_not_contain", id)) };
  }
  // Finds a number as it is shown, although it is stored with more digits.
  const range =
    property.type === "number" && typeof operand === "number"
      ? findRoundingRange(operand, property.number.format)
      : undefined;
  if (range !== undefined && condition === "equals") {
    const isAtLeast = createLeaf("greater_than_or_equal_to", range.lowest);
    return { and: [isAtLeast, createLeaf("less_than_or_equal_to", range.highest)] };
  }
  if (range !== undefined && condition === "does_not_equal") {
    const others = [createLeaf("less_than", range.lowest), createLeaf("greater_than", range.highest)];
    return { or: [...others, createLeaf("is_empty", true)] };
  }
  return createLeaf(condition, operand);
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

/** Finds the objects with a name, ignoring case. */
function findByName<T extends { readonly name?: string | null }>(objects: readonly T[], text: string): T[] {
  return objects.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
}

/** Returns the IDs of objects; undefined if there are none. */
function toIds(objects: readonly NamedObject[]): string[] | undefined {
  return objects.length === 0 ? undefined : getIds(objects);
}

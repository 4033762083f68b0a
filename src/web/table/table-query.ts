import { MAX_FILTER_CONDITIONS, MAX_NAMED_OPTIONS } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import { getRollupResultType } from "../../domain/properties/compute-rollup.js";
import { abbreviate } from "../../domain/text.js";
import type { DatabaseBody } from "../../operations/present/database.js";
import { findFilterPages, findFilterUsers } from "../../operations/views/filter-objects.js";
import type { ReadScope } from "../../operations/execution/scope.js";
import { findRoundingRange } from "../render/number.js";
import {
  CONDITION_LABELS,
  type ConditionName,
  type FilterType,
  findProperty,
  getFilterType,
  listOptions,
  type NamedObject,
  type Operand,
  type Options,
  type Property,
} from "./filter-types.js";
import type { TableParameters } from "./table-parameters.js";

type Filter = Schemas["FilterGroup"];

/** Conditions to use instead of an unsupported one: select has `equals`, and multi_select `contains`. */
const FALLBACK_CONDITIONS: ReadonlyMap<string, ConditionName> = new Map([
  ["contains", "equals"],
  ["equals", "contains"],
  ["does_not_contain", "does_not_equal"],
  ["does_not_equal", "does_not_contain"],
]);

/** Builds the API query of a table, and reads the users that its filter form suggests, if the database has properties with users. */
export async function loadTableQuery(
  scope: ReadScope,
  parameters: TableParameters,
  database: DatabaseBody,
): Promise<TableQuery & { readonly users: readonly NamedObject[] }> {
  const users = Object.keys(database.properties).some((name) => getFilterType(name, database).comparesUsers)
    ? await findFilterUsers(scope, parameters.filter?.value)
    : [];
  const titleSearch = findTitleSearch(parameters, database);
  const objects = titleSearch ? await findFilterPages(scope, titleSearch) : users;
  return { ...buildTableQuery(parameters, database, objects), users };
}

/** Finds the condition to apply: the requested one or its fallback; undefined if the property has neither. */
export function findCondition(
  { property, condition }: NonNullable<TableParameters["filter"]>,
  database: DatabaseBody,
): ConditionName | undefined {
  const { conditions } = getFilterType(property, database);
  const fallbackCondition = FALLBACK_CONDITIONS.get(condition);
  return (
    conditions.find((name) => name === condition) ?? conditions.find((name) => name === fallbackCondition)
  );
}

/** Returns the text that a filter of a relation looks for, and the database with the titles; undefined for other filters. */
function findTitleSearch({ filter }: TableParameters, database: DatabaseBody) {
  const titlePart = filter?.value;
  const property = filter && findProperty(filter.property, database);
  if (!titlePart || property?.type !== "relation") return undefined;
  return { databaseId: property.relation.database_id, titlePart };
}

/** Filter and sorts of an API query, and messages about what does not fit the database. */
export interface TableQuery {
  readonly filter?: Filter;
  readonly sorts?: NonNullable<TableParameters["sort"]>[];
  readonly sortProblem?: string;
  readonly filterProblem?: FilterProblem;
}

/** Message about a field of the filter form. */
export interface FilterProblem {
  readonly field: "filter" | "condition" | "value";
  readonly message: string;
}

/** Builds the API query of a table from what fits the database. `objects` are the users or pages that the filter can compare. */
export function buildTableQuery(
  parameters: TableParameters,
  database: DatabaseBody,
  objects: readonly NamedObject[] = [],
): TableQuery {
  const { sort } = parameters;
  const query = buildFilter(parameters, database, objects);
  if (sort === undefined) return query;
  const property = findProperty(sort.property, database);
  if (property === undefined) return { ...query, sortProblem: formatUnknownProperty(sort.property) };
  return isSortable(property)
    ? { ...query, sorts: [sort] }
    : {
        ...query,
        sortProblem: `Tables cannot be sorted by “${abbreviate(sort.property)}”. Choose another property.`,
      };
}

/** Whether pages can be sorted by a property: not by a rollup that shows several values. */
export function isSortable(property: Property): boolean {
  return property.type !== "rollup" || getRollupResultType(property.rollup.function) !== "array";
}

const formatUnknownProperty = (name: string): string => `The database has no property “${abbreviate(name)}”.`;

function buildFilter(
  { filter }: TableParameters,
  database: DatabaseBody,
  objects: readonly NamedObject[],
): Pick<TableQuery, "filter" | "filterProblem"> {
  if (filter === undefined) return {};
  const refuse = (field: FilterProblem["field"], message: string) => ({ filterProblem: { field, message } });
  const { property: name, value } = filter;
  const property = findProperty(name, database);
  if (property === undefined) return refuse("filter", formatUnknownProperty(name));
  const filterType = getFilterType(name, database);
  const { conditions, parse } = filterType;
  if (conditions.length === 0) {
    return refuse("filter", `Tables cannot be filtered by “${name}”. Choose another property.`);
  }
  const condition = findCondition(filter, database);
  if (condition === undefined) {
    const labels = conditions.map((each) => `“${CONDITION_LABELS[each]}”`).join(", ");
    return refuse("condition", `“${name}” does not have this condition. Choose one of: ${labels}.`);
  }
  const testsEmptiness = condition === "is_empty" || condition === "is_not_empty";
  const operand = testsEmptiness ? true : parse(value, property, objects);
  if (Array.isArray(operand) && operand.length > MAX_FILTER_CONDITIONS) {
    const found =
      property.type === "relation"
        ? `related pages have “${abbreviate(value)}” in their titles`
        : `people and API keys have the name “${abbreviate(value)}”`;
    return refuse("value", `More than ${MAX_FILTER_CONDITIONS} ${found}, too many for a filter.`);
  }
  if (operand !== undefined) return { filter: createFilter(name, property, condition, operand) };
  return refuse("value", describeMismatch(name, value, property, filterType));
}

/** Explains which values a filter can compare, because `value` is not one of them. */
function describeMismatch(
  name: string,
  value: string,
  property: Property,
  { expected, describeUnknown }: FilterType,
): string {
  if (value !== "" && describeUnknown) return describeUnknown(abbreviate(value));
  if (expected !== undefined) return `Enter ${expected} to filter by “${name}”.`;
  const problem =
    value === ""
      ? `Enter an option to filter by “${name}”.`
      : `“${name}” has no option “${abbreviate(value)}”.`;
  return `${problem} ${describeOptions(listOptions(property))}`;
}

function createFilter(name: string, property: Property, condition: ConditionName, operand: Operand): Filter {
  // Safe cast: FILTER_TYPES lists only conditions that the API has for the type, except for users.
  const createLeaf = (operator: string, value: unknown) =>
    ({ property: name, [property.type]: { [operator]: value } }) as Schemas["FilterLeaf"];
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

/** Names the first options, for example: Its options are “Green”, “Oolong”. */
function describeOptions(options: Options): string {
  if (options.length === 0) return "It has no options yet.";
  const names = options.slice(0, MAX_NAMED_OPTIONS).map(({ name }) => `“${name}”`);
  return `Its options are ${names.join(", ")}${options.length > MAX_NAMED_OPTIONS ? ", …" : "."}`;
}

import { createPointRange, type RollupSource } from "../../domain/query/condition.js";
import { type PropertyDefinition, type RollupFunction, VALUE_TRAITS } from "../../domain/schema.js";
import { ALWAYS_FALSE, ALWAYS_TRUE, type Fragment, sql } from "./sql.js";
import {
  crossJoin,
  buildFrom,
  buildHasElement,
  buildFromRelatedPages,
  buildFromValues,
  type FromClause,
} from "./from-clauses.js";
import { buildWholeTextExpression, getIndexedColumns, getKeyColumn } from "./predicates.js";

/** Builds the expression for the result of a rollup as a number or a time; null when it has no such result. */
export function buildRollup(source: RollupSource, page: Fragment): Fragment {
  // Cast, because PostgreSQL cannot compare a count with a fraction.
  return sql`cast((${buildRollupSelect(source, page)}) as double precision)`;
}

function buildRollupSelect({ rollup, relation, target }: RollupSource, page: Fragment): Fragment {
  const related = sql.alias("t");
  const pages = buildFromRelatedPages(relation.id, page, related);
  if (rollup.function === "count") return sql`select count(*) from ${buildFrom(pages)}`;
  const condition = buildPageCondition(rollup.function, target, related);
  if (condition === undefined) {
    return buildAggregateSelect(rollup.function, target, buildElements(target, pages, related));
  }
  // The share of no pages is null.
  const aggregate = rollup.function.startsWith("percent_")
    ? sql`avg(cast(case when ${condition} then 1 else 0 end as double precision))`
    : sql`count(case when ${condition} then 1 end)`;
  return sql`select ${aggregate} from ${buildFrom(pages)}`;
}

/** Builds the condition of the pages that a rollup counts; undefined for a rollup that aggregates values. */
function buildPageCondition(
  functionName: RollupFunction,
  target: PropertyDefinition,
  related: Fragment,
): Fragment | undefined {
  switch (functionName) {
    case "not_empty":
    case "percent_not_empty":
      return buildHasValue(target, related);
    case "empty":
    case "percent_empty":
      return sql`not ${buildHasValue(target, related)}`;
    case "checked":
    case "percent_checked":
      return buildIsChecked(target, related);
    case "unchecked":
    case "percent_unchecked":
      return sql`not ${buildIsChecked(target, related)}`;
    default:
      return undefined;
  }
}

/** Largest number in rollups of filters and sorts. PostgreSQL sums squares for an average, and refuses more than 1.8e308. */
const MAX_COMPUTED_NUMBER = "1e140";
/** Smaller numbers count as 0. PostgreSQL refuses a sum or an average that is too small for a double. */
const MIN_COMPUTED_NUMBER = "1e-300";

/** Elements of the values that a rollup aggregates. */
interface Elements {
  readonly source: FromClause;
  /** Identifies equal elements; for numbers and times, the value itself. */
  readonly key: Fragment;
  /** End of a date that can be a range. */
  readonly end?: Fragment;
}

function buildAggregateSelect(
  functionName: RollupFunction,
  target: PropertyDefinition,
  { source, key, end = key }: Elements,
): Fragment {
  const from = buildFrom(source);
  const { kind } = VALUE_TRAITS[target.type];
  const number = limitNumber(key);
  const select = (aggregate: Fragment): Fragment => sql`select ${aggregate} from ${from}`;
  const selectNumber = (aggregate: Fragment): Fragment =>
    selectRounded(sql`select ${aggregate} as number from ${from}`);
  switch (functionName) {
    case "count_values":
      return select(sql`count(*)`);
    case "unique":
      return select(sql`count(distinct ${key})`);
    case "sum":
      return kind === "number" ? selectNumber(sql`coalesce(${buildSum(number)}, 0)`) : sql`select 0`;
  }
  if (kind === "number") {
    switch (functionName) {
      case "average":
        return selectNumber(sql`${buildSum(number)} / count(*)`);
      case "min":
        return select(sql`min(${key})`);
      case "max":
        return select(sql`max(${key})`);
      case "range":
        return selectNumber(sql`max(${number}) - min(${number})`);
      case "median":
        return selectRounded(buildMedianSelect(number, from));
    }
  }
  if (kind === "time" && functionName === "latest_date") return select(sql`max(${end})`);
  if (kind === "time" && (functionName === "earliest_date" || functionName === "date_range"))
    return select(sql`min(${key})`);
  return sql`select null`;
}

/** Builds the expression that limits the absolute value of a number to MAX_COMPUTED_NUMBER, and rounds tiny numbers to 0. */
function limitNumber(number: Fragment): Fragment {
  const [min, max] = [sql.raw(MIN_COMPUTED_NUMBER), sql.raw(MAX_COMPUTED_NUMBER)];
  return sql`case when ${number} > ${max} then ${max} when ${number} < -${max} then -${max}
    when abs(${number}) < ${min} then 0 else ${number} end`;
}

/** Builds the sum of numbers. SQLite compensates for the errors of the additions, and PostgreSQL adds decimal numbers. */
function buildSum(number: Fragment): Fragment {
  return sql.byDialect({
    sqlite: sql`sum(${number})`,
    postgres: sql`cast(sum(cast(cast(${number} as text) as numeric)) as double precision)`,
  });
}

/**
 * Builds the SELECT that rounds the result of another one, called `number`, like computeRollup. The last bit differs for about one
 * of 5,000 numbers on SQLite, which converts texts to numbers less exactly than JavaScript.
 */
function selectRounded(select: Fragment): Fragment {
  const rounded = sql.byDialect({
    // In a CASE, because printf formats null as 0.
    sqlite: sql`case when a.number is not null then cast(printf('%.15g', a.number) as real) end`,
    // The conversion to numeric rounds to 15 significant digits.
    postgres: sql`cast(cast(a.number as numeric) as double precision)`,
  });
  const isSafeInteger = sql`a.number = round(a.number) and abs(a.number) <= ${sql.lit(Number.MAX_SAFE_INTEGER)}`;
  return sql`select case when ${isSafeInteger} then a.number else ${rounded} end from (${select}) as a`;
}

/** Builds the SELECT of the median: the average of the one or two values in the middle. */
function buildMedianSelect(key: Fragment, from: Fragment): Fragment {
  return sql`select avg(m.number) as number from (
    select ${key} as number, row_number() over (order by ${key}) as place, count(*) over () as total from ${from}
  ) as m where 2 * m.place between m.total and m.total + 2`;
}

/** Builds the elements of the target property on the linked pages. */
function buildElements(target: PropertyDefinition, pages: FromClause, related: Fragment): Elements {
  switch (target.type) {
    case "created_time":
    case "last_edited_time":
    case "created_by":
    case "last_edited_by":
      return { source: pages, key: sql`${related}.${sql.ref(target.type)}` };
    case "checkbox": {
      const checked = buildIsChecked(target, related);
      return { source: pages, key: sql`case when ${checked} then 1 else 0 end` };
    }
    default: {
      const value = sql.alias("v");
      const source = crossJoin(pages, buildFromValues(target, related, value));
      if (getKeyColumn(target) === "text_key") {
        return { source, key: buildWholeTextExpression(getIndexedColumns(value), (whole) => whole) };
      }
      const key = sql`${value}.number_key`;
      return { source, key, end: sql`coalesce(${value}.end_key, ${key})` };
    }
  }
}

/** Builds the predicate that a page has a value of the property. Times, users and checkboxes always have one. */
function buildHasValue(target: PropertyDefinition, page: Fragment): Fragment {
  switch (target.type) {
    case "checkbox":
    case "created_time":
    case "last_edited_time":
    case "created_by":
    case "last_edited_by":
      return sql`(${ALWAYS_TRUE})`;
    default:
      return buildHasElement(target, { kind: "exists" }, page);
  }
}

function buildIsChecked(target: PropertyDefinition, page: Fragment): Fragment {
  if (target.type !== "checkbox") return sql`(${ALWAYS_FALSE})`;
  return buildHasElement(target, { kind: "range", range: createPointRange(1) }, page);
}

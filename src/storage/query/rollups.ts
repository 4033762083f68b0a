import { point, type RollupSource } from "../../domain/query/condition.js";
import type { PropertyDefinition, RollupFunction } from "../../domain/schema.js";
import { allOf, type Fragment, sql, type SqlContext } from "./sql.js";
import {
  crossJoin,
  fromSql,
  hasElement,
  fromRelatedPages,
  fromValues,
  type FromClause,
} from "./from-clauses.js";

/**
 * Expression of the number or time of a rollup of a page; null when it has none.
 *
 * @param page alias of the row of `pages`
 */
export function rollupSql(source: RollupSource, page: string, context: SqlContext): Fragment {
  // PostgreSQL does not compare a count with a fraction.
  return sql`cast((${selectRollup(source, page, context)}) as double precision)`;
}

function selectRollup({ rollup, target }: RollupSource, page: string, context: SqlContext): Fragment {
  const related = context.alias("t");
  const pages = fromRelatedPages(rollup.relationId, page, related, context);
  const ofPages = (value: Fragment): Fragment => sql`select ${value} from ${fromSql(pages)}`;
  switch (rollup.function) {
    case "count":
      return ofPages(sql`count(*)`);
    case "not_empty":
      return ofPages(count(hasValue(target, related, context)));
    case "empty":
      return ofPages(count(sql`not ${hasValue(target, related, context)}`));
    case "percent_not_empty":
      return ofPages(share(hasValue(target, related, context)));
    case "percent_empty":
      return ofPages(share(sql`not ${hasValue(target, related, context)}`));
    case "checked":
      return ofPages(count(isTicked(target, related, context)));
    case "unchecked":
      return ofPages(count(sql`not ${isTicked(target, related, context)}`));
    case "percent_checked":
      return ofPages(share(isTicked(target, related, context)));
    case "percent_unchecked":
      return ofPages(share(sql`not ${isTicked(target, related, context)}`));
    default:
      return overElements(rollup.function, target, elementsOf(target, pages, related, context));
  }
}

/** Elements of the values of all linked pages. */
interface Elements {
  readonly source: FromClause;
  /** Identifies an element; the value itself for numbers and times. */
  readonly key: Fragment;
}

/** SELECT of a rollup that reads each element. */
function overElements(name: RollupFunction, target: PropertyDefinition, { source, key }: Elements): Fragment {
  const from = fromSql(source);
  const ofNumbers = target.type === "number" || target.type === "unique_id";
  const ofTimes =
    target.type === "date" || target.type === "created_time" || target.type === "last_edited_time";
  const nothing = sql`select null`;
  switch (name) {
    case "count_values":
      return sql`select count(*) from ${from}`;
    case "unique":
      return sql`select count(distinct ${key}) from ${from}`;
    case "sum":
      return ofNumbers ? sql`select coalesce(sum(${key}), 0) from ${from}` : sql`select 0`;
    case "average":
      return ofNumbers ? sql`select avg(${key}) from ${from}` : nothing;
    case "min":
      return ofNumbers ? sql`select min(${key}) from ${from}` : nothing;
    case "max":
      return ofNumbers ? sql`select max(${key}) from ${from}` : nothing;
    case "range":
      return ofNumbers ? sql`select max(${key}) - min(${key}) from ${from}` : nothing;
    case "median":
      return ofNumbers ? medianSql(key, from) : nothing;
    case "earliest_date":
    case "date_range":
      return ofTimes ? sql`select min(${key}) from ${from}` : nothing;
    case "latest_date":
      return ofTimes ? sql`select max(${key}) from ${from}` : nothing;
    default:
      return nothing;
  }
}

/** SELECT of the median. */
function medianSql(key: Fragment, from: Fragment): Fragment {
  return sql`select avg(m.number) from (
    select ${key} as number, row_number() over (order by ${key}) as place, count(*) over () as total from ${from}
  ) as m where 2 * m.place between m.total and m.total + 2`;
}

function elementsOf(
  target: PropertyDefinition,
  pages: FromClause,
  related: string,
  context: SqlContext,
): Elements {
  switch (target.type) {
    case "created_time":
    case "last_edited_time":
    case "created_by":
    case "last_edited_by":
      return { source: pages, key: sql.ref(`${related}.${target.type}`) };
    case "checkbox": {
      const ticked = isTicked(target, related, context);
      return { source: pages, key: sql`case when ${ticked} then 1 else 0 end` };
    }
    default: {
      const value = context.alias("v");
      const source = crossJoin(pages, fromValues(target, related, value, context));
      return { source, key: keyOf(target, value) };
    }
  }
}

function keyOf({ type }: PropertyDefinition, value: string): Fragment {
  switch (type) {
    case "number":
    case "unique_id":
    case "date":
      return sql.ref(`${value}.number_key`);
    default:
      return sql`coalesce(${sql.ref(`${value}.long_text`)}, ${sql.ref(`${value}.text_key`)})`;
  }
}

function hasValue(target: PropertyDefinition, page: string, context: SqlContext): Fragment {
  switch (target.type) {
    case "checkbox":
    case "created_time":
    case "last_edited_time":
    case "created_by":
    case "last_edited_by":
      return sql`(${allOf([])})`;
    default:
      return hasElement(target, { kind: "any" }, page, context);
  }
}

function isTicked(target: PropertyDefinition, page: string, context: SqlContext): Fragment {
  if (target.type !== "checkbox") return sql`(1 = 0)`;
  return hasElement(target, { kind: "range", range: point(1) }, page, context);
}

function count(condition: Fragment): Fragment {
  return sql`count(case when ${condition} then 1 end)`;
}

/** Share of the pages that meet a condition; null when there is no page. */
function share(condition: Fragment): Fragment {
  return sql`avg(cast(case when ${condition} then 1 else 0 end as double precision))`;
}

import { MAX_KEY_LENGTH } from "../../domain/properties/index-rows.js";
import type { Bound, Range, ElementTest } from "../../domain/query/condition.js";
import { allOf, type Fragment, sql } from "./sql.js";

/** Maximum length of a LIKE pattern in UTF-16 units of up to three UTF-8 bytes: SQLite accepts 50,000 bytes. */
const MAX_PATTERN_LENGTH = 16_000;

/** Columns of `property_values` that predicates compare. */
export interface ValueColumns {
  readonly text: Fragment;
  readonly long: Fragment;
  readonly number: Fragment;
}

/** Columns for a predicate that can use an index. */
export function getIndexedColumns(alias: Fragment): ValueColumns {
  return {
    text: sql`${alias}.text_key`,
    long: sql`${alias}.long_text`,
    number: sql`${alias}.number_key`,
  };
}

/**
 * Columns for a predicate on rows that are found by their page. The function call keeps SQLite from using an index of the
 * key instead, which has the rows of all pages.
 */
export function getUnindexedColumns(alias: Fragment): ValueColumns {
  const { text, long, number } = getIndexedColumns(alias);
  return { text: sql`coalesce(${text}, ${text})`, long, number: sql`coalesce(${number}, ${number})` };
}

/** Predicate: a row of `property_values` passes a test. */
export function buildPredicate(test: ElementTest, columns: ValueColumns): Fragment {
  switch (test.kind) {
    case "any":
      return allOf([]);
    case "id":
      return sql`${columns.text} = ${test.id}`;
    case "range":
      return buildRangePredicate(test.range, columns.number);
    case "text":
      return buildTextPredicate(test, columns);
  }
}

/** Predicate: a number is in a range. An unbounded range requires only a number. */
export function buildRangePredicate(range: Range, number: Fragment): Fragment {
  const { from, to } = range;
  if (from !== undefined && to !== undefined && !from.exclusive && !to.exclusive && from.value === to.value) {
    return sql`${number} = ${from.value}`;
  }
  const parts = [
    ...(from === undefined ? [] : [buildComparison(number, ">", from)]),
    ...(to === undefined ? [] : [buildComparison(number, "<", to)]),
  ];
  return parts.length === 0 ? sql`${number} is not null` : allOf(parts);
}

function buildComparison(number: Fragment, operator: "<" | ">", { value, exclusive }: Bound): Fragment {
  return sql`${number} ${sql.raw(exclusive ? operator : `${operator}=`)} ${value}`;
}

function buildTextPredicate(
  { operator, text }: ElementTest & { kind: "text" },
  { text: key, long }: ValueColumns,
): Fragment {
  // A shorter key is the whole text, which is in the index. Only longer texts are read from the row.
  const testWholeText = (test: (whole: Fragment) => Fragment): Fragment =>
    sql`case when length(${key}) < ${sql.lit(MAX_KEY_LENGTH)} then ${test(key)} else ${test(sql`coalesce(${long}, ${key})`)} end`;
  const points = [...text];
  const isLong = points.length > MAX_KEY_LENGTH;
  const beginning = isLong ? points.slice(0, MAX_KEY_LENGTH).join("") : text;
  switch (operator) {
    case "equals":
      return isLong
        ? sql`${key} = ${beginning} and ${long} = ${text}`
        : sql`${key} = ${text} and ${long} is null`;
    case "starts_with": {
      if (isLong) return sql`${key} = ${beginning} and substr(${long}, 1, ${points.length}) = ${text}`;
      const end = findFirstAfterPrefix(points);
      const from = sql`${key} >= ${text}`;
      return end === undefined ? from : sql`${from} and ${key} < ${end}`;
    }
    case "ends_with":
      return testWholeText(
        (whole) => sql`(length(${whole}) >= ${points.length}
          and substr(${whole}, length(${whole}) - ${points.length - 1}) = ${text})`,
      );
    case "contains":
      return testWholeText((whole) =>
        text.length > MAX_PATTERN_LENGTH
          ? sql`replace(${whole}, ${text}, '') <> ${whole}`
          : sql`${whole} like ${createLikePattern(text)} escape '\\'`,
      );
  }
}

/** Returns the LIKE pattern for texts that contain `text`. */
export function createLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Returns the first text after all texts with this prefix, in code point order; undefined when there is none. */
function findFirstAfterPrefix(points: readonly string[]): string | undefined {
  for (let length = points.length; length > 0; length -= 1) {
    const last = points[length - 1]?.codePointAt(0);
    if (last === undefined || last === 0x10ffff) continue;
    // Folded texts contain no surrogates.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return points.slice(0, length - 1).join("") + String.fromCodePoint(next);
  }
  return undefined;
}

import { sql } from "kysely";
import type { Bound, Range, Test } from "../../domain/query/condition.js";
import { allOf, type Fragment } from "./scope.js";

/** How many code points of a text `text_key` holds. */
const KEY_LENGTH = 128;

/** SQLite takes patterns of 50,000 bytes; no character of a text has more than three for a UTF-16 unit. */
const MAX_PATTERN_LENGTH = 16_000;

/** The columns of a row of `property_values` that tests look at. */
export interface ValueColumns {
  readonly text: Fragment;
  readonly long: Fragment;
  readonly number: Fragment;
}

/** The columns for a test that rows are found by. */
export function columnsOf(alias: string): ValueColumns {
  return {
    text: sql.ref(`${alias}.text_key`),
    long: sql.ref(`${alias}.long_text`),
    number: sql.ref(`${alias}.number_key`),
  };
}

/**
 * The columns for a test of rows that are found by their page. SQLite would take the index of the keys for it, all over
 * the workspace; it has none for what a function gives.
 */
export function columnsOfFound(alias: string): ValueColumns {
  const { text, long, number } = columnsOf(alias);
  return { text: sql`coalesce(${text}, ${text})`, long, number: sql`coalesce(${number}, ${number})` };
}

/** What a test asks of a row of `property_values`. */
export function testSql(test: Test, columns: ValueColumns): Fragment {
  switch (test.kind) {
    case "any":
      return allOf([]);
    case "id":
      return sql`${columns.text} = ${test.id}`;
    case "range":
      return rangeSql(test.range, columns.number);
    case "text":
      return textSql(test, columns);
  }
}

/** What a span asks of a number; that it is there at least. */
export function rangeSql(range: Range, number: Fragment): Fragment {
  const { from, to } = range;
  if (from !== undefined && to !== undefined && !from.open && !to.open && from.value === to.value) {
    return sql`${number} = ${from.value}`;
  }
  const parts = [
    ...(from === undefined ? [] : [compare(number, ">", from)]),
    ...(to === undefined ? [] : [compare(number, "<", to)]),
  ];
  return parts.length === 0 ? sql`${number} is not null` : allOf(parts);
}

function compare(number: Fragment, sign: "<" | ">", { value, open }: Bound): Fragment {
  return sql`${number} ${sql.raw(open ? sign : `${sign}=`)} ${value}`;
}

function textSql({ operator, text }: Test & { kind: "text" }, { text: key, long }: ValueColumns): Fragment {
  // A key that is shorter is all of its text, and stands in an index: only for longer ones rows are looked at.
  const ofWhole = (ask: (whole: Fragment) => Fragment): Fragment =>
    sql`case when length(${key}) < ${sql.lit(KEY_LENGTH)} then ${ask(key)} else ${ask(sql`coalesce(${long}, ${key})`)} end`;
  const points = [...text];
  const isLong = points.length > KEY_LENGTH;
  const beginning = isLong ? points.slice(0, KEY_LENGTH).join("") : text;
  switch (operator) {
    case "equals":
      return isLong
        ? sql`${key} = ${beginning} and ${long} = ${text}`
        : sql`${key} = ${text} and ${long} is null`;
    case "starts_with": {
      if (isLong) return sql`${key} = ${beginning} and substr(${long}, 1, ${points.length}) = ${text}`;
      const end = firstAfter(points);
      const from = sql`${key} >= ${text}`;
      return end === undefined ? from : sql`${from} and ${key} < ${end}`;
    }
    case "ends_with":
      return ofWhole(
        (whole) => sql`(length(${whole}) >= ${points.length}
          and substr(${whole}, length(${whole}) - ${points.length - 1}) = ${text})`,
      );
    case "contains":
      return ofWhole((whole) =>
        text.length > MAX_PATTERN_LENGTH
          ? sql`replace(${whole}, ${text}, '') <> ${whole}`
          : sql`${whole} like ${likePattern(text)} escape '\\'`,
      );
  }
}

/** A pattern for LIKE that texts fit which contain `text`. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** The first text after all that begin like this one; undefined when there is none. */
function firstAfter(points: readonly string[]): string | undefined {
  for (let length = points.length; length > 0; length -= 1) {
    const last = points[length - 1]?.codePointAt(0);
    if (last === undefined || last === 0x10ffff) continue;
    // Surrogates are no characters, so no text has them.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return points.slice(0, length - 1).join("") + String.fromCodePoint(next);
  }
  return undefined;
}

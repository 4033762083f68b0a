import { MAX_LIKE_TEXT_LENGTH } from "../../budgets.js";
import { MAX_KEY_LENGTH } from "../../domain/properties/index-rows.js";
import { type Bound, type ElementTest, isPointRange, type Range } from "../../domain/query/condition.js";
import { type PropertyDefinition, VALUE_TRAITS } from "../../domain/schema.js";
import { TABLE_METADATA } from "../tables.js";
import { ALWAYS_TRUE, joinWithAnd, type Fragment, sql } from "./sql.js";

/** Columns of `property_values` that predicates compare, or expressions with the same values. */
export interface ValueColumns {
  /** The first MAX_KEY_LENGTH code points of a folded text. */
  readonly textKey: Fragment;
  readonly numberKey: Fragment;
  /** Builds a subquery with an expression of the whole folded text if it is longer than its key, otherwise null. */
  readonly selectLongText: (build: (text: Fragment) => Fragment) => Fragment;
}

/** Returns the columns for predicates that should use an index of the compared column. */
export function getIndexedColumns(alias: Fragment): ValueColumns {
  return {
    textKey: sql`${alias}.text_key`,
    numberKey: sql`${alias}.number_key`,
    selectLongText: (build) => buildLongTextSelect(alias, build),
  };
}

/** Returns the columns in function calls, so that SQLite does not use their indexes and read the values of all pages. */
export function getUnindexedColumns(alias: Fragment): ValueColumns {
  const { textKey, numberKey, selectLongText } = getIndexedColumns(alias);
  return {
    textKey: sql`coalesce(${textKey}, ${textKey})`,
    numberKey: sql`coalesce(${numberKey}, ${numberKey})`,
    selectLongText,
  };
}

function buildLongTextSelect(value: Fragment, build: (text: Fragment) => Fragment): Fragment {
  const long = sql.alias("l");
  const isSame = (column: string): Fragment => sql`${long}.${sql.ref(column)} = ${value}.${sql.ref(column)}`;
  return sql`(select ${build(sql`${long}.text`)} from long_texts as ${long}
    where ${joinWithAnd(TABLE_METADATA.long_texts.primaryKey.map(isSame))})`;
}

/** Builds an expression of the whole folded text of an element. */
export function buildWholeTextExpression(
  { textKey, selectLongText }: ValueColumns,
  build: (text: Fragment) => Fragment,
): Fragment {
  // A shorter key is the whole text, so that the database can read the index entry only.
  const mayBeLong = sql`length(${textKey}) = ${sql.lit(MAX_KEY_LENGTH)}`;
  return sql`coalesce(case when ${mayBeLong} then ${selectLongText(build)} end, ${build(textKey)})`;
}

/** Returns the key column that is never null for the elements of a property. */
export function getKeyColumn(property: PropertyDefinition): "text_key" | "number_key" {
  switch (VALUE_TRAITS[property.type].kind) {
    case "number":
    case "time":
    case "checkbox":
      return "number_key";
    default:
      return "text_key";
  }
}

/** Builds the predicate that a row of `property_values` passes a test. */
export function buildTestPredicate(test: ElementTest, columns: ValueColumns): Fragment {
  switch (test.kind) {
    case "exists":
      // Every row is an element of a value.
      return ALWAYS_TRUE;
    case "id":
      return sql`${columns.textKey} = ${test.id}`;
    case "range":
      return buildRangePredicate(test.range, columns.numberKey);
    case "text":
      return buildTextPredicate(test, columns);
  }
}

/** Builds the predicate that a number is in a range. An unbounded range contains every number, but not null. */
export function buildRangePredicate(range: Range, number: Fragment): Fragment {
  if (isPointRange(range)) return sql`${number} = ${range.from.value}`;
  const { from, to } = range;
  const parts = [
    ...(from === undefined ? [] : [buildComparison(number, ">", from)]),
    ...(to === undefined ? [] : [buildComparison(number, "<", to)]),
  ];
  return parts.length === 0 ? sql`${number} is not null` : joinWithAnd(parts);
}

function buildComparison(number: Fragment, operator: "<" | ">", { value, exclusive }: Bound): Fragment {
  return sql`${number} ${sql.raw(exclusive ? operator : `${operator}=`)} ${value}`;
}

function buildTextPredicate(
  { operator, text }: ElementTest & { kind: "text" },
  columns: ValueColumns,
): Fragment {
  const { textKey: key, selectLongText } = columns;
  const codePoints = [...text];
  const isLong = codePoints.length > MAX_KEY_LENGTH;
  const keyPrefix = isLong ? codePoints.slice(0, MAX_KEY_LENGTH).join("") : text;
  switch (operator) {
    case "equals": {
      if (isLong) return sql`${key} = ${keyPrefix} and ${selectLongText((whole) => sql`${whole} = ${text}`)}`;
      const isEqual = sql`${key} = ${text}`;
      return codePoints.length < MAX_KEY_LENGTH
        ? isEqual
        : sql`${isEqual} and ${selectLongText(() => sql`1`)} is null`;
    }
    case "starts_with": {
      if (isLong) {
        const startsWithText = (whole: Fragment) => sql`substr(${whole}, 1, ${codePoints.length}) = ${text}`;
        return sql`${key} = ${keyPrefix} and ${selectLongText(startsWithText)}`;
      }
      const end = findFirstAfterPrefix(codePoints);
      const from = sql`${key} >= ${text}`;
      return end === undefined ? from : sql`${from} and ${key} < ${end}`;
    }
    case "ends_with":
      return buildWholeTextExpression(
        columns,
        (whole) => sql`(length(${whole}) >= ${codePoints.length}
          and substr(${whole}, length(${whole}) - ${codePoints.length - 1}) = ${text})`,
      );
    case "contains":
      return buildWholeTextExpression(columns, (whole) => buildContains(whole, text));
  }
}

/** Builds the predicate that a folded text contains another one. */
export function buildContains(whole: Fragment, text: string): Fragment {
  // Removing a text changes the value exactly if it contains the text. replace() compares many bytes at once.
  if (text.length > MAX_LIKE_TEXT_LENGTH) return sql`replace(${whole}, ${text}, '') <> ${whole}`;
  // LIKE ignores the case of ASCII letters on SQLite, which makes no difference, because the texts are folded.
  return sql`${whole} like ${`%${text.replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`;
}

/** Returns the first text, in code point order, after all texts with a prefix; undefined when there is none. */
function findFirstAfterPrefix(codePoints: readonly string[]): string | undefined {
  for (let length = codePoints.length; length > 0; length -= 1) {
    const last = codePoints[length - 1]?.codePointAt(0);
    if (last === undefined || last === 0x10ffff) continue;
    // Skips the surrogates, U+D800 to U+DFFF, which folded texts do not contain.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return codePoints.slice(0, length - 1).join("") + String.fromCodePoint(next);
  }
  return undefined;
}

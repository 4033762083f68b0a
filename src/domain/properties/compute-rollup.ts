import type { Schemas } from "../api-schemas.js";
import { getOrCreate } from "../../get-or-create.js";
import { sumBy } from "../../lists.js";
import { isObject } from "../is-object.js";
import type { RichText } from "../rich-text.js";
import type { RollupFunction } from "../schema.js";
import { type DateValue, getEndTime, getStartTime } from "./dates.js";
import type { NonRollupValue } from "./response-values.js";

type RollupResult = Schemas["RollupResult"];

type Values = readonly NonRollupValue[];

/** Type of the results of a rollup function, and their computation from values. */
type Rollup =
  | { readonly type: "number"; readonly compute: (values: Values) => number | null }
  | { readonly type: "date"; readonly compute: (values: Values) => DateValue | null }
  /** Without `compute` for values by group, which the response format of the API does not have. */
  | { readonly type: "array"; readonly compute?: (values: Values) => NonRollupValue[] };

const ROLLUPS: Readonly<Record<RollupFunction, Rollup>> = {
  count: { type: "number", compute: (values) => values.length },
  count_values: { type: "number", compute: countElements },
  unique: { type: "number", compute: (values) => collectElements(values).size },
  empty: countValues(isEmpty),
  percent_empty: computeShare(isEmpty),
  not_empty: countValues((value) => !isEmpty(value)),
  percent_not_empty: computeShare((value) => !isEmpty(value)),
  checked: countValues(isChecked),
  percent_checked: computeShare(isChecked),
  unchecked: countValues((value) => !isChecked(value)),
  percent_unchecked: computeShare((value) => !isChecked(value)),
  sum: { type: "number", compute: (values) => roundNumber(addNumbers(values.flatMap(toNumbers))) },
  average: aggregateNumbers(({ numbers }) => roundNumber(addNumbers(numbers) / numbers.length)),
  median: aggregateNumbers(({ sorted, min }) => {
    const middle = sorted.length / 2;
    // The two values in the middle, or the single one.
    const [lower = min, upper = lower] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
    return roundNumber((lower + upper) / 2);
  }),
  min: aggregateNumbers(({ min }) => min),
  max: aggregateNumbers(({ max }) => max),
  range: aggregateNumbers(({ min, max }) => roundNumber(max - min)),
  earliest_date: aggregateDates(({ value: { start, time_zone } }) => ({ start, end: null, time_zone })),
  latest_date: aggregateDates((_, { value: { start, end, time_zone } }) => ({
    start: end ?? start,
    end: null,
    time_zone,
  })),
  date_range: aggregateDates(createDateRange),
  show_original: { type: "array", compute: (values) => [...values] },
  show_unique: { type: "array", compute: removeDuplicates },
  count_per_group: { type: "array" },
  percent_per_group: { type: "array" },
};

export function getRollupResultType(name: RollupFunction): Rollup["type"] {
  return ROLLUPS[name].type;
}

/** Computes a rollup from the values that the linked pages have for the property, in the order of the links. */
export function computeRollup(name: RollupFunction, values: Values): RollupResult {
  const { type, compute } = ROLLUPS[name];
  if (compute === undefined) return { type: "unsupported", unsupported: {}, function: name };
  // Safe cast: each function computes results of its type.
  return { type, [type]: compute(values), function: name } as RollupResult;
}

/** Creates the rollup that counts the values that pass a test. */
function countValues(test: (value: NonRollupValue) => boolean): Rollup {
  return { type: "number", compute: (values) => values.filter(test).length };
}

/** Creates the rollup of the share of the values that pass a test, which is null without values. */
function computeShare(test: (value: NonRollupValue) => boolean): Rollup {
  return {
    type: "number",
    compute: (values) => (values.length === 0 ? null : values.filter(test).length / values.length),
  };
}

const elementsByValue = new WeakMap<NonRollupValue, readonly string[]>();

/** Returns a text for each element of a value; equal elements have equal texts. Cached, because many rollups can use a value. */
function toElements(value: NonRollupValue): readonly string[] {
  return getOrCreate(elementsByValue, value, createElements);
}

function createElements(value: NonRollupValue): string[] {
  switch (value.type) {
    case "title":
      return toTextElements(value.title);
    case "rich_text":
      return toTextElements(value.rich_text);
    case "unique_id":
      return value.unique_id.number === null ? [] : [String(value.unique_id.number)];
    default: {
      const content: unknown = Reflect.get(value, value.type) ?? [];
      return [content].flat().map(toElement);
    }
  }
}

/** Returns the id of an option, user or page, whose text exists already, and the JSON of any other element. */
function toElement(element: unknown): string {
  const id: unknown = isObject(element) ? element["id"] : undefined;
  return typeof id === "string" ? id : JSON.stringify(element);
}

function toTextElements(runs: readonly RichText[]): string[] {
  // Mentions by their ids, because the text of a mention does not have the name of a user, page or database yet.
  const texts = runs.map((run) => (run.type === "mention" ? JSON.stringify(run.mention) : run.plain_text));
  const text = texts.join("");
  return text === "" ? [] : [text];
}

function countElements(values: Values): number {
  return sumBy(values, (value) => toElements(value).length);
}

/** Returns the different elements of values. Without a list of all elements, 500,000 of them take 20 ms instead of 130. */
function collectElements(values: Values): ReadonlySet<string> {
  const elements = new Set<string>();
  for (const value of values) for (const element of toElements(value)) elements.add(element);
  return elements;
}

function isEmpty(value: NonRollupValue): boolean {
  return toElements(value).length === 0;
}

function isChecked(value: NonRollupValue): boolean {
  return value.type === "checkbox" && value.checkbox;
}

function toNumbers(value: NonRollupValue): number[] {
  if (value.type === "number") return value.number === null ? [] : [value.number];
  if (value.type === "unique_id") return value.unique_id.number === null ? [] : [value.unique_id.number];
  return [];
}

interface AggregatedNumbers {
  readonly numbers: readonly number[];
  readonly sorted: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** Creates a rollup of numbers, which is null without numbers. */
function aggregateNumbers(aggregate: (numbers: AggregatedNumbers) => number): Rollup {
  return {
    type: "number",
    compute(values) {
      const numbers = values.flatMap(toNumbers);
      const sorted = numbers.toSorted((a, b) => a - b);
      const [min] = sorted;
      const max = sorted.at(-1);
      return min === undefined || max === undefined ? null : aggregate({ numbers, sorted, min, max });
    },
  };
}

/** Adds numbers with the error compensation by Neumaier, like SQLite, so that their order does not matter. */
function addNumbers(numbers: readonly number[]): number {
  let [sum, compensation] = [0, 0];
  for (const number of numbers) {
    const next = sum + number;
    compensation += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + compensation : sum;
}

/** Rounds a result to 15 significant digits, because 0.1 + 0.2 is not 0.3 otherwise. Keeps integers up to 2^53. */
function roundNumber(number: number): number {
  return Number.isSafeInteger(number) ? number : Number(number.toPrecision(15));
}

/** A date or range of dates. Start and end are in milliseconds since 1970. */
interface Span {
  readonly value: DateValue;
  readonly start: number;
  readonly end: number;
}

const spansByValue = new WeakMap<NonRollupValue, readonly Span[]>();

/** Returns the span of a date. Cached, because many rollups can use a value, and to find the offset of its time zone takes 2 µs. */
function toSpans(value: NonRollupValue): readonly Span[] {
  return getOrCreate(spansByValue, value, createSpans);
}

function createSpans(value: NonRollupValue): Span[] {
  const date = toDate(value);
  if (date === null) return [];
  const start = getStartTime(date);
  return [{ value: date, start, end: date.end === null ? start : getEndTime(date) }];
}

function toDate(value: NonRollupValue): DateValue | null {
  switch (value.type) {
    case "date":
      return value.date;
    case "created_time":
      return { start: value.created_time, end: null, time_zone: null };
    case "last_edited_time":
      return { start: value.last_edited_time, end: null, time_zone: null };
    default:
      return null;
  }
}

/** Creates a rollup of the dates with the earliest start and the latest end, which is null without dates. */
function aggregateDates(aggregate: (earliest: Span, latest: Span) => DateValue): Rollup {
  return {
    type: "date",
    compute(values) {
      const spans = values.flatMap(toSpans);
      const [first] = spans;
      if (first === undefined) return null;
      const earliest = spans.reduce((found, span) => (span.start < found.start ? span : found), first);
      const latest = spans.reduce((found, span) => (span.end > found.end ? span : found), first);
      return aggregate(earliest, latest);
    },
  };
}

function createDateRange(earliest: Span, latest: Span): DateValue {
  const { start, time_zone } = earliest.value;
  if (time_zone === latest.value.time_zone) {
    return { start, end: latest.value.end ?? latest.value.start, time_zone };
  }
  // A range has only one time zone, so dates of different time zones are converted to UTC.
  return {
    start: new Date(earliest.start).toISOString(),
    end: new Date(latest.end).toISOString(),
    time_zone: null,
  };
}

/** Removes empty values, and values with the same elements as an earlier one. */
function removeDuplicates(values: readonly NonRollupValue[]): NonRollupValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const elements = toElements(value);
    const key = JSON.stringify(elements);
    if (elements.length === 0 || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

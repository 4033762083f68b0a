import type { Schemas } from "../api-schemas.js";
import { getOrCreate } from "../../get-or-create.js";
import type { RichText } from "../rich-text.js";
import type { RollupFunction } from "../schema.js";
import { type DateValue, getEndTime, getStartTime } from "./dates.js";
import type { NonRollupValue } from "./response-values.js";

type RollupResult = Schemas["RollupResult"];

/** Computes a rollup from the values that the linked pages have for the property, in the order of the links. */
export function computeRollup(name: RollupFunction, values: readonly NonRollupValue[]): RollupResult {
  const numberResult = (result: number | null): RollupResult => ({
    type: "number",
    number: result,
    function: name,
  });
  const pageCount = values.length;
  const toCountOrShare = (count: number): RollupResult => {
    const share = pageCount === 0 ? null : count / pageCount;
    return numberResult(name.startsWith("percent_") ? share : count);
  };
  switch (name) {
    case "count":
      return numberResult(pageCount);
    case "count_values":
      return numberResult(values.flatMap(toElements).length);
    case "empty":
    case "percent_empty":
      return toCountOrShare(values.filter(isEmpty).length);
    case "not_empty":
    case "percent_not_empty":
      return toCountOrShare(pageCount - values.filter(isEmpty).length);
    case "checked":
    case "percent_checked":
      return toCountOrShare(values.filter(isChecked).length);
    case "unchecked":
    case "percent_unchecked":
      return toCountOrShare(pageCount - values.filter(isChecked).length);
    case "unique":
      return numberResult(new Set(values.flatMap(toElements)).size);
    case "sum":
    case "average":
    case "median":
    case "min":
    case "max":
    case "range":
      return numberResult(aggregateNumbers(name, values.flatMap(toNumbers)));
    case "earliest_date":
    case "latest_date":
    case "date_range":
      return { type: "date", date: aggregateDates(name, values.flatMap(toSpans)), function: name };
    case "show_original":
      return { type: "array", array: [...values], function: name };
    case "show_unique":
      return { type: "array", array: removeDuplicates(values), function: name };
    // The response format of the API has no values by group.
    case "count_per_group":
    case "percent_per_group":
      return { type: "unsupported", unsupported: {}, function: name };
  }
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
      return [content].flat().map((element) => JSON.stringify(element));
    }
  }
}

function toTextElements(runs: readonly RichText[]): string[] {
  // Mentions by their ids, because the text of a mention does not have the name of a user, page or database yet.
  const texts = runs.map((run) => (run.type === "mention" ? JSON.stringify(run.mention) : run.plain_text));
  const text = texts.join("");
  return text === "" ? [] : [text];
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

function aggregateNumbers(
  name: "sum" | "average" | "median" | "min" | "max" | "range",
  numbers: readonly number[],
): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (name === "sum") return roundNumber(addNumbers(numbers));
  if (min === undefined || max === undefined) return null;
  switch (name) {
    case "average":
      return roundNumber(addNumbers(numbers) / numbers.length);
    case "min":
      return min;
    case "max":
      return max;
    case "range":
      return roundNumber(max - min);
    case "median": {
      const middle = sorted.length / 2;
      // The two values in the middle, or the single one.
      const [lower = min, upper = lower] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
      return roundNumber((lower + upper) / 2);
    }
  }
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

function aggregateDates(
  name: "earliest_date" | "latest_date" | "date_range",
  spans: readonly Span[],
): DateValue | null {
  const [first] = spans;
  if (first === undefined) return null;
  const earliest = spans.reduce((found, span) => (span.start < found.start ? span : found), first);
  const latest = spans.reduce((found, span) => (span.end > found.end ? span : found), first);
  const start = earliest.value.start;
  const end = latest.value.end ?? latest.value.start;
  switch (name) {
    case "earliest_date":
      return { start, end: null, time_zone: earliest.value.time_zone };
    case "latest_date":
      return { start: end, end: null, time_zone: latest.value.time_zone };
    case "date_range": {
      // A range has only one time zone, so dates of different time zones are converted to UTC.
      const sameZone = earliest.value.time_zone === latest.value.time_zone;
      return sameZone
        ? { start, end, time_zone: earliest.value.time_zone }
        : {
            start: new Date(earliest.start).toISOString(),
            end: new Date(latest.end).toISOString(),
            time_zone: null,
          };
    }
  }
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

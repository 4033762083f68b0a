import { DomainError } from "../errors.js";
import { parseRichTextRun } from "../rich-text.js";
import type { PropertyDefinition } from "../schema.js";
import { type DateValue, formatWithoutTimeZone, parseDateValue } from "./dates.js";
import { findOption, MAX_OPTION_NAME_LENGTH, OptionList } from "./options.js";
import { getUserIds, type ValueSource } from "./response-values.js";
import { getStoredValue, type StoredValue } from "./stored-values.js";
import { MAX_TEXT_LENGTHS } from "./parse-value.js";
import { toPlainText } from "./plain-text.js";
import { hasLineBreak, truncate } from "../text.js";
import { parseUrl } from "../url.js";

/** Number of options of a property, including existing ones, from which a conversion adds no further option. */
export const MAX_CONVERTED_OPTIONS = 100;
/** Maximum length of a run of rich text in UTF-16 units. */
export const MAX_RUN_LENGTH = 2000;

/** Converts the values of a property that changes its type or options, page by page. */
export interface Converter {
  /** Returns the new value of a page; undefined if it cannot be converted. `userNames` has the names of users by id. */
  convert(page: ValueSource, userNames: ReadonlyMap<string, string>): StoredValue | undefined;
  /** The new property, with the options that the conversion has created so far. */
  readonly definition: PropertyDefinition;
}

/** Creates a converter for a property that changes its type or loses options. Drops values that the new type cannot express. */
export function createConverter(from: PropertyDefinition, to: PropertyDefinition): Converter {
  const newOptions = "options" in to ? new OptionList(to.options) : undefined;
  return {
    convert(page, userNames) {
      const direct = convertDirectly(from, to, page);
      if (direct !== undefined) return direct ?? undefined;
      const texts = toTexts(from, page, userNames).filter((text) => text !== "");
      return texts.length === 0 ? undefined : fromTexts(to, texts, newOptions);
    },
    get definition() {
      return newOptions && "options" in to ? { ...to, options: newOptions.options } : to;
    },
  };
}

/** Converts a value without an intermediate text. Returns null to drop the value, and undefined when it must become texts first. */
function convertDirectly(
  from: PropertyDefinition,
  to: PropertyDefinition,
  page: ValueSource,
): StoredValue | null | undefined {
  const stored = page.properties;
  if ("options" in to && "options" in from) {
    const ids = getOptionIds(from, page).filter((id) => findOption(to.options, id) !== undefined);
    return (to.type === "multi_select" && ids.length > 0 ? ids : ids[0]) ?? null;
  }
  if (to.type === "number" && from.type === "checkbox") {
    return getStoredValue(stored, from) === true ? 1 : 0;
  }
  if (to.type === "number" && from.type === "unique_id") return getStoredValue(stored, from) ?? null;
  if (to.type === "checkbox" && from.type === "number") {
    return (getStoredValue(stored, from) ?? 0) !== 0;
  }
  if (to.type === "people" && from.type === "created_by") return [page.createdBy];
  if (to.type === "people" && from.type === "last_edited_by") return [page.lastEditedBy];
  return undefined;
}

function getOptionIds(from: PropertyDefinition, { properties }: ValueSource): readonly string[] {
  return "options" in from ? [getStoredValue(properties, from) ?? []].flat() : [];
}

/** Returns the elements of a value as texts. */
function toTexts(
  from: PropertyDefinition,
  page: ValueSource,
  userNames: ReadonlyMap<string, string>,
): string[] {
  const stored = page.properties;
  switch (from.type) {
    case "title":
    case "rich_text":
      return [toPlainText(getStoredValue(stored, from) ?? [])];
    case "number":
    case "url":
    case "email":
    case "phone_number": {
      const value = getStoredValue(stored, from);
      return value === undefined ? [] : [String(value)];
    }
    case "checkbox":
      return [getStoredValue(stored, from) === true ? "Yes" : "No"];
    case "select":
    case "multi_select":
    case "status":
      return getOptionIds(from, page).flatMap((id) => findOption(from.options, id)?.name ?? []);
    case "date": {
      const date = getStoredValue(stored, from);
      if (date === undefined) return [];
      const ends = date.end === null ? [date.start] : [date.start, date.end];
      return [ends.map((end) => formatWithoutTimeZone(end, date.time_zone)).join(" → ")];
    }
    case "people":
    case "created_by":
    case "last_edited_by":
      return getUserIds(from, page).flatMap((id) => userNames.get(id) ?? []);
    case "files":
      return (getStoredValue(stored, from) ?? []).map((file) =>
        file.type === "external" ? file.external.url : file.file.url,
      );
    case "unique_id": {
      const number = getStoredValue(stored, from);
      return number === undefined ? [] : [from.prefix === null ? String(number) : `${from.prefix}-${number}`];
    }
    case "created_time":
      return [new Date(page.createdTime).toISOString()];
    case "last_edited_time":
      return [new Date(page.lastEditedTime).toISOString()];
    case "relation":
    case "rollup":
      return [];
  }
}

/** Converts texts to a value of the new type; undefined when it cannot express them. */
function fromTexts(
  to: PropertyDefinition,
  texts: readonly string[],
  newOptions: OptionList | undefined,
): StoredValue | undefined {
  const text = texts.join(", ");
  const firstText = texts[0] ?? "";
  switch (to.type) {
    case "title":
    case "rich_text":
      return splitText(text).map((content) => parseRichTextRun({ text: { content } }));
    case "number":
      return toNumber(text);
    case "checkbox":
      return /^(?:yes|true|1|x|✓)$/iu.test(text.trim());
    case "date":
      return toDate(text, to.name);
    case "email":
      return text.length <= MAX_TEXT_LENGTHS.email && !hasLineBreak(text) ? text : undefined;
    case "url":
    case "phone_number":
      return text.length <= MAX_TEXT_LENGTHS[to.type] ? text : undefined;
    case "files":
      return parseUrl(firstText)
        ? [{ name: firstText, type: "external", external: { url: firstText } }]
        : undefined;
    case "status":
      return newOptions?.find({ name: text.trim() })?.id;
    case "select":
      return newOptions && findOrAddOption(firstText.replaceAll(",", " "), newOptions);
    case "multi_select": {
      const names = texts.flatMap((commaSeparated) => commaSeparated.split(","));
      const ids = new Set(names.flatMap((name) => (newOptions && findOrAddOption(name, newOptions)) ?? []));
      return ids.size === 0 ? undefined : [...ids];
    }
    // Texts do not become values of these types.
    case "people":
    case "relation":
    case "rollup":
    case "unique_id":
    case "created_time":
    case "created_by":
    case "last_edited_time":
    case "last_edited_by":
      return undefined;
  }
}

function splitText(text: string): string[] {
  const result: string[] = [];
  for (let rest = text; rest !== "";) {
    const run = truncate(rest, MAX_RUN_LENGTH);
    result.push(run);
    rest = rest.slice(run.length);
  }
  return result;
}

function toNumber(text: string): number | undefined {
  const trimmed = text.trim();
  // 1,000.5 has thousands separators. Other commas can be decimal ones, as in 0,125 and 3,14159.
  const isGrouped = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(trimmed);
  const numeral = isGrouped ? trimmed.replaceAll(",", "") : trimmed;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(numeral)) return undefined;
  const number = Number(numeral);
  return Number.isFinite(number) ? number : undefined;
}

/** Parses a date or range as in requests; undefined for a text that is neither. */
function toDate(text: string, name: string): DateValue | undefined {
  const [start = "", end, ...others] = text.trim().split(" → ");
  if (others.length > 0) return undefined;
  try {
    return parseDateValue({ start, end: end ?? null }, name, name);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Finds the option with the given name, or adds it. Returns its id; undefined for an empty name or too many options. */
function findOrAddOption(text: string, newOptions: OptionList): string | undefined {
  const name = truncate(text.trim(), MAX_OPTION_NAME_LENGTH);
  if (name === "") return undefined;
  const existing = newOptions.find({ name });
  if (existing !== undefined) return existing.id;
  return newOptions.options.length < MAX_CONVERTED_OPTIONS ? newOptions.add(name).id : undefined;
}

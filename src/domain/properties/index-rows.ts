import type { RichText } from "../rich-text.js";
import { isTextProperty, type Option, type PropertyDefinition } from "../schema.js";
import { getEndTime, getStartTime } from "./dates.js";
import { findOption } from "./options.js";
import { getStoredValue, type StoredProperties } from "./stored-values.js";
import { foldText } from "../text.js";

/** A row of the table property_values: one element of a value, in a form that filters and sorts can use. */
interface IndexRow {
  /** Index of the element in the value. */
  readonly ordinal: number;
  /** Beginning of a folded text, or the id of an option or user; otherwise null. */
  readonly textKey: string | null;
  /** The whole folded text if `textKey` is only its beginning; otherwise null. */
  readonly longText: string | null;
  /** A number, the start of a date, 0 or 1 for a checkbox, or the rank of an option; otherwise null. */
  readonly numberKey: number | null;
  /** The end of a date that is a range; otherwise null. */
  readonly endKey: number | null;
}

/** Maximum length of a text key in code points, because databases limit the size of index entries. */
export const MAX_KEY_LENGTH = 128;

/** Derives the index rows of a value, one per element; none for relations and computed properties except unique ids. */
export function createIndexRows(property: PropertyDefinition, stored: StoredProperties): IndexRow[] {
  switch (property.type) {
    case "title":
    case "rich_text":
      return createTextRows((getStoredValue(stored, property) ?? []).map(getIndexedText).join(""));
    case "url":
    case "email":
    case "phone_number":
      return createTextRows(getStoredValue(stored, property) ?? "");
    case "number":
    case "unique_id":
    case "checkbox": {
      const value = getStoredValue(stored, property);
      return value === undefined ? [] : [createRow(0, null, Number(value))];
    }
    case "date": {
      const date = getStoredValue(stored, property);
      if (date === undefined) return [];
      return [
        { ...createRow(0, null, getStartTime(date)), endKey: date.end === null ? null : getEndTime(date) },
      ];
    }
    case "select":
    case "status":
    case "multi_select":
      return createOptionRows([getStoredValue(stored, property) ?? []].flat(), property.options);
    case "people":
      return (getStoredValue(stored, property) ?? []).map((userId, ordinal) =>
        createRow(ordinal, userId, null),
      );
    case "files":
      return (getStoredValue(stored, property) ?? []).map((file, ordinal) => ({
        ...createTextRow(file.name),
        ordinal,
      }));
    case "relation":
    case "rollup":
    case "created_time":
    case "created_by":
    case "last_edited_time":
    case "last_edited_by":
      return [];
  }
}

/** Whether a value has an element with a long text. */
export function hasLongText(property: PropertyDefinition, stored: StoredProperties): boolean {
  return createIndexRows(property, stored).some(({ longText }) => longText !== null);
}

/** Returns the whole folded text of a text property; empty when the property is not set or has another type. */
export function getFoldedText(property: PropertyDefinition, stored: StoredProperties): string {
  const [only] = isTextProperty(property) ? createIndexRows(property, stored) : [];
  return only?.longText ?? only?.textKey ?? "";
}

/** Object replacement character. Stands for a user, page or database that a text mentions, whose name is not stored. */
const UNNAMED_MENTION = "\ufffc";

function getIndexedText(run: RichText): string {
  return run.type === "mention" && run.plain_text === "" ? UNNAMED_MENTION : run.plain_text;
}

function createRow(ordinal: number, textKey: string | null, numberKey: number | null): IndexRow {
  return { ordinal, textKey, longText: null, numberKey, endKey: null };
}

function createTextRows(text: string): IndexRow[] {
  return text === "" ? [] : [createTextRow(text)];
}

function createTextRow(text: string): IndexRow {
  const folded = foldText(text);
  // A text has at least as many UTF-16 units as code points.
  if (folded.length <= MAX_KEY_LENGTH) return createRow(0, folded, null);
  const key = Array.from(folded.slice(0, 2 * MAX_KEY_LENGTH))
    .slice(0, MAX_KEY_LENGTH)
    .join("");
  return { ...createRow(0, key, null), longText: key.length < folded.length ? folded : null };
}

function createOptionRows(ids: readonly string[], options: readonly Option[]): IndexRow[] {
  return ids.flatMap((id, ordinal) => {
    const option = findOption(options, id);
    return option === undefined ? [] : [createRow(ordinal, id, option.rank)];
  });
}

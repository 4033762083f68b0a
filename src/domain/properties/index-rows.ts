import { fold } from "../fold.js";
import type { Option, PropertyDefinition } from "../schema.js";
import { startOf } from "./dates.js";
import { storedValue, type StoredProperties } from "./stored.js";
import { plainText } from "./text.js";

/** An element of a value in the form that filters and sorts use, see PropertyValuesTable. */
export interface IndexRow {
  readonly ordinal: number;
  readonly textKey: string | null;
  readonly longText: string | null;
  readonly numberKey: number | null;
}

/** How many code points of a text the index holds. */
const KEY_LENGTH = 128;

/**
 * The rows by which a value can be found: one for each element, none when the property is not set. Relations have
 * theirs from elsewhere, and what is computed has none but for unique ids.
 */
export function indexRows(property: PropertyDefinition, stored: StoredProperties): IndexRow[] {
  const { id } = property;
  switch (property.type) {
    case "title":
    case "rich_text": {
      const runs = storedValue(stored, { id, type: property.type });
      return runs === undefined ? [] : textRows(plainText(runs));
    }
    case "url":
    case "email":
    case "phone_number": {
      const text = storedValue(stored, { id, type: property.type });
      return text === undefined ? [] : textRows(text);
    }
    case "number":
    case "unique_id": {
      const number = storedValue(stored, { id, type: property.type });
      return number === undefined ? [] : [row(0, null, number)];
    }
    case "checkbox": {
      const ticked = storedValue(stored, { id, type: property.type });
      return ticked === undefined ? [] : [row(0, null, ticked ? 1 : 0)];
    }
    case "date": {
      const date = storedValue(stored, { id, type: property.type });
      return date === undefined ? [] : [row(0, null, startOf(date))];
    }
    case "select":
    case "status": {
      const optionId = storedValue(stored, { id, type: property.type });
      return optionId === undefined ? [] : optionRows([optionId], property.options);
    }
    case "multi_select":
      return optionRows(storedValue(stored, { id, type: property.type }) ?? [], property.options);
    case "people":
      return (storedValue(stored, { id, type: property.type }) ?? []).map((userId, ordinal) =>
        row(ordinal, userId, null),
      );
    case "files":
      return (storedValue(stored, { id, type: property.type }) ?? []).map((file, ordinal) => ({
        ...textRow(file.name),
        ordinal,
      }));
    default:
      return [];
  }
}

function row(ordinal: number, textKey: string | null, numberKey: number | null): IndexRow {
  return { ordinal, textKey, longText: null, numberKey };
}

function textRows(text: string): IndexRow[] {
  return text === "" ? [] : [textRow(text)];
}

function textRow(text: string): IndexRow {
  const folded = fold(text);
  // As long in UTF-16 units as in code points, or longer.
  if (folded.length <= KEY_LENGTH) return row(0, folded, null);
  const key = Array.from(folded.slice(0, 2 * KEY_LENGTH))
    .slice(0, KEY_LENGTH)
    .join("");
  return { ordinal: 0, textKey: key, longText: key.length < folded.length ? folded : null, numberKey: null };
}

function optionRows(ids: readonly string[], options: readonly Option[]): IndexRow[] {
  return ids.flatMap((id, ordinal) => {
    const option = options.find((each) => each.id === id);
    return option === undefined ? [] : [row(ordinal, id, option.rank)];
  });
}

import type { components } from "../../generated/types.js";

/* Property values for new and changed pages, e.g. `property.title("Tokyo")`. Null clears a property. */

type Schemas = components["schemas"];
type Value = Required<Schemas["PropertyValueObjectInput"]>;
type RichText = Schemas["RichTextInput"];
/** A date, or a date and time with or without an offset. */
type DateText = Schemas["DateText"];

/** Converts plain text to rich text, in runs of at most 2,000 characters. */
export function richText(content: string): RichText {
  // By code points, so that no surrogate pair is split.
  const runs = content.match(/.{1,2000}/gsu) ?? [];
  return runs.map((run) => ({ text: { content: run } }));
}

const toRichText = (value: string | RichText): RichText =>
  typeof value === "string" ? richText(value) : value;

/** Creates a title from plain text or rich text. */
export function title(value: string | RichText): Pick<Value, "title"> {
  return { title: toRichText(value) };
}

/** Creates a rich text value from plain text or rich text. */
export function text(value: string | RichText): Pick<Value, "rich_text"> {
  return { rich_text: toRichText(value) };
}

/** Creates a number; null clears the property. */
export function number(value: Value["number"]): Pick<Value, "number"> {
  return { number: value };
}

/** Creates the value of a checkbox. */
export function checkbox(value: boolean): Pick<Value, "checkbox"> {
  return { checkbox: value };
}

/** Selects an option by its name. An unknown option is added to the property; null clears the property. */
export function select(name: string | null): Pick<Value, "select"> {
  return { select: name === null ? null : { name } };
}

/** Selects options by their names. Unknown options are added to the property. */
export function multiSelect(...names: string[]): Pick<Value, "multi_select"> {
  return { multi_select: names.map((name) => ({ name })) };
}

/** Selects a status by its name, which must exist; null clears the property. */
export function status(name: string | null): Pick<Value, "status"> {
  return { status: name === null ? null : { name } };
}

/** Creates a date, or a range of dates with `end`; null clears the property. */
export function date(start: DateText | null, end?: DateText): Pick<Value, "date"> {
  return { date: start === null ? null : { start, ...(end === undefined ? {} : { end }) } };
}

/** References users by ID. */
export function people(...ids: string[]): Pick<Value, "people"> {
  return { people: ids.map((id) => ({ id })) };
}

/** Links pages by ID. */
export function relation(...ids: string[]): Pick<Value, "relation"> {
  return { relation: ids.map((id) => ({ id })) };
}

/** Creates files from names and URLs. */
export function files(...links: { name: string; url: string }[]): Pick<Value, "files"> {
  return { files: links.map(({ name, url }) => ({ name, external: { url } })) };
}

/** Creates a URL; null clears the property. */
export function url(value: Value["url"]): Pick<Value, "url"> {
  return { url: value };
}

/** Creates an e-mail address; null clears the property. */
export function email(value: Value["email"]): Pick<Value, "email"> {
  return { email: value };
}

/** Creates a phone number in any format; null clears the property. */
export function phoneNumber(value: Value["phone_number"]): Pick<Value, "phone_number"> {
  return { phone_number: value };
}

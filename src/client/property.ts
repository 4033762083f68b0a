import type { components } from "../../generated/types.js";

/* Values of properties for new and changed pages, e.g. `property.title("Tokyo")`; null clears where there is one. */

type Schemas = components["schemas"];
type Value = Required<Schemas["PropertyValueObjectInput"]>;
type RichText = Schemas["RichTextInput"];
/** Day, or time with or without a zone. */
type DateText = Schemas["DateText"];

/** Most characters of one piece of text. */
const PIECE = 2000;

/** Plain text as rich text: in as many pieces as it needs. */
export function richText(content: string): RichText {
  const pieces: RichText = [];
  for (let start = 0; start < content.length;) {
    let end = Math.min(start + PIECE, content.length);
    // A character of two units is not cut in two.
    if (end < content.length && /[\ud800-\udbff]/.test(content[end - 1] ?? "")) end -= 1;
    pieces.push({ text: { content: content.slice(start, end) } });
    start = end;
  }
  return pieces;
}

const asRichText = (value: string | RichText): RichText =>
  typeof value === "string" ? richText(value) : value;

export function title(value: string | RichText): Pick<Value, "title"> {
  return { title: asRichText(value) };
}

export function text(value: string | RichText): Pick<Value, "rich_text"> {
  return { rich_text: asRichText(value) };
}

export function number(value: Value["number"]): Pick<Value, "number"> {
  return { number: value };
}

export function checkbox(value: boolean): Pick<Value, "checkbox"> {
  return { checkbox: value };
}

/** An option by its name; one that the property does not have yet is added to it. */
export function select(name: string | null): Pick<Value, "select"> {
  return { select: name === null ? null : { name } };
}

/** Options by their names; those that the property does not have yet are added to it. */
export function multiSelect(...names: string[]): Pick<Value, "multi_select"> {
  return { multi_select: names.map((name) => ({ name })) };
}

/** An option by its name, which the property has to have. */
export function status(name: string | null): Pick<Value, "status"> {
  return { status: name === null ? null : { name } };
}

/** A day or a time, or with an end a span. */
export function date(start: DateText | null, end?: DateText): Pick<Value, "date"> {
  if (start === null) return { date: null };
  return { date: { start, ...(end === undefined ? {} : { end }) } };
}

/** Users by their ids. */
export function people(...ids: string[]): Pick<Value, "people"> {
  return { people: ids.map((id) => ({ id })) };
}

/** Pages by their ids. */
export function relation(...ids: string[]): Pick<Value, "relation"> {
  return { relation: ids.map((id) => ({ id })) };
}

/** Files by their names and addresses. */
export function files(...links: { name: string; url: string }[]): Pick<Value, "files"> {
  return { files: links.map(({ name, url }) => ({ name, external: { url } })) };
}

export function url(value: Value["url"]): Pick<Value, "url"> {
  return { url: value };
}

export function email(value: Value["email"]): Pick<Value, "email"> {
  return { email: value };
}

export function phoneNumber(value: Value["phone_number"]): Pick<Value, "phone_number"> {
  return { phone_number: value };
}

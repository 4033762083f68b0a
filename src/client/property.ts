import type { components } from "../../generated/types.js";

/* Values of properties for new and changed pages, e.g. `property.title("Tokyo")`; null clears where there is one. */

type Schemas = components["schemas"];
type Value = Required<Schemas["PropertyValueObjectInput"]>;
type RichText = Schemas["RichTextInput"];
/** Day, or time with or without a zone. */
type DateText = Schemas["DateText"];

/** Plain text as rich text: in as many pieces as it needs, of 2,000 characters at most. */
export function richText(content: string): RichText {
  // By code points, as the document counts them: none is cut in two.
  const pieces = content.match(/.{1,2000}/gsu) ?? [];
  return pieces.map((piece) => ({ text: { content: piece } }));
}

const asRichText = (value: string | RichText): RichText =>
  typeof value === "string" ? richText(value) : value;

/** A title, from plain text or from runs of rich text. */
export function title(value: string | RichText): Pick<Value, "title"> {
  return { title: asRichText(value) };
}

/** Rich text, from plain text or from runs. */
export function text(value: string | RichText): Pick<Value, "rich_text"> {
  return { rich_text: asRichText(value) };
}

/** A number; null empties the property. */
export function number(value: Value["number"]): Pick<Value, "number"> {
  return { number: value };
}

/** Ticked or not. */
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
  return { date: start === null ? null : { start, ...(end === undefined ? {} : { end }) } };
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

/** A link; null empties the property. */
export function url(value: Value["url"]): Pick<Value, "url"> {
  return { url: value };
}

/** An e-mail address; null empties the property. */
export function email(value: Value["email"]): Pick<Value, "email"> {
  return { email: value };
}

/** A phone number, as people write it; null empties the property. */
export function phoneNumber(value: Value["phone_number"]): Pick<Value, "phone_number"> {
  return { phone_number: value };
}

/** The colours of text and of options. */
export type Hue =
  "default" | "gray" | "brown" | "orange" | "yellow" | "green" | "blue" | "purple" | "pink" | "red";

/** Colour of a text, or of its background. The type checker holds it against that of the OpenAPI document. */
export type Color = Hue | `${Hue}_background`;

/** How a piece of rich text looks. */
export interface Annotations {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strikethrough: boolean;
  readonly underline: boolean;
  readonly code: boolean;
  readonly color: Color;
}

/** A piece of rich text as it is stored and as responses show it. */
export interface RichText {
  readonly type: "text";
  readonly text: { readonly content: string; readonly link: { readonly url: string } | null };
  readonly annotations: Annotations;
  readonly plain_text: string;
  readonly href: string | null;
}

/** A piece of rich text as requests bring it. `plain_text` and `href` may come back as an echo; they are not read. */
export interface RichTextInput {
  readonly type?: "text" | undefined;
  readonly text: { readonly content: string; readonly link?: { readonly url: string } | null | undefined };
  readonly annotations?: { readonly [Key in keyof Annotations]?: Annotations[Key] | undefined } | undefined;
  readonly plain_text?: string | undefined;
  readonly href?: string | null | undefined;
}

/** Fills in what a request may leave out, so that stored text needs no further work to be shown. */
export function toRichText(input: RichTextInput): RichText {
  const link = input.text.link ?? null;
  const annotations = input.annotations;
  return {
    type: "text",
    text: { content: input.text.content, link: link === null ? null : { url: link.url } },
    annotations: {
      bold: annotations?.bold ?? false,
      italic: annotations?.italic ?? false,
      strikethrough: annotations?.strikethrough ?? false,
      underline: annotations?.underline ?? false,
      code: annotations?.code ?? false,
      color: annotations?.color ?? "default",
    },
    plain_text: input.text.content,
    href: link === null ? null : link.url,
  };
}

/**
 * Tells rich text from the other lists that a property value can be (people, options, relations). It looks
 * at what sets them apart; the details were checked with the request.
 */
export function isRichTextInput(value: unknown): value is RichTextInput[] {
  return Array.isArray(value) && value.every(isTextItem);
}

function isTextItem(item: unknown): boolean {
  if (typeof item !== "object" || item === null || !("text" in item)) return false;
  const text = item.text;
  return typeof text === "object" && text !== null && "content" in text && typeof text.content === "string";
}

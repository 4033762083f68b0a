import { DomainError, shapeError } from "./errors.js";
import { type CustomEmoji, type CustomEmojiInput, toCustomEmoji } from "./icon.js";
import { requireId } from "./ids.js";
import { readOneMember } from "./one-member.js";
import type { DateValue } from "./properties/date-value.js";
import { readDate } from "./properties/read-date.js";
import { Refusal } from "./properties/refusal.js";

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

interface Run {
  readonly annotations: Annotations;
  readonly plain_text: string;
  readonly href: string | null;
}

type TemplateMention =
  | { readonly type: "template_mention_date"; readonly template_mention_date: "today" | "now" }
  | { readonly type: "template_mention_user"; readonly template_mention_user: "me" };

/** What a text can refer to. */
export type Mention =
  | { readonly type: "user"; readonly user: { readonly object: "user"; readonly id: string } }
  | { readonly type: "page"; readonly page: { readonly id: string } }
  | { readonly type: "database"; readonly database: { readonly id: string } }
  | { readonly type: "date"; readonly date: DateValue }
  | { readonly type: "template_mention"; readonly template_mention: TemplateMention }
  | { readonly type: "custom_emoji"; readonly custom_emoji: CustomEmoji };

export interface TextRun extends Run {
  readonly type: "text";
  readonly text: { readonly content: string; readonly link: { readonly url: string } | null };
}

export interface EquationRun extends Run {
  readonly type: "equation";
  readonly equation: { readonly expression: string };
}

/**
 * A mention. Of users, pages and databases the name or title and the address are put in when it is shown, see
 * mentions.ts.
 */
export interface MentionRun extends Run {
  readonly type: "mention";
  readonly mention: Mention;
}

/** A piece of rich text as it is stored and as responses show it. */
export type RichText = TextRun | EquationRun | MentionRun;

interface IdInput {
  readonly id: string;
}

/** A mention as requests bring it: one of the members besides the type, which may be left out. */
export interface MentionInput {
  readonly type?: Mention["type"] | undefined;
  readonly user?: IdInput | undefined;
  readonly page?: IdInput | undefined;
  readonly database?: IdInput | undefined;
  readonly date?:
    | {
        readonly start: string;
        readonly end?: string | null | undefined;
        readonly time_zone?: string | null | undefined;
      }
    | undefined;
  readonly template_mention?:
    | {
        readonly type?: TemplateMention["type"] | undefined;
        readonly template_mention_date?: "today" | "now" | undefined;
        readonly template_mention_user?: "me" | undefined;
      }
    | undefined;
  readonly custom_emoji?: CustomEmojiInput | undefined;
}

/**
 * A piece of rich text as requests bring it: one of text, mention and equation. `plain_text` and `href` may come back
 * as an echo; they are not read.
 */
export interface RichTextInput {
  readonly type?: RichText["type"] | undefined;
  readonly text?:
    { readonly content: string; readonly link?: { readonly url: string } | null | undefined } | undefined;
  readonly mention?: MentionInput | undefined;
  readonly equation?: { readonly expression: string } | undefined;
  readonly annotations?: { readonly [Key in keyof Annotations]?: Annotations[Key] | undefined } | undefined;
  readonly plain_text?: string | undefined;
  readonly href?: string | null | undefined;
}

/**
 * Reads a list of rich text, and fills in what a request may leave out.
 *
 * @param place where the list is in the request, as error messages name it: `body.rich_text`
 * @throws DomainError (validation) when a piece is not just one of the kinds that there are
 */
export function toRichTexts(inputs: readonly RichTextInput[], place: string): RichText[] {
  return inputs.map((input, index) => toRun(input, `${place}[${index}]`));
}

/** Reads one piece of rich text, see toRichTexts. */
export function toRichText(input: RichTextInput): RichText {
  return toRun(input, "rich_text");
}

/** A text without formatting, as the service itself writes it. */
export function plainRun(content: string): TextRun {
  const annotations = toAnnotations(undefined);
  return { type: "text", text: { content, link: null }, annotations, plain_text: content, href: null };
}

function toRun(input: RichTextInput, place: string): RichText {
  const { kind, value } = readOneMember(input, ["text", "mention", "equation"], place);
  const annotations = toAnnotations(input.annotations);
  switch (kind) {
    case "text": {
      const url = value.link?.url;
      if (url !== undefined && !isLink(url)) throw new DomainError("validation", "Invalid URL for link.");
      const text = { content: value.content, link: url === undefined ? null : { url } };
      return { type: kind, text, annotations, plain_text: value.content, href: url ?? null };
    }
    case "equation": {
      const { expression } = value;
      return { type: kind, equation: { expression }, annotations, plain_text: expression, href: null };
    }
    case "mention": {
      const mention = toMention(value, `${place}.mention`);
      return { type: kind, mention, annotations, plain_text: mentionText(mention), href: null };
    }
  }
}

/** Whether a text can link there: to an address, or to a place within the same site or page. */
function isLink(url: string): boolean {
  return URL.canParse(url) || /^[/#?][^\s]*$/.test(url);
}

function toAnnotations(input: RichTextInput["annotations"]): Annotations {
  return {
    bold: input?.bold ?? false,
    italic: input?.italic ?? false,
    strikethrough: input?.strikethrough ?? false,
    underline: input?.underline ?? false,
    code: input?.code ?? false,
    color: input?.color ?? "default",
  };
}

function toMention(input: MentionInput, place: string): Mention {
  const { kind, value } = readOneMember(
    input,
    ["user", "page", "database", "date", "template_mention", "custom_emoji"],
    place,
  );
  switch (kind) {
    case "user":
      return { type: kind, user: { object: "user", id: requireId(value.id) } };
    case "page":
      return { type: kind, page: { id: requireId(value.id) } };
    case "database":
      return { type: kind, database: { id: requireId(value.id) } };
    case "date": {
      const date = readDate(value, "The mention", `${place}.date`);
      if (date instanceof Refusal) throw new DomainError("validation", date.sentence);
      if (date === undefined) throw shapeError(`${place}.date`, "a date", value);
      return { type: kind, date };
    }
    case "template_mention":
      return { type: kind, template_mention: toTemplateMention(value, `${place}.template_mention`) };
    case "custom_emoji":
      return { type: kind, custom_emoji: toCustomEmoji(value) };
  }
}

function toTemplateMention(
  input: NonNullable<MentionInput["template_mention"]>,
  place: string,
): TemplateMention {
  const member = readOneMember(input, ["template_mention_date", "template_mention_user"], place);
  return member.kind === "template_mention_date"
    ? { type: member.kind, template_mention_date: member.value }
    : { type: member.kind, template_mention_user: member.value };
}

/** The text of a mention, as far as the mention itself says it. */
function mentionText(mention: Mention): string {
  switch (mention.type) {
    case "date":
      return mention.date.end === null ? mention.date.start : `${mention.date.start} → ${mention.date.end}`;
    case "template_mention":
      return mention.template_mention.type === "template_mention_date"
        ? `@${mention.template_mention.template_mention_date === "now" ? "Now" : "Today"}`
        : "@Me";
    case "custom_emoji":
      return `:${mention.custom_emoji.name}:`;
    case "user":
    case "page":
    case "database":
      return "";
  }
}

/**
 * Tells rich text from the other lists that a property value can be (people, options, relations). It looks
 * at what sets them apart; the details were checked with the request.
 */
export function isRichTextInput(value: unknown): value is RichTextInput[] {
  return Array.isArray(value) && value.every(isRun);
}

function isRun(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const members = [
    "text" in item && item.text,
    "mention" in item && item.mention,
    "equation" in item && item.equation,
  ];
  return members.some((member) => typeof member === "object" && member !== null);
}

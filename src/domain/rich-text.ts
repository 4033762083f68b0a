import type { Schemas } from "./api-schemas.js";
import { createValidationError } from "./errors.js";
import { parseCustomEmoji } from "./icon.js";
import { normalizeId } from "./ids.js";
import { isObject } from "./is-object.js";
import { parseSingleKey } from "./single-key.js";
import { parseDateValue } from "./properties/dates.js";
import { abbreviate } from "./text.js";
import { parseUrl } from "./url.js";

/** The object, date or emoji that a run of rich text mentions. */
export type Mention = Schemas["Mention"];

/** A run of rich text that is a mention. Responses also get the name and URL of the mentioned object, see mentions.ts. */
export type MentionRun = Schemas["MentionRun"];

/** A run of rich text, as stored and in responses. */
export type RichText = Schemas["RichText"];

/** A mention in a request. It must have exactly one field besides `type`. */
type MentionInput = Schemas["MentionInput"];

/** A run of rich text in a request: text, mention or equation. `plain_text` and `href` are ignored. */
export type RichTextInput = Schemas["RichTextRunInput"];

/** Formatting of a run that a request does not format. */
const PLAIN: Schemas["Annotations"] = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
};

/** Parses rich text of a request to the stored form. Throws a DomainError (validation) for an invalid run. */
export function parseRichText(inputs: readonly RichTextInput[], path: string): RichText[] {
  return inputs.map((input, index) => parseRichTextRun(input, `${path}[${index}]`));
}

/** Parses one run of rich text, see parseRichText. */
export function parseRichTextRun(input: RichTextInput, path = "rich_text"): RichText {
  const { kind, value } = parseSingleKey(input, ["text", "mention", "equation"], path);
  const annotations = { ...PLAIN, ...input.annotations };
  switch (kind) {
    case "text": {
      const url = value.link?.url;
      // A link is absolute, or starts with `/`, `#` or `?`.
      if (url !== undefined && parseUrl(url) === undefined && !/^[/#?][^\s]*$/.test(url)) {
        const location = `${path}.text.link.url should be absolute, or start with /, # or ?`;
        throw createValidationError(`Invalid URL for link. ${location}, instead was \`${abbreviate(url)}\`.`);
      }
      const text = { content: value.content, link: url === undefined ? null : { url } };
      return { type: kind, text, annotations, plain_text: value.content, href: url ?? null };
    }
    case "equation": {
      const { expression } = value;
      return { type: kind, equation: { expression }, annotations, plain_text: expression, href: null };
    }
    case "mention": {
      const mention = parseMention(value, `${path}.mention`);
      return { type: kind, mention, annotations, plain_text: formatMention(mention), href: null };
    }
  }
}

function parseMention(input: MentionInput, path: string): Mention {
  const { kind, value } = parseSingleKey(
    input,
    ["user", "page", "database", "date", "template_mention", "custom_emoji"],
    path,
  );
  switch (kind) {
    case "user":
      return { type: kind, user: { object: "user", id: normalizeId(value.id) } };
    case "page":
      return { type: kind, page: { id: normalizeId(value.id) } };
    case "database":
      return { type: kind, database: { id: normalizeId(value.id) } };
    case "date":
      return { type: kind, date: parseDateValue(value, "The mention", `${path}.date`) };
    case "template_mention":
      return { type: kind, template_mention: parseTemplateMention(value, `${path}.template_mention`) };
    case "custom_emoji":
      return { type: kind, custom_emoji: parseCustomEmoji(value) };
  }
}

function parseTemplateMention(
  input: NonNullable<MentionInput["template_mention"]>,
  path: string,
): Schemas["TemplateMention"]["template_mention"] {
  const member = parseSingleKey(input, ["template_mention_date", "template_mention_user"], path);
  return member.kind === "template_mention_date"
    ? { type: member.kind, template_mention_date: member.value }
    : { type: member.kind, template_mention_user: member.value };
}

/** Formats a mention as plain text; empty for users, pages and databases, whose names are added in responses, see mentions.ts. */
function formatMention(mention: Mention): string {
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

/** Whether a valid property value is rich text, and not a list of people, options or linked pages. True for an empty list. */
export function isRichTextInput(value: unknown): value is RichTextInput[] {
  const isRun = (run: unknown): boolean =>
    isObject(run) && [run.text, run.mention, run.equation].some(isObject);
  return Array.isArray(value) && value.every(isRun);
}

import { shapeError } from "../errors.js";
import { type IconInput, toIcon } from "../icon.js";
import { requireId } from "../ids.js";
import { readOneMember } from "../one-member.js";
import { type Color, type RichTextInput, toRichTexts } from "../rich-text.js";
import type { BlockContent } from "./block.js";
import type { BlockInput, BlockPayloads, CreatableType, LinkToPageInput } from "./input.js";

/** What a request says of a block: its type, and its content or what of it is to be replaced. */
export type Payload = {
  [Type in CreatableType]: { readonly kind: Type; readonly value: BlockPayloads[Type] };
}[CreatableType];

const TYPES: readonly [CreatableType, ...CreatableType[]] = [
  "paragraph",
  "heading_1",
  "heading_2",
  "heading_3",
  "bulleted_list_item",
  "numbered_list_item",
  "to_do",
  "toggle",
  "quote",
  "callout",
  "code",
  "equation",
  "divider",
  "breadcrumb",
  "table_of_contents",
  "bookmark",
  "embed",
  "image",
  "video",
  "pdf",
  "audio",
  "file",
  "link_to_page",
  "synced_block",
  "template",
  "table",
  "table_row",
  "column_list",
  "column",
];

/**
 * Reads which block an input is about.
 *
 * @param place where it is in the request, as error messages name it: `body.children[0]`
 * @throws DomainError (validation) when it does not have the content of just one type
 */
export function readPayload(input: BlockInput, place: string): Payload {
  return readOneMember(input, TYPES, place);
}

/** The types whose content a change names. */
export function typesIn(input: BlockInput): CreatableType[] {
  return TYPES.filter((type) => input[type] !== undefined);
}

/** What a block has where its request says nothing. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  color: "default",
  checked: false,
  is_toggleable: false,
  icon: null,
  caption: [],
  has_column_header: false,
  has_row_header: false,
};

/** The fields of each type that have a default. */
const DEFAULTED: Readonly<Partial<Record<CreatableType, readonly string[]>>> = {
  paragraph: ["color"],
  heading_1: ["color", "is_toggleable"],
  heading_2: ["color", "is_toggleable"],
  heading_3: ["color", "is_toggleable"],
  bulleted_list_item: ["color"],
  numbered_list_item: ["color"],
  to_do: ["checked", "color"],
  toggle: ["color"],
  quote: ["color"],
  callout: ["icon", "color"],
  code: ["caption"],
  table_of_contents: ["color"],
  bookmark: ["caption"],
  embed: ["caption"],
  image: ["caption"],
  video: ["caption"],
  pdf: ["caption"],
  audio: ["caption"],
  file: ["caption"],
  table: ["has_column_header", "has_row_header"],
};

/**
 * The content of a new block, as responses show it.
 *
 * @param place where the content is in the request, as error messages name it
 * @throws DomainError (validation) when a text, an icon or a link is not of just one kind
 */
export function newContent(payload: Payload, place: string): BlockContent {
  const content: Record<string, unknown> = { ...changedFields(payload, place) };
  for (const field of DEFAULTED[payload.kind] ?? []) content[field] ??= DEFAULTS[field];
  if (payload.kind === "file") content["name"] ??= nameOf(payload.value.external?.url ?? "");
  return content;
}

/**
 * The content of a block after a change: what the request names is replaced, all else stays.
 *
 * @throws DomainError (validation) as newContent does, or when what a synced block refers to would change
 */
export function changedContent(stored: BlockContent, payload: Payload, place: string): BlockContent {
  const fields = changedFields(payload, place);
  // A link is one field under several names.
  const changed = payload.kind === "link_to_page" ? fields : { ...stored, ...fields };
  if (payload.kind === "synced_block" && JSON.stringify(changed) !== JSON.stringify(stored)) {
    throw shapeError(`${place}.synced_from`, "what it is", payload.value.synced_from);
  }
  return changed;
}

/** Those fields of the content that the request names. */
function changedFields(payload: Payload, place: string): BlockContent {
  switch (payload.kind) {
    case "equation":
      return { expression: payload.value.expression };
    case "table_row":
      return {
        cells: payload.value.cells.map((cell, index) => toRichTexts(cell, `${place}.cells[${index}]`)),
      };
    case "link_to_page":
      return linkToPage(payload.value, place);
    case "synced_block": {
      const { synced_from: from } = payload.value;
      if (from === undefined) return {};
      return { synced_from: from === null ? null : { type: "block_id", block_id: requireId(from.block_id) } };
    }
    case "column_list":
    case "column":
      return {};
    default:
      return sharedFields(payload.value, place);
  }
}

/** The fields that several types have, each read in the same way wherever it is. */
interface SharedFields extends PlainFields {
  readonly rich_text?: readonly RichTextInput[] | undefined;
  readonly caption?: readonly RichTextInput[] | undefined;
  readonly icon?: IconInput | null | undefined;
  readonly external?: { readonly url: string } | undefined;
}

/** Those that are stored as they were given. */
interface PlainFields {
  readonly url?: string | undefined;
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly checked?: boolean | undefined;
  readonly color?: Color | undefined;
  readonly is_toggleable?: boolean | undefined;
  readonly table_width?: number | undefined;
  readonly has_column_header?: boolean | undefined;
  readonly has_row_header?: boolean | undefined;
}

const PLAIN: readonly (keyof PlainFields)[] = [
  "url",
  "name",
  "language",
  "checked",
  "color",
  "is_toggleable",
  "table_width",
  "has_column_header",
  "has_row_header",
];

function sharedFields(value: SharedFields, place: string): BlockContent {
  const fields: Record<string, unknown> = {};
  for (const name of ["rich_text", "caption"] as const) {
    const texts = value[name];
    if (texts !== undefined) fields[name] = toRichTexts(texts, `${place}.${name}`);
  }
  if (value.icon !== undefined) fields["icon"] = toIcon(value.icon, `${place}.icon`);
  if (value.external !== undefined) {
    fields["type"] = "external";
    fields["external"] = { url: value.external.url };
  }
  for (const name of PLAIN) if (value[name] !== undefined) fields[name] = value[name];
  return fields;
}

function linkToPage(input: LinkToPageInput, place: string): BlockContent {
  const { kind, value } = readOneMember(input, ["page_id", "database_id", "comment_id"], place);
  return { type: kind, [kind]: requireId(value) };
}

/** The last part of an address, which a file without a name is called by. */
function nameOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const last = path.split("/").findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    // A stray percent sign: then it is called as it is written.
    return last;
  }
}

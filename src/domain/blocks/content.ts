import type { Schemas } from "../api-schemas.js";
import { createInvalidValueError } from "../errors.js";
import { parseIcon } from "../icon.js";
import { normalizeId } from "../ids.js";
import { parseSingleKey } from "../single-key.js";
import { type RichTextInput, parseRichText } from "../rich-text.js";
import { parseUrl } from "../url.js";
import type { BlockContent, BlockInputOrChange, CreatableType } from "./block.js";

/** Type of a new or updated block, and its content in the request. */
type TypedContent = ReturnType<typeof parseTypedContent>;

const COLOR = { color: "default" };
const CAPTION = { caption: [] };

/** Fields of each type of block with the values that a new block gets when the request omits them. */
const DEFAULT_FIELDS: Readonly<Record<CreatableType, BlockContent>> = {
  paragraph: COLOR,
  heading_1: { ...COLOR, is_toggleable: false },
  heading_2: { ...COLOR, is_toggleable: false },
  heading_3: { ...COLOR, is_toggleable: false },
  bulleted_list_item: COLOR,
  numbered_list_item: COLOR,
  to_do: { checked: false, ...COLOR },
  toggle: COLOR,
  quote: COLOR,
  // Programs written for Notion expect this icon, and null only if the request contains null.
  callout: { icon: { type: "emoji", emoji: "💡" }, ...COLOR },
  code: CAPTION,
  equation: {},
  divider: {},
  breadcrumb: {},
  table_of_contents: COLOR,
  bookmark: CAPTION,
  embed: CAPTION,
  image: CAPTION,
  video: CAPTION,
  pdf: CAPTION,
  audio: CAPTION,
  file: CAPTION,
  link_to_page: {},
  synced_block: {},
  template: {},
  table: { has_column_header: false, has_row_header: false },
  table_row: {},
  column_list: {},
  column: {},
};

// Safe cast: DEFAULT_FIELDS has a key for each type, and Object.keys does not keep their type.
const CREATABLE_TYPES = Object.keys(DEFAULT_FIELDS) as [CreatableType, ...CreatableType[]];

/** Parses type and content of a block. Throws a DomainError (validation) unless it has the content of exactly one type. */
export function parseTypedContent(input: BlockInputOrChange, path: string) {
  return parseSingleKey(input, CREATABLE_TYPES, path);
}

export function findContentTypes(input: BlockInputOrChange): CreatableType[] {
  return CREATABLE_TYPES.filter((type) => input[type] !== undefined);
}

/** Creates the content of a new block. Throws a DomainError (validation) for invalid rich text, an invalid icon or link. */
export function createContent(typed: TypedContent, path: string): BlockContent {
  const content: Record<string, unknown> = { ...parseFields(typed, path) };
  for (const [field, value] of Object.entries(DEFAULT_FIELDS[typed.kind])) {
    if (content[field] === undefined) content[field] = value;
  }
  if (typed.kind === "file") content["name"] ??= getDefaultFileName(typed.value.external?.url ?? "");
  return content;
}

/**
 * Replaces those fields of a block's content that the request contains. Throws a DomainError (validation) for the same reasons
 * as createContent, and when the request changes the original of a synced block or the width of a table.
 */
export function changeContent(stored: BlockContent, typed: TypedContent, path: string): BlockContent {
  const fields = parseFields(typed, path);
  // A link_to_page has only one of its possible fields, so the stored field must not remain.
  const changed = typed.kind === "link_to_page" ? fields : { ...stored, ...fields };
  for (const field of ["synced_from", "table_width"]) {
    if (JSON.stringify(changed[field]) !== JSON.stringify(stored[field]))
      throw createInvalidValueError(`${path}.${field}`, "unchanged", changed[field]);
  }
  return changed;
}

function parseFields(typed: TypedContent, path: string): BlockContent {
  switch (typed.kind) {
    case "table_row":
      return {
        cells: typed.value.cells.map((cell, index) => parseRichText(cell, `${path}.cells[${index}]`)),
      };
    case "link_to_page": {
      const { kind, value } = parseSingleKey(typed.value, ["page_id", "database_id", "comment_id"], path);
      return { type: kind, [kind]: normalizeId(value) };
    }
    case "synced_block": {
      const { synced_from: from } = typed.value;
      if (from === undefined) return {};
      return {
        synced_from: from === null ? null : { type: "block_id", block_id: normalizeId(from.block_id) },
      };
    }
    case "column_list":
    case "column":
      return {};
    default:
      return parseSharedFields(typed.value, path);
  }
}

/** Content of the types of blocks whose fields parseSharedFields parses. */
type SharedContent = Exclude<
  TypedContent,
  { readonly kind: "table_row" | "link_to_page" | "synced_block" | "column_list" | "column" }
>["value"];
/** Names of the fields of each content. Empty content has an index signature instead. */
type FieldOf<Content> = Content extends unknown
  ? string extends keyof Content
    ? never
    : keyof Content
  : never;

type CopiedField = Exclude<FieldOf<SharedContent>, keyof ParsedFields | "type" | "children">;

/** Fields that are stored as in the request: all that are not parsed. */
const COPIED_FIELDS: Readonly<Record<CopiedField, true>> = {
  expression: true,
  url: true,
  name: true,
  language: true,
  checked: true,
  color: true,
  is_toggleable: true,
  table_width: true,
  has_column_header: true,
  has_row_header: true,
};
// Safe cast: Object.keys does not keep the type of the keys.
const COPIED_FIELD_NAMES = Object.keys(COPIED_FIELDS) as CopiedField[];

/** Fields that parseSharedFields parses. */
interface ParsedFields {
  readonly rich_text?: readonly RichTextInput[];
  readonly caption?: readonly RichTextInput[];
  readonly icon?: Schemas["IconInput"];
  readonly external?: { readonly url: string };
}

/** Parses the fields that several types of blocks have. */
function parseSharedFields(
  value: ParsedFields & { readonly [Name in CopiedField]?: unknown },
  path: string,
): BlockContent {
  const fields: Record<string, unknown> = {};
  for (const name of ["rich_text", "caption"] as const) {
    const texts = value[name];
    if (texts !== undefined) fields[name] = parseRichText(texts, `${path}.${name}`);
  }
  if (value.icon !== undefined) fields["icon"] = parseIcon(value.icon, `${path}.icon`);
  if (value.external !== undefined) {
    fields["type"] = "external";
    fields["external"] = { url: value.external.url };
  }
  for (const name of COPIED_FIELD_NAMES) if (value[name] !== undefined) fields[name] = value[name];
  return fields;
}

/** Returns the last segment of a URL, which is the default name of a file. */
function getDefaultFileName(url: string): string {
  const path = parseUrl(url)?.pathname ?? url;
  const last = path.split("/").findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    // Invalid percent-encoding: the segment itself is the name.
    return last;
  }
}

import type { IconInput } from "../icon.js";
import type { Color, RichTextInput } from "../rich-text.js";

/*
 * Blocks in requests. The OpenAPI document has one schema for new blocks and one for changes of blocks; each type here is
 * for both. The compiler checks that they fit where the adapters pass requests to use cases.
 */

interface WithChildren {
  readonly children?: readonly BlockInput[] | undefined;
}

interface WithText {
  readonly rich_text?: readonly RichTextInput[] | undefined;
  readonly color?: Color | undefined;
}

interface WithCaption {
  readonly caption?: readonly RichTextInput[] | undefined;
}

type TextInput = WithText & WithChildren;
type HeadingInput = TextInput & { readonly is_toggleable?: boolean | undefined };
type UrlInput = WithCaption & { readonly url?: string | undefined };
type MediaInput = WithCaption & { readonly external?: { readonly url: string } | undefined };
type Empty = Readonly<Record<never, unknown>>;

/** The content of each type of block: complete in a new block, partial in a change. */
export interface BlockPayloads {
  readonly paragraph: TextInput;
  readonly heading_1: HeadingInput;
  readonly heading_2: HeadingInput;
  readonly heading_3: HeadingInput;
  readonly bulleted_list_item: TextInput;
  readonly numbered_list_item: TextInput;
  readonly to_do: TextInput & { readonly checked?: boolean | undefined };
  readonly toggle: TextInput;
  readonly quote: TextInput;
  readonly callout: TextInput & { readonly icon?: IconInput | null | undefined };
  readonly code: WithText & WithCaption & { readonly language?: string | undefined };
  readonly equation: { readonly expression: string };
  readonly divider: Empty;
  readonly breadcrumb: Empty;
  readonly table_of_contents: { readonly color?: Color | undefined };
  readonly bookmark: UrlInput;
  readonly embed: UrlInput;
  readonly image: MediaInput;
  readonly video: MediaInput;
  readonly pdf: MediaInput;
  readonly audio: MediaInput;
  readonly file: MediaInput & { readonly name?: string | undefined };
  readonly link_to_page: LinkToPageInput;
  readonly synced_block: WithChildren & {
    readonly synced_from?: { readonly block_id: string } | null | undefined;
  };
  readonly template: TextInput;
  readonly table: WithChildren & {
    readonly table_width?: number | undefined;
    readonly has_column_header?: boolean | undefined;
    readonly has_row_header?: boolean | undefined;
  };
  readonly table_row: { readonly cells: readonly (readonly RichTextInput[])[] };
  readonly column_list: WithChildren;
  readonly column: WithChildren;
}

/** A link to a page, database or comment: exactly one field except for the type. */
export interface LinkToPageInput {
  readonly type?: "page_id" | "database_id" | "comment_id" | undefined;
  readonly page_id?: string | undefined;
  readonly database_id?: string | undefined;
  readonly comment_id?: string | undefined;
}

/** A type of block that requests can create. */
export type CreatableType = keyof BlockPayloads;

/** A block to create: its content under the name of its type. */
export type BlockInput = {
  readonly [Type in CreatableType]?: BlockPayloads[Type] | undefined;
} & { readonly type?: CreatableType | undefined };

/** A change of a block: the content to replace, under the name of its type. */
export type BlockChange = BlockInput & {
  readonly archived?: boolean | undefined;
  readonly in_trash?: boolean | undefined;
};

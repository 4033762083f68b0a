import type { components } from "../../generated/types.js";
import type { Client } from "../../src/client/index.js";

export type Block = components["schemas"]["Block"];
export type BlockInput = components["schemas"]["BlockInput"];
export type BlockChange = components["schemas"]["UpdateBlockBody"];

/** Creates a paragraph with a text and children. */
export function paragraph(text: string, children?: BlockInput[]): BlockInput {
  return { paragraph: { rich_text: [{ text: { content: text } }], ...(children && { children }) } };
}

/** Creates an update of a paragraph's text. */
export function otherText(text: string): BlockChange {
  return { paragraph: { rich_text: [{ text: { content: text } }] } };
}

/** Appends blocks to a page or block, and returns the new direct children. */
export async function append(
  client: Client,
  id: string,
  children: BlockInput[],
  after?: string,
): Promise<Block[]> {
  const { body } = await client.appendBlockChildren({
    path: { block_id: id },
    body: { children, ...(after !== undefined && { after }) },
  });
  return body.results;
}

/** Reads all children of a block in pages of a given size. */
export async function childrenOf(client: Client, id: string, size = 100): Promise<Block[]> {
  const found: Block[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await client.listBlockChildren({
      path: { block_id: id },
      query: { page_size: size, ...(cursor !== null && { start_cursor: cursor }) },
    });
    found.push(...body.results);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return found;
}

/** Returns the plain text of a paragraph, or the type of any other block. */
export function textOf(block: Block): string {
  return block.type === "paragraph"
    ? block.paragraph.rich_text.map((run) => run.plain_text).join("")
    : block.type;
}

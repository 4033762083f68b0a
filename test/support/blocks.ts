import type { components } from "../../generated/types.js";
import type { Client } from "../../src/client/index.js";
import { readList, text } from "./contract.js";

export type Block = components["schemas"]["Block"];
export type BlockInput = components["schemas"]["BlockInput"];
export type BlockChange = components["schemas"]["UpdateBlockBody"];

/** Creates a paragraph with a text and children. */
export function paragraph(content: string, children?: BlockInput[]): BlockInput {
  return { paragraph: { rich_text: text(content), ...(children && { children }) } };
}

/** Creates a toggle with a text and children. */
export function toggle(content: string, children?: BlockInput[]): BlockInput {
  return { toggle: { rich_text: text(content), ...(children && { children }) } };
}

/** Creates an update of a paragraph's text. */
export function otherText(content: string): BlockChange {
  return { paragraph: { rich_text: text(content) } };
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

/** Appends blocks to a page or block, and returns the IDs of the new direct children. */
export async function appendIds(client: Client, id: string, children: BlockInput[]): Promise<string[]> {
  return (await append(client, id, children)).map((block) => block.id);
}

/** Reads all children of a block in pages of a given size. */
export async function childrenOf(client: Client, id: string, size = 100): Promise<Block[]> {
  const parts = await readList((from) =>
    client.listBlockChildren({ path: { block_id: id }, query: { page_size: size, ...from } }),
  );
  return parts.flatMap(({ results }) => results);
}

/** Returns the plain text of a paragraph, or the type of any other block. */
export function textOf(block: Block): string {
  return block.type === "paragraph"
    ? block.paragraph.rich_text.map((run) => run.plain_text).join("")
    : block.type;
}

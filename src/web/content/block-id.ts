import { html, type HtmlValue } from "../html.js";

/** Formats the HTML id of a block. Links to blocks have it as their fragment, as they have in Notion. */
export function formatBlockId(id: string): string {
  return id.replaceAll("-", "");
}

/** Renders the id attribute of a block; nothing if a block with this id was rendered before, as synced copies repeat blocks. */
export function renderIdAttribute(blockId: string, usedIds: Set<string>): HtmlValue {
  if (usedIds.has(blockId)) return undefined;
  usedIds.add(blockId);
  return html`id="${formatBlockId(blockId)}"`;
}

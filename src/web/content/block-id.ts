import { formatBareId } from "../../domain/ids.js";
import { html, type HtmlValue } from "../html.js";

/**
 * Renders the id attribute of a block, to which links refer with a fragment, as in Notion; nothing if a block with this id
 * was rendered before, as synced copies repeat blocks.
 */
export function renderIdAttribute(blockId: string, usedIds: Set<string>): HtmlValue {
  if (usedIds.has(blockId)) return undefined;
  usedIds.add(blockId);
  return html`id="${formatBareId(blockId)}"`;
}

import { formatBareId } from "../../domain/ids.js";
import { html, type HtmlValue } from "../html.js";

/**
 * Renders the id attribute of a block, the target of links with its id as fragment, as in Notion. Returns undefined for an id
 * in `usedIds`, because synced copies repeat blocks on a page. Otherwise adds the id to them.
 */
export function renderBlockIdAttribute(blockId: string, usedIds: Set<string>): HtmlValue {
  if (usedIds.has(blockId)) return undefined;
  usedIds.add(blockId);
  return html`id="${formatBareId(blockId)}"`;
}

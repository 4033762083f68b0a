import type { BlockBody } from "../../../../src/operations/present/block.js";
import type { BlockNode } from "../../../../src/operations/views/block-tree.js";
import { html } from "../../../../src/web/html.js";
import { RenderBudget } from "../../../../src/web/render/budget.js";
import type { BlockContext } from "../../../../src/web/render/context.js";

let serial = 0;

/** Creates a block with a new id. */
export function createNode(type: string, content: object, children: readonly BlockNode[] = []): BlockNode {
  serial += 1;
  const id = `00000000-0000-7000-8000-${String(serial).padStart(12, "0")}`;
  const block = { object: "block", id, has_children: children.length > 0, type, [type]: content };
  // The cast: the compiler does not relate a computed key to the content of its type.
  return { block: block as BlockBody, children, rest: undefined };
}

/** Creates the data for rendering the blocks of a page, without titles, icons and headings by default. */
export function createBlockContext(context: Partial<BlockContext> = {}): BlockContext {
  return {
    budget: new RenderBudget(),
    titles: new Map(),
    icons: new Map(),
    numberFormats: new Map(),
    breadcrumbs: html``,
    headings: [],
    outline: [],
    usedIds: new Set(),
    ...context,
  };
}

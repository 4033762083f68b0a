import type { BlockNode } from "../../operations/views/block-tree.js";
import type { BlockBody } from "../../operations/present/block.js";
import type { Schemas } from "../../domain/api-schemas.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { BlockContext } from "./context.js";
import { renderBlockIdAttribute, renderMoreLink } from "./links.js";
import { renderRichText } from "./rich-text.js";

/** Renders a table block, whose rows are its children. `id` is its id attribute. */
export function renderTable(
  { children, headerRow, rest }: BlockNode,
  id: HtmlValue,
  content: Schemas["TableContent"],
  context: BlockContext,
): Html {
  const rows: Html[] = headerRow === undefined ? [] : [renderRow(headerRow, content, true, context)];
  for (const { block } of children) {
    if (context.budget.isExhausted) break;
    const isHeader = content.has_column_header && rows.length === 0;
    rows.push(renderRow(block, content, isHeader, context));
  }
  const [head, body] = content.has_column_header ? [rows.slice(0, 1), rows.slice(1)] : [[], rows];
  // A group, because a page can have many tables, and landmarks need different names.
  return html`<div ${id} class="table-frame block" tabindex="0" role="group" aria-label="Table">
    <table dir="auto">
      ${
        head.length > 0 &&
        html`<thead>
          ${head}
        </thead>`
      }
      <tbody>
        ${body}
      </tbody>
    </table>
    ${renderMoreLink("Show more rows", rest)}
  </div>`;
}

function renderRow(
  block: BlockBody,
  { has_row_header: hasRowHeader }: Schemas["TableContent"],
  isHeader: boolean,
  { usedIds, budget }: BlockContext,
): Html {
  const cells = block.type === "table_row" ? block.table_row.cells : [];
  return html`<tr ${renderBlockIdAttribute(block.id, usedIds)}>
    ${budget.mapWhileLeft(cells, (cell, index) => {
      const text = renderRichText(cell, budget);
      const scope = isHeader ? "col" : hasRowHeader && index === 0 && "row";
      if (!scope) return html`<td>${text}</td>`;
      // An empty header names no cells. It only looks like the other headers.
      return cell.every((run) => run.plain_text === "")
        ? html`<td class="no-header"></td>`
        : html`<th scope="${scope}">${text}</th>`;
    })}
  </tr>`;
}

import type { components } from "../../../generated/types.js";
import type { RichText } from "../../domain/rich-text.js";
import type { BlockNode } from "../../operations/load/block-tree.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderBlockIdAttribute, renderRestLink } from "./links.js";

type TableContent = components["schemas"]["TableContent"];

/** Renders a table block, whose rows are its children. `id` is its id attribute. */
export function renderTable(
  { children, rest }: BlockNode,
  id: HtmlValue,
  { has_column_header: hasColumnHeader, has_row_header: hasRowHeader }: TableContent,
  { renderInline, usedIds }: { renderInline: (runs: readonly RichText[]) => HtmlValue; usedIds: Set<string> },
): Html {
  const rows = children.flatMap(({ block }) =>
    block.type === "table_row"
      ? [{ rowId: renderBlockIdAttribute(block.id, usedIds), cells: block.table_row.cells }]
      : [],
  );
  const [first] = rows;
  const body = hasColumnHeader ? rows.slice(1) : rows;
  // A group, because a page can have many tables, and landmarks need different names.
  return html`<div ${id} class="table-frame block" tabindex="0" role="group" aria-label="Table">
    <table>
      ${
        hasColumnHeader &&
        html`<thead>
          <tr ${first?.rowId}>
            ${first?.cells.map((cell) => html`<th scope="col">${renderInline(cell)}</th>`)}
          </tr>
        </thead>`
      }
      <tbody>
        ${body.map(
          ({ rowId, cells }) =>
            html`<tr ${rowId}>
              ${cells.map((cell, index) =>
                hasRowHeader && index === 0
                  ? html`<th scope="row">${renderInline(cell)}</th>`
                  : html`<td>${renderInline(cell)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
    ${renderRestLink("Show more rows", rest)}
  </div>`;
}

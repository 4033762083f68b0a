import type { components } from "../../../generated/types.js";
import { html, type Html, type HtmlValue } from "../html.js";
import type { BlockNode } from "./block-node.js";
import type { RichText } from "./rich-text.js";

type TableContent = components["schemas"]["TableContent"];

/** Renders a table block, whose rows are its children. */
export function renderTable(
  { children, hasMore }: BlockNode,
  { has_column_header: hasColumnHeader, has_row_header: hasRowHeader }: TableContent,
  renderInline: (runs: readonly RichText[]) => HtmlValue,
): Html {
  const rows = children.flatMap(({ block }) => (block.type === "table_row" ? [block.table_row.cells] : []));
  const [first = []] = rows;
  const body = hasColumnHeader ? rows.slice(1) : rows;
  // A group, because a page can have many tables, and landmarks need different names.
  return html`<div class="table-frame block" tabindex="0" role="group" aria-label="Table">
    <table>
      ${
        hasColumnHeader &&
        html`<thead>
          <tr>
            ${first.map((cell) => html`<th scope="col">${renderInline(cell)}</th>`)}
          </tr>
        </thead>`
      }
      <tbody>
        ${body.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) =>
                hasRowHeader && index === 0
                  ? html`<th scope="row">${renderInline(cell)}</th>`
                  : html`<td>${renderInline(cell)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
    ${hasMore && html`<p class="muted small">Not all rows are shown.</p>`}
  </div>`;
}

import { html, type Html, type HtmlValue } from "../html.js";

export interface Notice {
  readonly kind: "good" | "bad";
  readonly text: string;
}

/** Renders a notice. It has the focus, so that screen readers announce it, and the Tab key continues after it. */
export function renderNotice(notice: Notice | undefined): HtmlValue {
  return (
    notice &&
    html`<div
      class="notice ${notice.kind}"
      role="${notice.kind === "bad" ? "alert" : "status"}"
      tabindex="-1"
      autofocus
    >
      <p>${notice.text}</p>
    </div>`
  );
}

/** Renders the heading of a page with a text below it. */
export function renderPageHead(heading: string, text: HtmlValue): Html {
  return html`<div class="page-head">
    <div>
      <h1>${heading}</h1>
      <p>${text}</p>
    </div>
  </div>`;
}

/** Renders a section of a page as a card, with a text or legend beside the heading. `id` is unique in the page. */
export function renderSection(
  id: string,
  heading: string,
  content: HtmlValue,
  headingAside?: HtmlValue,
): Html {
  return html`<section class="card" aria-labelledby="${id}-title">
    <div class="card-head">
      <h2 id="${id}-title">${heading}</h2>
      ${headingAside}
    </div>
    ${content}
  </section>`;
}

/** Renders a table with the headings of its columns; on small screens, each row becomes a block of lines. */
export function renderStackTable(label: string, headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="table-frame" tabindex="0" role="region" aria-label="${label}">
    <table class="stack" aria-label="${label}">
      ${renderTableHead(headings)}
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

export function renderTableHead(headings: readonly string[]): Html {
  return html`<thead>
    <tr>
      ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
    </tr>
  </thead>`;
}

export function renderRoleBadge(role: string): Html {
  return html`<span class="badge ${role === "owner" && "accent"}">${role}</span>`;
}

/** Renders the link to the next part of a list, with the other query `parameters`; undefined on the last part. */
export function renderNextLink(
  text: string,
  cursor: string | null,
  parameters: Readonly<Record<string, string>> = {},
  cursorName = "cursor",
): HtmlValue {
  if (cursor === null) return undefined;
  const query = new URLSearchParams({ ...parameters, [cursorName]: cursor }).toString();
  return html`<p><a class="button quiet" rel="next" href="?${query}">${text}</a></p>`;
}

import { html, type Html } from "../html.js";
import { renderLayout, type PageContext } from "./layout.js";

/** Renders a page with one message and a link to the start page. */
export function renderMessagePage(title: string, text: string, context?: PageContext): Html {
  return renderLayout(
    title,
    html`<div class="narrow">
      <section class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        <p><a href="/">Go to the start page</a></p>
      </section>
    </div>`,
    context ? { context } : {},
  );
}

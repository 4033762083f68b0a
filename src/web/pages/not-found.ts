import { html, type Html } from "../html.js";
import { renderLayout, type PageContext } from "./layout.js";

/** Renders the page for unknown URLs, with links to the main pages. */
export function renderNotFoundPage(baseUrl: string, context: PageContext): Html {
  return renderLayout(
    "Page not found",
    html`<div class="narrow">
      <section class="card">
        <h1>Page not found</h1>
        <p>There is no page at this address. Try:</p>
        <ul>
          <li><a href="/">Start page</a></li>
          <li><a href="/settings/api">Settings</a>: API keys, plan and usage</li>
          <li><a href="/docs">API documentation</a></li>
          <li><a href="/readyz">Health</a> of the service</li>
        </ul>
        <p class="muted">Programs call the API at <code>${baseUrl}/v1</code>.</p>
      </section>
    </div>`,
    { context },
  );
}

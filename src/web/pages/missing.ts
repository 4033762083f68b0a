import { html, type Html } from "../html.js";
import { layout, type Viewer } from "./layout.js";

/** What somebody sees whose browser asks for a path that is none of the service's; it leads to those that are. */
export function missingPage(baseUrl: string, viewer: Viewer): Html {
  return layout(
    "There is no such page",
    html`<div class="narrow">
      <section class="card">
        <h1>There is no such page</h1>
        <p>Nothing is at this address. There are:</p>
        <ul>
          <li><a href="/settings/api">Settings</a>: API keys, plan and usage</li>
          <li><a href="/docs">API documentation</a></li>
          <li><a href="/readyz">Health</a> of the service</li>
        </ul>
        <p class="muted">Programs call the API at <code>${baseUrl}/v1</code>.</p>
      </section>
    </div>`,
    { viewer },
  );
}

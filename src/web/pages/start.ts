import { html, type Html } from "../html.js";
import { layout, type Viewer } from "./layout.js";

/** Where somebody lands who opens the service in a browser. */
export function startPage(baseUrl: string, viewer: Viewer): Html {
  const { session } = viewer;
  return layout(
    "Page Service",
    html`<section class="hero">
        <h1>Your pages, behind one API</h1>
        <p class="lead">
          Databases, pages, blocks, comments and search over HTTP, in the shapes that programs for Notion's
          API know already, on a machine of your own.
        </p>
        <div class="buttons">
          ${
            session
              ? html`<a class="button" href="/settings/api">Go to your API keys</a>`
              : html`<a class="button" href="/sign-up">Create an account</a>
                  <a class="button quiet" href="/sign-in">Sign in</a>`
          }
        </div>
      </section>
      <ul class="tiles">
        <li class="card">
          <h2><a href="/settings/api">API keys</a></h2>
          <p>Make, rotate and revoke keys, and see what is asked with them.</p>
        </li>
        <li class="card">
          <h2><a href="/docs">API documentation</a></h2>
          <p>Every operation with examples; also as an <a href="/openapi.json">OpenAPI document</a>.</p>
        </li>
        <li class="card">
          <h2><a href="/readyz">Health</a></h2>
          <p>
            Whether the service can answer requests, for people and for probes; in figures for Prometheus:
            <a href="/metrics">metrics</a>.
          </p>
        </li>
      </ul>
      <section class="card" aria-labelledby="first-call">
        <h2 id="first-call">Your first call</h2>
        <p class="muted">The service answers at <code>${baseUrl}/v1</code>.</p>
        <pre tabindex="0"><code>curl ${baseUrl}/v1/users/me -H "Authorization: Bearer $API_KEY"</code></pre>
      </section>`,
    { viewer, current: "/" },
  );
}

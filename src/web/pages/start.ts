import type { Registration } from "../../access/sign-in.js";
import { html, type Html } from "../html.js";
import { renderLayout, type PageContext } from "./layout.js";

/** Renders the start page. */
export function renderStartPage(baseUrl: string, pageContext: PageContext, registration: Registration): Html {
  const { session } = pageContext;
  return renderLayout(
    "Page Service",
    html`<section class="hero">
        <h1>Your pages, behind one API</h1>
        <p class="lead">
          Databases, pages, blocks, comments and search over HTTP, compatible with Notion's API, on your own
          machine.
        </p>
        <div class="buttons">
          ${
            session
              ? html`<a class="button" href="/settings/api">Go to your API keys</a>`
              : html`${registration === "open" && html`<a class="button" href="/sign-up">Create an account</a>`}
                  <a class="button ${registration === "open" ? "quiet" : ""}" href="/sign-in?next=/"
                    >Sign in</a
                  >`
          }
        </div>
      </section>
      <ul class="tiles">
        <li class="card">
          <h2><a href="/settings/api">API keys</a></h2>
          <p>Create, rotate and revoke keys, and see how they are used.</p>
        </li>
        <li class="card">
          <h2><a href="/docs">API documentation</a></h2>
          <p>Every operation with examples; also as an <a href="/openapi.json">OpenAPI document</a>.</p>
        </li>
        <li class="card">
          <h2><a href="/readyz">Health</a></h2>
          <p>Whether the service is ready for requests, for people and for probes.</p>
        </li>
      </ul>
      <section class="card" aria-labelledby="first-call">
        <h2 id="first-call">Your first call</h2>
        <p class="muted">The API is at <code>${baseUrl}/v1</code>.</p>
        <pre tabindex="0"><code>curl ${baseUrl}/v1/users/me -H "Authorization: Bearer $API_KEY"</code></pre>
      </section>`,
    { pageContext, current: "/" },
  );
}

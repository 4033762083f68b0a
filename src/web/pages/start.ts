import type { Registration } from "../../access/accounts/sign-in.js";
import { html, type Html } from "../html.js";
import { renderLayout, type LayoutData } from "./layout.js";

/** Renders the start page of visitors who are not signed in. */
export function renderStartPage(baseUrl: string, layoutData: LayoutData, registration: Registration): Html {
  const buttons =
    registration === "open"
      ? html`<a class="button" href="/sign-up">Create an account</a>
          <a class="button quiet" href="/sign-in?next=/">Sign in</a>`
      : html`<a class="button" href="/sign-in?next=/">Sign in</a>`;
  return renderLayout(
    "Page Service",
    html`<section class="hero">
      <h1>Your pages, behind one API</h1>
      <p class="lead">
        Databases, pages, blocks, comments and search over HTTP, compatible with Notion's API, on your own
        machine.
      </p>
      <div class="buttons">${buttons} <a class="button quiet" href="/docs">Read the docs</a></div>
      <p class="muted">Programs call the API at <code>${baseUrl}/v1</code>.</p>
    </section>`,
    { layoutData },
  );
}

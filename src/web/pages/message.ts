import { html, type Html } from "../html.js";
import type { MessageLink } from "../web-request-error.js";
import { renderCardPage, type LayoutData } from "./layout.js";

/** Renders a page with one message and a link, by default to the start page. */
export function renderMessagePage(
  title: string,
  text: string,
  layoutData?: LayoutData,
  { path, text: linkText }: MessageLink = { path: "/", text: "Go to the start page" },
): Html {
  const content = html`<p>${text}</p>
    <p><a href="${path}">${linkText}</a></p>`;
  return renderCardPage(title, content, { layoutData });
}

/** Renders the page for unknown URLs, with links to the main pages. */
export function renderNotFoundPage(baseUrl: string, layoutData: LayoutData): Html {
  return renderCardPage(
    "Page not found",
    html`<p>There is no page at this address. Try:</p>
      <ul>
        <li><a href="/">Start page</a></li>
        <li><a href="/settings/api">Settings</a>: API keys, plan and usage</li>
        <li><a href="/docs">API documentation</a></li>
        <li><a href="/readyz">Health</a> of the service</li>
      </ul>
      <p class="muted">Programs call the API at <code>${baseUrl}/v1</code>.</p>`,
    { layoutData },
  );
}

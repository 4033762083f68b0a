import type { Membership } from "../../access/workspaces/members.js";
import { html, type Html } from "../html.js";
import type { MessageLink } from "../web-request-error.js";
import { renderPostForm } from "./form-elements.js";
import { renderCardPage, type LayoutData, type SignedInLayoutData } from "./layout.js";

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

/** Renders the page for an address of another workspace of the person, with a button that switches to it and opens the address. */
export function renderOtherWorkspacePage(
  { workspaceId, workspaceName }: Membership,
  path: string,
  layoutData: SignedInLayoutData,
): Html {
  const fields = html`<input type="hidden" name="workspace" value="${workspaceId}" />
    <input type="hidden" name="next" value="${path}" />
    <button>Open in ${workspaceName}</button>`;
  return renderCardPage(
    "In another workspace",
    html`<p>
        What you opened is in your workspace <strong>${workspaceName}</strong>, and you are in
        <strong>${layoutData.session.workspaceName}</strong>.
      </p>
      ${renderPostForm("/settings/workspace", layoutData.session.csrfToken, fields)}`,
    { layoutData },
  );
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

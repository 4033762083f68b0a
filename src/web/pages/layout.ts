import type { Membership } from "../../access/workspaces/members.js";
import type { Session } from "../../access/accounts/sessions.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderOptions, renderPostForm } from "./form-elements.js";

/** Data for the header of a page: the session, and the workspaces to choose from. */
export interface LayoutData {
  /** Undefined when nobody is signed in. */
  readonly session: Session | undefined;
  readonly memberships: readonly Membership[];
}

/** Data for the header of a page that only signed-in people see. */
export type SignedInLayoutData = LayoutData & { readonly session: Session };

interface LayoutOptions {
  /** Undefined when the page does not know whether the visitor is signed in, for example while the database fails. */
  readonly layoutData: LayoutData | undefined;
  /** Path of the menu entry to mark as current. */
  readonly currentPath?: string;
  /** Whether the page is as wide as the window, for tables. */
  readonly isWide?: boolean;
}

interface CardPageOptions {
  readonly layoutData?: LayoutData | undefined;
  /** Notice above the card. */
  readonly notice?: HtmlValue;
}

/** Renders the document around the content of a page. */
export function renderLayout(
  title: string,
  content: Html,
  { layoutData, currentPath = "", isWide = false }: LayoutOptions,
): Html {
  const session = layoutData?.session;
  const renderMenuEntry = (path: string, name: string): Html =>
    html`<li><a href="${path}" ${path === currentPath && html`aria-current="page"`}>${name}</a></li>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === "Page Service" ? title : `${title} · Page Service`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/Temml-Local.css" />
        <link rel="stylesheet" href="/assets/app.css" />
        <link rel="stylesheet" href="/assets/content.css" />
        <script src="/assets/app.js" type="module"></script>
      </head>
      <body ${isWide && html`class="wide"`}>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="header">
          <div class="header-inner">
            <a class="brand" href="/"
              ><img src="/assets/icon.svg" alt="" width="28" height="28" />Page Service</a
            >
            <nav aria-label="Main">
              <ul>
                ${session && [renderMenuEntry("/search", "Search"), renderMenuEntry("/trash", "Trash")]}
                ${renderMenuEntry("/settings/api", "Settings")}
                ${session && renderMenuEntry("/settings/members", "Members")}
                ${renderMenuEntry("/docs", "Docs")}
              </ul>
            </nav>
            ${layoutData && renderAccountMenu(layoutData, currentPath)}
          </div>
        </header>
        <main id="content" tabindex="-1">${content}</main>
        <footer class="footer">
          <ul>
            <li><a href="/docs">API documentation</a></li>
            <li><a href="/openapi.json">OpenAPI document</a></li>
            <li><a href="/readyz">Health</a></li>
          </ul>
        </footer>
      </body>
    </html>`;
}

/** Renders a page that has one card, for a form or a message. */
export function renderCardPage(title: string, content: Html, { layoutData, notice }: CardPageOptions): Html {
  return renderLayout(
    title,
    html`<div class="narrow">
      ${notice}
      <section class="card">
        <h1>${title}</h1>
        ${content}
      </section>
    </div>`,
    { layoutData },
  );
}

/** Renders the choice of workspaces, the account link and the sign-out button; for visitors, the sign-in link. */
function renderAccountMenu({ session, memberships }: LayoutData, currentPath: string): Html {
  if (!session)
    return html`<div class="account-menu">
      <a class="button quiet slim" href="/sign-in?next=/">Sign in</a>
    </div>`;
  return html`<div class="account-menu">
    ${
      memberships.length > 1 &&
      renderPostForm(
        "/settings/workspace",
        session.csrfToken,
        html`<label class="visually-hidden" for="workspace">Workspace</label>
          <select class="slim" id="workspace" name="workspace" title="${session.workspaceName}">
            ${renderOptions(
              memberships.map(({ workspaceId, workspaceName }) => [workspaceId, workspaceName]),
              session.workspaceId,
            )}
          </select>
          <button class="quiet slim">Switch</button>`,
        "workspace-choice",
      )
    }
    <a
      class="account-name"
      href="/settings/account"
      title="${session.accountName}"
      ${currentPath === "/settings/account" && html`aria-current="page"`}
      >${session.accountName}</a
    >
    ${renderPostForm("/sign-out", session.csrfToken, html`<button class="quiet slim">Sign out</button>`)}
  </div>`;
}

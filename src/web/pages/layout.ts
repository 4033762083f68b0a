import type { Membership } from "../../storage/accounts.js";
import type { StoredSession } from "../../storage/sessions.js";
import { html, type Html, type Part } from "../html.js";

/** Somebody who looks at a page. */
export interface Viewer {
  /** Undefined when nobody is signed in. */
  readonly session: StoredSession | undefined;
  /** The workspaces to choose from. */
  readonly memberships: readonly Membership[];
}

/** Something to tell at the top of a page. */
export interface Notice {
  readonly kind: "good" | "bad";
  readonly text: string;
}

const NOBODY: Viewer = { session: undefined, memberships: [] };

/** The whole document around the content of a page; `current` is the path of the entry to mark in the menu. */
export function layout(
  title: string,
  content: Html,
  { viewer = NOBODY, current = "" }: { viewer?: Viewer; current?: string } = {},
): Html {
  const { session } = viewer;
  const entry = (path: string, name: string): Html =>
    html`<li><a href="${path}" ${path === current ? html`aria-current="page"` : ""}>${name}</a></li>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === "Page Service" ? title : `${title} · Page Service`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/app.css" />
        <script src="/assets/app.js" type="module"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <div class="top-inner">
            <a class="brand" href="/"
              ><img src="/assets/icon.svg" alt="" width="28" height="28" />Page Service</a
            >
            <nav aria-label="Main">
              <ul>
                ${entry("/settings/api", "API keys")} ${session && entry("/settings/members", "Members")}
                ${entry("/docs", "Docs")}
              </ul>
            </nav>
            ${who(viewer, current)}
          </div>
        </header>
        <main id="content" tabindex="-1">${content}</main>
        <footer class="foot">
          <ul>
            <li><a href="/docs">API documentation</a></li>
            <li><a href="/openapi.json">OpenAPI document</a></li>
            <li><a href="/readyz">Health</a></li>
          </ul>
        </footer>
      </body>
    </html>`;
}

/** A notice that screen readers tell at once. */
export function noticeBox(notice: Notice | undefined): Part {
  return (
    notice &&
    html`<div class="notice ${notice.kind}" role="${notice.kind === "bad" ? "alert" : "status"}">
      <p>${notice.text}</p>
    </div>`
  );
}

/** The field by which a form is known to come from our page. */
export function tokenField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}" />`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A time, in UTC as everything here. */
export function timeTag(time: number, withMinutes = false): Html {
  const iso = new Date(time).toISOString();
  const date = `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
  const shown = withMinutes ? `${date}, ${iso.slice(11, 16)} UTC` : date;
  return html`<time datetime="${iso}">${shown}</time>`;
}

/** A whole number, with commas between the thousands. A chart has a hundred: Intl takes twice as long. */
export function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function who({ session, memberships }: Viewer, current: string): Html {
  if (!session) return html`<div class="who"><a class="button quiet" href="/sign-in">Sign in</a></div>`;
  return html`<div class="who">
    ${
      memberships.length > 1 &&
      html`<form class="workspace-choice" method="post" action="/settings/workspace">
        ${tokenField(session.csrfToken)}
        <label class="visually-hidden" for="workspace">Workspace</label>
        <select class="slim" id="workspace" name="workspace">
          ${memberships.map(
            ({ workspaceId, workspaceName }) =>
              html`<option
                value="${workspaceId}"
                ${workspaceId === session.workspaceId ? html`selected` : ""}
              >
                ${workspaceName}
              </option>`,
          )}
        </select>
        <button class="quiet slim">Switch</button>
      </form>`
    }
    <a
      class="who-name"
      href="/settings/account"
      ${current === "/settings/account" ? html`aria-current="page"` : ""}
      >${session.accountName}</a
    >
    <form method="post" action="/sign-out">
      ${tokenField(session.csrfToken)}
      <button class="quiet slim">Sign out</button>
    </form>
  </div>`;
}

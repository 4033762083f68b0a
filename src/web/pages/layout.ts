import type { Membership } from "../../access/members.js";
import type { Session } from "../../access/sessions.js";
import { html, type Html, type HtmlValue } from "../html.js";

/** Data for the header of a page: the session, and the workspaces to choose from. */
export interface PageContext {
  /** Undefined when nobody is signed in. */
  readonly session: Session | undefined;
  /** Workspaces of the signed-in person. */
  readonly memberships: readonly Membership[];
}

/** A message at the top of a page. */
export interface Notice {
  readonly kind: "good" | "bad";
  readonly text: string;
}

/** The reason why a form was refused. */
export interface FormError {
  /** Name of the field that shows the message; undefined to show it at the top of the page. */
  readonly field: string | undefined;
  readonly message: string;
}

const ANONYMOUS: PageContext = { session: undefined, memberships: [] };

/** Layout options of a page. */
interface LayoutOptions {
  readonly context?: PageContext;
  /** Path of the active menu entry. */
  readonly current?: string;
  /** Whether the page is as wide as the window, for tables. */
  readonly isWide?: boolean;
}

/** Renders the document around the content of a page. */
export function renderLayout(
  title: string,
  content: Html,
  { context = ANONYMOUS, current = "", isWide = false }: LayoutOptions = {},
): Html {
  const { session } = context;
  const menuEntry = (path: string, name: string): Html =>
    html`<li><a href="${path}" ${path === current ? html`aria-current="page"` : ""}>${name}</a></li>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === "Page Service" ? title : `${title} · Page Service`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/app.css" />
        <link rel="stylesheet" href="/assets/content.css" />
        <script src="/assets/app.js" type="module"></script>
      </head>
      <body ${isWide && html`class="wide"`}>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <div class="top-inner">
            <a class="brand" href="/"
              ><img src="/assets/icon.svg" alt="" width="28" height="28" />Page Service</a
            >
            <nav aria-label="Main">
              <ul>
                ${session && menuEntry("/search", "Search")} ${menuEntry("/settings/api", "API keys")}
                ${session && menuEntry("/settings/members", "Members")} ${menuEntry("/docs", "Docs")}
              </ul>
            </nav>
            ${renderAccountMenu(context, current)}
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

/** Renders a notice that screen readers announce. */
export function renderNotice(notice: Notice | undefined): HtmlValue {
  return (
    notice &&
    html`<div class="notice ${notice.kind}" role="${notice.kind === "bad" ? "alert" : "status"}">
      <p>${notice.text}</p>
    </div>`
  );
}

/** Renders an error that belongs to no field as a notice. */
export function renderFormNotice(error: FormError | undefined): HtmlValue {
  return error && error.field === undefined ? renderNotice({ kind: "bad", text: error.message }) : undefined;
}

/** Returns the attributes of an input that mark it as invalid and refer to its error and hint. */
export function getInvalidAttributes(
  field: string,
  error: FormError | undefined,
  hintId?: string,
): HtmlValue {
  const isInvalid = error?.field === field;
  const ids = [...(isInvalid ? [`${field}-error`] : []), ...(hintId === undefined ? [] : [hintId])];
  return html`${isInvalid && html`aria-invalid="true" autofocus`}
  ${ids.length > 0 && html`aria-describedby="${ids.join(" ")}"`}`;
}

/** Renders the error of a field below it. */
export function renderFieldError(field: string, error: FormError | undefined): HtmlValue {
  return (
    error?.field === field &&
    html`<span class="field-error" id="${field}-error" role="alert">${error.message}</span>`
  );
}

/** Renders the hidden field with the CSRF token, which receiveForm checks. */
export function renderCsrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}" />`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the day of an ISO 8601 time, such as `4 May 2026`. */
export function formatDay(iso: string): string {
  return `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
}

/** Renders a time, in milliseconds since 1970, as its day in UTC and optionally the minute. */
export function renderTimeTag(time: number, withMinutes = false): Html {
  const iso = new Date(time).toISOString();
  const day = formatDay(iso);
  const shown = withMinutes ? `${day}, ${iso.slice(11, 16)} UTC` : day;
  return html`<time datetime="${iso}">${shown}</time>`;
}

/** Formats a whole number with thousands separators, in half the time that Intl takes. */
export function formatNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Renders the choice of workspaces, the account link and the sign-out button; for visitors, the sign-in link. */
function renderAccountMenu({ session, memberships }: PageContext, current: string): Html {
  if (!session)
    return html`<div class="who"><a class="button quiet" href="/sign-in?next=/">Sign in</a></div>`;
  return html`<div class="who">
    ${
      memberships.length > 1 &&
      html`<form class="workspace-choice" method="post" action="/settings/workspace">
        ${renderCsrfField(session.csrfToken)}
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
      ${renderCsrfField(session.csrfToken)}
      <button class="quiet slim">Sign out</button>
    </form>
  </div>`;
}

import { findMembershipOfObject } from "../access/workspaces/members.js";
import { BusyError, OperationalError, UserError } from "../errors.js";
import { RETRY_AFTER_SECONDS } from "../budgets.js";
import { DomainError } from "../domain/errors.js";
import { parseId } from "../domain/ids.js";
import { type MessageLink, WebRequestError } from "./web-request-error.js";
import type { LayoutData } from "./pages/layout.js";
import { renderMessagePage, renderOtherWorkspacePage } from "./pages/message.js";
import { loadLayoutData, type WebRequest } from "./request.js";
import { addHeader, createHtmlResponse, type WebResponse } from "./response.js";

/** Link to the page that failed: a browser resolves an empty path to the current address. */
export const RELOAD_LINK: MessageLink = { path: "", text: "Try again" };

/** Creates the page that explains an error. Reports errors that the visitor did not cause, and hides their details. */
export async function createErrorPage(
  error: unknown,
  request: WebRequest | undefined,
  onError: (error: unknown) => void,
): Promise<WebResponse> {
  // Used when the store fails, so that memberships cannot be read.
  const fallbackLayoutData: LayoutData | undefined = request && { session: request.session, memberships: [] };
  const refusal = toWebRequestError(error, request);
  if (refusal !== undefined) {
    const { status, message, link } = refusal;
    const title = status === 404 ? "Page not found" : "This did not work";
    const layoutData = request && (await loadLayoutData(request).catch(() => fallbackLayoutData));
    if (status === 404 && request && layoutData) {
      const otherWorkspacePage = await createOtherWorkspacePage(request, layoutData).catch(() => undefined);
      if (otherWorkspacePage !== undefined) return otherWorkspacePage;
    }
    return createHtmlResponse(renderMessagePage(title, message, layoutData, link), status);
  }
  onError(error);
  const [title, text, status] = describeFailure(error);
  const page = createHtmlResponse(renderMessagePage(title, text, fallbackLayoutData, RELOAD_LINK), status);
  return status === 503 ? addHeader(page, "Retry-After", String(RETRY_AFTER_SECONDS)) : page;
}

/** Creates the page that offers to switch to the workspace that has the requested object; undefined if the person has none. */
async function createOtherWorkspacePage(
  { context, param, httpRequest: { url = "" } }: WebRequest,
  { session, memberships }: LayoutData,
): Promise<WebResponse | undefined> {
  const id = parseId(param);
  if (session === undefined || id === undefined) return undefined;
  const membership = await findMembershipOfObject(context.store, memberships, id);
  if (membership === undefined || membership.workspaceId === session.workspaceId) return undefined;
  const layoutData = { session, memberships };
  return createHtmlResponse(renderOtherWorkspacePage(membership, url, layoutData), 404);
}

/** Describes an error that the visitor did not cause. */
export function describeFailure(error: unknown): [title: string, text: string, status: 500 | 503] {
  if (error instanceof BusyError) return ["Service busy", error.message, 503];
  if (error instanceof OperationalError) {
    const text = "The service cannot reach its database at the moment. Try again soon.";
    return ["Service unavailable", text, 503];
  }
  const text =
    "The service logged this error. Try again. If it happens again, tell the operator of the service.";
  return ["Something went wrong", text, 500];
}

/** Converts an error that can be explained to the visitor; returns undefined for others. */
function toWebRequestError(error: unknown, request: WebRequest | undefined): WebRequestError | undefined {
  if (error instanceof WebRequestError) return error;
  if (error instanceof UserError) return new WebRequestError(400, error.message);
  if (!(error instanceof DomainError)) return undefined;
  switch (error.kind) {
    case "not_found":
      return new WebRequestError(
        404,
        "This workspace has no page or database at this address. It may have been deleted, or be in another workspace.",
      );
    case "invalid_cursor":
      return new WebRequestError(
        400,
        "The address of this part is not valid. It may be incomplete or out of date.",
        request && { path: getFirstPartPath(request), text: "Start at the beginning" },
      );
    case "validation":
      return new WebRequestError(400, error.message);
    case "conflict":
      return new WebRequestError(409, error.message);
    case "restricted":
      return undefined;
  }
}

/** Query parameters that continue a list after its first part. */
const CURSOR_PARAMETERS: ReadonlySet<string> = new Set(["cursor", "comments", "keys", "invitations"]);

function getFirstPartPath({ httpRequest, query }: WebRequest): string {
  const [path = ""] = (httpRequest.url ?? "").split("?", 1);
  const others = [...query].filter(([name]) => !CURSOR_PARAMETERS.has(name));
  return others.length === 0 ? path : `${path}?${new URLSearchParams(others).toString()}`;
}

/** Creates the page for an untrusted Host header, as DNS rebinding sends it: status 421 (RFC 9110, section 15.5.20). */
export function createWrongAddressPage(appUrl: string): WebResponse {
  const text =
    "The service does not know the address that you opened. To use it there, its operator sets APP_URL or BASE_URL to it.";
  const link = { path: appUrl, text: "Go to the start page" };
  return createHtmlResponse(renderMessagePage("Wrong address", text, undefined, link), 421);
}

/** Creates the page for a request that is not valid HTTP, such as one with too many cookies. */
export function createMalformedRequestPage(status: number, message: string): WebResponse {
  const text =
    status === 431
      ? "The address and the cookies are too long together. Shorten the address, or delete the cookies of this site."
      : message;
  return createHtmlResponse(renderMessagePage("This did not work", text), status);
}

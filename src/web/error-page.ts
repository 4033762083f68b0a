import { UserError } from "../access/errors.js";
import { RETRY_AFTER_SECONDS } from "../budgets.js";
import { BusyError, ConflictError, StorageUnavailableError } from "../storage/engine/errors.js";
import { WebRequestError } from "./web-request-error.js";
import type { PageContext } from "./pages/layout.js";
import { renderMessagePage } from "./pages/message.js";
import { loadPageContext, type WebContext, type WebRequest } from "./request.js";
import { addHeader, createHtmlResponse, type WebResponse } from "./response.js";

export const INTERNAL_ERROR_TEXT =
  "The service logged this error. Try again. If it happens again, tell the operator of the service.";

/** Creates the page that explains an error. Reports errors that the visitor did not cause, and hides their details. */
export async function createErrorPage(
  context: WebContext,
  error: unknown,
  request: WebRequest | undefined,
  onError: (error: unknown) => void,
): Promise<WebResponse> {
  // For a failing store, which cannot read the memberships.
  const ownContext: PageContext = { session: request?.session, memberships: [] };
  if (error instanceof WebRequestError || error instanceof UserError) {
    const status = error instanceof WebRequestError ? error.status : 400;
    const title = status === 404 ? "Page not found" : "This did not work";
    const pageContext = request && (await loadPageContext(context, request).catch(() => ownContext));
    const link = error instanceof WebRequestError ? error.link : undefined;
    return createHtmlResponse(renderMessagePage(title, error.message, pageContext, link), status);
  }
  onError(error);
  if (error instanceof BusyError) {
    const busy = createHtmlResponse(renderMessagePage("Service busy", error.message, ownContext), 503);
    return addHeader(busy, "Retry-After", String(RETRY_AFTER_SECONDS));
  }
  if (error instanceof StorageUnavailableError || error instanceof ConflictError) {
    const text = "The service cannot reach its database at the moment. Try again soon.";
    const unavailable = createHtmlResponse(renderMessagePage("Service unavailable", text, ownContext), 503);
    return addHeader(unavailable, "Retry-After", String(RETRY_AFTER_SECONDS));
  }
  return createHtmlResponse(renderMessagePage("Something went wrong", INTERNAL_ERROR_TEXT, ownContext), 500);
}

/** Creates the page for an untrusted Host header, as DNS rebinding sends it: status 421 (RFC 9110, section 15.5.20). */
export function createWrongAddressPage(appUrl: string): WebResponse {
  const text =
    "The service does not know the address that you opened. To use it there, its operator sets APP_URL or BASE_URL to it.";
  const link = { path: appUrl, text: "Go to the start page" };
  return createHtmlResponse(renderMessagePage("Wrong address", text, undefined, link), 421);
}

/** Creates the page for a request that is not valid HTTP, such as one with too many cookies. */
export function createMalformedRequestPage({
  status,
  message,
}: {
  readonly status: number;
  readonly message: string;
}): WebResponse {
  const text =
    status === 431
      ? "The address and the cookies are too long together. Shorten the address, or delete the cookies of this site."
      : message;
  return createHtmlResponse(renderMessagePage("This did not work", text), status);
}

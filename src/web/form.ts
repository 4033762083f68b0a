import type { IncomingMessage } from "node:http";
import { BusyError, InvalidFieldsError, TooManyAttemptsError, UserError } from "../errors.js";
import { areEqualSecrets, newToken } from "../access/accounts/tokens.js";
import { MAX_FORM_BYTES } from "../budgets.js";
import type { Html } from "./html.js";
import type { FormError } from "./pages/form-elements.js";
import type { SignedInRequest, WebRequest } from "./request.js";
import { addHeader, createHtmlResponse, type WebResponse } from "./response.js";
import type { TrustedHosts } from "./trusted-hosts.js";
import { WebRequestError } from "./web-request-error.js";

/** Returns the value of a field of a form by its name; empty if the form does not have the field. */
export type GetField = (name: string) => string;

/** Carries out a form, whose token was checked. */
type Submit<R> = (request: R, getField: GetField) => WebResponse | Promise<WebResponse>;

/** Shows a refused form again, with its entries and the error. */
type ShowAgain<R> = (request: R, error: FormError, getField: GetField) => WebResponse | Promise<WebResponse>;

/** Creates the handler of a form about the session's workspace. */
export const handleWorkspaceForm = createHandlerFactory<SignedInRequest>(checkWorkspaceToken);
/** Creates the handler of a form about the account or the session, which concerns no workspace. */
export const handleAccountForm = createHandlerFactory<SignedInRequest>(checkAccountToken);
/** Creates the handler of a form for visitors, which can be signed in by now in another tab. */
export const handleVisitorForm = createHandlerFactory<WebRequest>(checkVisitorToken);

/**
 * Creates a function that creates handlers of forms with the same token check. With `showAgain`, a handler shows errors of toFormError
 * with the form; it throws others.
 */
function createHandlerFactory<R extends WebRequest>(checkToken: (request: R, getField: GetField) => void) {
  return (submit: Submit<R>, showAgain?: ShowAgain<R>) =>
    async (request: R): Promise<WebResponse> => {
      const getField = await readForm(request);
      try {
        checkToken(request, getField);
        return await submit(request, getField);
      } catch (error) {
        if (showAgain === undefined) throw error;
        return showAgain(request, toFormError(error), getField);
      }
    };
}

class OutdatedFormError extends WebRequestError {
  constructor({ httpRequest }: WebRequest) {
    // Addresses that only receive forms redirect to the page that has the form.
    super(403, describeOutdatedForm("Open"), { path: httpRequest.url ?? "", text: "Open the form again" });
  }
}

function describeOutdatedForm(remedy: "Open" | "Send"): string {
  return `This form is out of date, and nothing was changed. ${remedy} it again. If this happens again, allow cookies for this site.`;
}

/**
 * Checks that a form is of the session and its current workspace. Throws an OutdatedFormError if it is of another session, and a
 * WebRequestError with status 403 if it is of another workspace, in which the form must not be shown again.
 */
function checkWorkspaceToken(request: SignedInRequest, getField: GetField): void {
  const { csrfToken, workspaceId, workspaceName } = request.session;
  const formToken = getField("csrf");
  if (areEqualSecrets(formToken, csrfToken)) return;
  const [, formWorkspaceId = workspaceId] = formToken.split(".");
  if (formWorkspaceId === workspaceId) throw new OutdatedFormError(request);
  const text = `You have switched to ${workspaceName}. Nothing was changed. Switch back, open the page again and repeat your change.`;
  throw new WebRequestError(403, text);
}

/** Checks that a form is of the session. Throws an OutdatedFormError otherwise. */
function checkAccountToken(request: SignedInRequest, getField: GetField): void {
  if (!hasToken(getField, request.session.csrfToken)) throw new OutdatedFormError(request);
}

/** Checks that a form is of the session, or of the browser before it was signed in. Throws an OutdatedFormError otherwise. */
function checkVisitorToken(request: WebRequest, getField: GetField): void {
  const { context, httpRequest, session } = request;
  const tokens = [session?.csrfToken, context.cookies.readVisitor(httpRequest)];
  if (!tokens.some((token) => hasToken(getField, token))) throw new OutdatedFormError(request);
}

function hasToken(getField: GetField, csrfToken: string | undefined): boolean {
  return csrfToken !== undefined && areEqualSecrets(getSecret(getField("csrf")), getSecret(csrfToken));
}

/** Creates a page with a form for visitors. Without a session, its CSRF token is in a cookie, which several tabs share. */
export function createVisitorFormResponse(
  { context: { cookies }, httpRequest, session }: WebRequest,
  render: (csrfToken: string) => Html,
  error: FormError | undefined,
): WebResponse {
  if (session) return createHtmlResponse(render(session.csrfToken), error?.status);
  const token = cookies.readVisitor(httpRequest) ?? newToken();
  const response = createHtmlResponse(render(token), error?.status);
  return addHeader(response, "Set-Cookie", cookies.formatVisitor(token));
}

/** Returns a CSRF token without the id of a workspace, see continueSession. */
function getSecret(csrfToken: string): string {
  return csrfToken.replace(/\..*/s, "");
}

/** Refuses forms of other sites. If a browser sends neither Origin nor Sec-Fetch-Site, only the CSRF token is checked. */
function checkOrigin(request: IncomingMessage, trustedHosts: TrustedHosts): void {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  const isForeignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (isForeignSite || (origin !== undefined && !trustedHosts.isTrustedOrigin(origin, host))) {
    throw new WebRequestError(403, "This form was sent by another site. Go back and try again.");
  }
}

/** Reads the fields of a form without checking its CSRF token. Throws WebRequestError when it is too large or of another site. */
async function readForm({ context, httpRequest: request }: WebRequest): Promise<GetField> {
  checkOrigin(request, context.trustedHosts);
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new WebRequestError(400, "This is not a form.");
  const chunks: Buffer[] = [];
  let size = 0;
  // A refused request is not destroyed: the rest of its body must be read, so that it does not block the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // Safe cast: without an encoding a request yields buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_FORM_BYTES) throw new WebRequestError(413, "The form is too large.");
    chunks.push(bytes);
  }
  const fields = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  return (name) => fields.get(name) ?? "";
}

/** Converts an error that a form can explain to the visitor. Rethrows others. */
export function toFormError(error: unknown): FormError {
  if (error instanceof InvalidFieldsError) return { fields: error.fields, status: 400 };
  if (error instanceof UserError) return { message: error.message, status: 400 };
  if (error instanceof OutdatedFormError) return { message: describeOutdatedForm("Send"), status: 403 };
  if (error instanceof TooManyAttemptsError) return { message: error.message, status: 429 };
  if (error instanceof BusyError) return { message: "The service is busy. Try again soon.", status: 503 };
  throw error;
}

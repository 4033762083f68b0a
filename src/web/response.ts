import type { ServerResponse, IncomingMessage } from "node:http";
import type { Html } from "./html.js";
import Negotiator from "negotiator";
import { MAX_ACCEPT_HEADER_LENGTH } from "../budgets.js";

export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Text, or its compressed form. */
  readonly body: string | Buffer;
}

/** Policy of most pages: all resources are from this origin, inline scripts and styles do not run, frames are forbidden. */
const CONTENT_SECURITY_POLICY = createContentSecurityPolicy("'self'");

/** Policy of pages with content of the workspace, which can have images of other sites. */
export const CONTENT_POLICY = createContentSecurityPolicy("'self' https: http:");

function createContentSecurityPolicy(imageSources: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${imageSources}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** Creates an HTML response that no cache stores. */
export function createHtmlResponse(body: Html, status = 200, policy = CONTENT_SECURITY_POLICY): WebResponse {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
      "Referrer-Policy": "same-origin",
      // For browsers that do not support frame-ancestors.
      "X-Frame-Options": "DENY",
    },
    body: body.text,
  };
}

/** Creates a redirect to a path of the application, which the browser requests with GET. */
export function createRedirect(path: string): WebResponse {
  return { status: 303, headers: { Location: path, "Cache-Control": "no-store" }, body: "" };
}

/** Creates a response of one line of text. */
export function createTextResponse(status: number, line: string): WebResponse {
  return {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    body: `${line}\n`,
  };
}

export function addHeader(
  response: WebResponse,
  name: string,
  value: string | readonly string[],
): WebResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

/** Sends a response, unless the server has refused a malformed request already. node:http omits the body for HEAD. */
export function sendWebResponse(response: ServerResponse, { status, headers, body }: WebResponse): void {
  if (response.headersSent) return;
  response.writeHead(status, {
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
}

/** Whether the Accept header prefers HTML to JSON, as browsers do. */
export function prefersHtml(request: Pick<IncomingMessage, "headers">): boolean {
  return createNegotiator(request).mediaType(["application/json", "text/html"]) === "text/html";
}

/** Creates a negotiator for the headers Accept and Accept-Encoding. Shortens them, because parsing 15,000 characters takes 1 ms. */
export function createNegotiator({ headers }: Pick<IncomingMessage, "headers">): Negotiator {
  const shorten = (header: string | string[] | undefined) => header?.slice(0, MAX_ACCEPT_HEADER_LENGTH);
  const shortened = {
    accept: shorten(headers.accept),
    "accept-encoding": shorten(headers["accept-encoding"]),
  };
  return new Negotiator({ headers: shortened });
}

import type { ServerResponse } from "node:http";
import type { Html } from "./html.js";

/** Response to a browser. */
export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Text, or its compressed form. */
  readonly body: string | Buffer;
}

/** Pages load everything from this origin, run only our script and styles, and are not shown in frames. */
const CONTENT_SECURITY_POLICY = policyWithImages("'self'");

/** Pages and databases also show images of other sites. */
const CONTENT_POLICY = policyWithImages("'self' https: http:");

function policyWithImages(sources: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${sources}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** Creates a page that is not stored by any cache. */
export function htmlResponse(body: Html, status = 200): WebResponse {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Cache-Control": "no-store",
      "Referrer-Policy": "same-origin",
      // For browsers that do not support frame-ancestors.
      "X-Frame-Options": "DENY",
    },
    body: body.text,
  };
}

/** Creates a page that shows content of the workspace, with images from other sites. */
export function contentResponse(body: Html, status = 200): WebResponse {
  return withHeader(htmlResponse(body, status), "Content-Security-Policy", CONTENT_POLICY);
}

/** Redirects to a path of the application, which is requested with GET. */
export function redirect(path: string): WebResponse {
  return { status: 303, headers: { Location: path, "Cache-Control": "no-store" }, body: "" };
}

/** Creates a response of one line of text. */
export function textResponse(status: number, line: string): WebResponse {
  return {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    body: `${line}\n`,
  };
}

/** Adds cookies to a response. */
export function withCookies(response: WebResponse, ...cookies: readonly string[]): WebResponse {
  return { ...response, headers: { ...response.headers, "Set-Cookie": cookies } };
}

/** Adds a header to a response. */
export function withHeader(response: WebResponse, name: string, value: string): WebResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

/** Sends a response, unless an unreadable request body was already refused. node:http omits the body for HEAD. */
export function sendResponse(response: ServerResponse, { status, headers, body }: WebResponse): void {
  if (response.headersSent) return;
  response.writeHead(status, {
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
}

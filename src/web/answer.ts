import type { ServerResponse } from "node:http";
import type { Html } from "./html.js";

/** What goes back to the browser. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

/** Pages take everything from here, run no script and style but ours, and are shown in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** A page; it is for whoever asked alone, and not kept. */
export function page(body: Html | Uint8Array, status = 200): Answer {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": "no-store",
      "Referrer-Policy": "same-origin",
      // For browsers that do not know the policy's word for it.
      "X-Frame-Options": "DENY",
    },
    body: body instanceof Uint8Array ? body : body.text,
  };
}

/** Leads the browser elsewhere in the application, with GET. */
export function redirect(path: string): Answer {
  return { status: 303, headers: { Location: path, "Cache-Control": "no-store" }, body: "" };
}

/** The same answer, with cookies. */
export function withCookies(answer: Answer, ...cookies: readonly string[]): Answer {
  return { ...answer, headers: { ...answer.headers, "Set-Cookie": cookies } };
}

/** Sends an answer, unless there was one; HEAD gets no body, which node:http sees to. */
export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  // A request whose body cannot be read was refused meanwhile.
  if (response.headersSent) return;
  response.writeHead(status, {
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
}

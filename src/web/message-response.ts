import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";
import { renderMessagePage } from "./pages/message.js";
import { createHtmlResponse, createTextResponse, type WebResponse } from "./response.js";

/** Whether the Accept header prefers HTML to JSON, as browsers do. */
export function prefersHtml(request: Pick<IncomingMessage, "headers">): boolean {
  return new Negotiator(request).mediaType(["application/json", "text/html"]) === "text/html";
}

/** Creates a response with a message: a page for browsers, a line of text for programs. */
export function createMessageResponse(
  request: IncomingMessage,
  status: number,
  title: string,
  text: string,
): WebResponse {
  return prefersHtml(request)
    ? createHtmlResponse(renderMessagePage(title, text), status)
    : createTextResponse(status, text);
}

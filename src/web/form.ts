import type { IncomingMessage } from "node:http";

/** Most bytes of a form. */
const LIMIT = 16 * 1024;

/** A request cannot be answered as it is; the message is for people. */
export class FormRefused extends Error {
  constructor(
    readonly status: 400 | 403 | 413 | 429,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads the fields of a form.
 *
 * @throws FormRefused when it is too large or no form.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new FormRefused(400, "This is not a form.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // The cast: without an encoding a request gives its body in buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > LIMIT) throw new FormRefused(413, "The form is too large.");
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/**
 * Refuses a form that a page of somebody else sent. Browsers say where a form comes from; what says nothing is held
 * against the token of the form alone.
 *
 * @param appUrl Address of the web application.
 * @throws FormRefused when the form comes from elsewhere.
 */
export function checkOrigin(request: IncomingMessage, appUrl: string): void {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  const foreign = new FormRefused(403, "This form was sent by another page. Go back and try again.");
  if (site !== undefined && site !== "same-origin" && site !== "none") throw foreign;
  if (origin === undefined) return;
  if (!URL.canParse(origin)) throw foreign;
  const { host: from } = new URL(origin);
  if (from !== host && origin !== new URL(appUrl).origin) throw foreign;
}

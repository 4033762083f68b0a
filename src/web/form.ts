import type { IncomingMessage } from "node:http";
import { MAX_FORM_BYTES } from "../budgets.js";
import type { TrustedHosts } from "./trusted-hosts.js";
import { WebRequestError } from "./web-request-error.js";
import { TooManyAttemptsError, UserError } from "../access/errors.js";
import { BusyError } from "../storage/engine/errors.js";
import type { FormError } from "./pages/form-elements.js";

/** Returns the value of a field of a form by its name; empty if the form does not have the field. */
export type GetField = (name: string) => string;

/** Reads the fields of an HTML form. Throws WebRequestError when the body is too large or not a form. */
export async function readForm(request: IncomingMessage): Promise<GetField> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new WebRequestError(400, "This is not a form.");
  const chunks: Buffer[] = [];
  let size = 0;
  // A refused request is not destroyed: the rest of its body must be read, so that it does not block the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // The cast: without an encoding a request yields buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_FORM_BYTES) throw new WebRequestError(413, "The form is too large.");
    chunks.push(bytes);
  }
  const fields = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  return (name) => fields.get(name) ?? "";
}

/**
 * Refuses forms of other sites by the headers Sec-Fetch-Site and Origin, with a WebRequestError. Without these headers
 * only the CSRF token protects, see receiveForm.
 */
export function checkOrigin(request: IncomingMessage, trustedHosts: TrustedHosts): void {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  const isForeignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (isForeignSite || (origin !== undefined && !trustedHosts.isTrustedOrigin(origin, host))) {
    throw new WebRequestError(403, "This form was sent by another site. Go back and try again.");
  }
}

/** Converts an error that the form can explain to a form error. Throws every other error again. */
export function toFormError(error: unknown): FormError {
  if (error instanceof UserError) return { field: error.field, message: error.message, status: 400 };
  if (error instanceof TooManyAttemptsError) return { field: undefined, message: error.message, status: 429 };
  if (error instanceof BusyError) {
    const message = "Too many people are signing in at the moment. Try again soon.";
    return { field: undefined, message, status: 503 };
  }
  throw error;
}

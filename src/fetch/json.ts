import type { CreateError } from "./errors.js";
import type { ReadBody } from "./operation.js";

/** Reads a body of any media type as text. */
export const readText: ReadBody = async (response) => ({ body: await response.text() });

/** Reads a JSON body; an empty body gives undefined. */
export const readJson: ReadBody = async (response, _, createError) => ({
  body: parseJson(await response.text(), createError),
});

/**
 * Parses JSON; undefined for an empty text or no text.
 *
 * @param createError creates the error for text that is not JSON, e.g. the HTML error page of a proxy
 */
export function parseJson(text: unknown, createError: CreateError): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw createError(text, "the body is not JSON");
  }
}

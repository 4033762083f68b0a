import type { ReadBody } from "./operation.js";

/** Reads a text body. */
export const readText: ReadBody = async (response) => ({ body: await response.text() });

/** Reads a JSON body; undefined when it is empty. */
export const readJson: ReadBody = async (response, _, fail) => ({
  body: parseJson(await response.text(), fail),
});

/**
 * Parses JSON; undefined for an empty text.
 *
 * @param fail creates the error for text that is not JSON, for example from a proxy
 */
export function parseJson(text: unknown, fail: (body: unknown) => Error): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw fail(text);
  }
}

/** Whether a media type is JSON or has the suffix `+json`. */
export function isJson(mediaType: string): boolean {
  return /^(?:application\/json|[^;]*\+json)\s*(?:;|$)/i.test(mediaType);
}

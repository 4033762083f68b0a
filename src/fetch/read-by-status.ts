import type { ReadBody } from "./operation.js";
import { readByMediaType } from "./read-by-media-type.js";

/**
 * Creates the reader of an operation whose responses declare different content for the same media type.
 *
 * @param readers readers by status; `2XX` for all others
 * @returns a reader that reads an undeclared status by the Content-Type of the response
 */
export function readByStatus(readers: Record<string, ReadBody>): ReadBody {
  const readUndeclared = readByMediaType({});
  return (response, options, createError) => {
    const read = readers[response.status] ?? readers["2XX"] ?? readUndeclared;
    return read(response, options, createError);
  };
}

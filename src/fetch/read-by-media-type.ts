import { findMediaType, getEssence, isJson, isRange } from "../http/media-types.js";
import { readBytes } from "./bytes.js";
import { readJson, readText } from "./json.js";
import type { ReadBody } from "./operation.js";

/**
 * Creates the reader of a response that can have several media types.
 *
 * @param readers readers by declared media type; the Content-Type of the response selects one
 * @returns a reader that reads undeclared JSON and text as such, and any other undeclared media type as bytes
 */
export function readByMediaType(readers: Record<string, ReadBody>): ReadBody {
  const declared = Object.keys(readers);
  return async (response, options, createError) => {
    const sent = response.headers.get("Content-Type") ?? "";
    // A status without declared content, such as 202 beside a 200 with several media types.
    if (sent === "" && !declared.includes("*/*") && isEmpty(response)) return { body: undefined };
    const found = findMediaType(sent, declared);
    // The range of all media types also includes a response without a Content-Type.
    const read = readers[found ?? "*/*"] ?? chooseReader(sent);
    const contentType = found === undefined || isRange(found) ? getEssence(sent) : found;
    return { ...(await read(response, options, createError)), contentType };
  };
}

function isEmpty({ body, headers }: Response): boolean {
  return body === null || headers.get("Content-Length") === "0";
}

function chooseReader(contentType: string): ReadBody {
  if (isJson(contentType)) return readJson;
  return getEssence(contentType).startsWith("text/") ? readText : readBytes;
}

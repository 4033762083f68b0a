import { findMediaType, getEssence, isJson, isRange } from "../http/media-types.js";
import { readBytes } from "./bytes.js";
import { readJson, readText } from "./json.js";
import type { ReadBody } from "./operation.js";

/**
 * Creates the reader of a response that can have several media types.
 *
 * @param readers readers by declared media type; the Content-Type of the response selects one
 * @returns a reader that reads an undeclared media type as JSON, text or bytes
 */
export function readByMediaType(readers: Record<string, ReadBody>): ReadBody {
  const declared = Object.keys(readers);
  return async (response, options, createError) => {
    const sentType = response.headers.get("Content-Type") ?? "";
    // All statuses share this reader, and one without content, such as 202, has no Content-Type.
    if (sentType === "" && !declared.includes("*/*") && isEmpty(response)) return { body: undefined };
    const declaredType = findMediaType(sentType, declared);
    // `*/*` also includes a response without a Content-Type.
    const read = readers[declaredType ?? "*/*"] ?? chooseReader(sentType);
    const contentType =
      declaredType === undefined || isRange(declaredType) ? getEssence(sentType) : declaredType;
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

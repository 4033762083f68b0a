import { isBinary } from "./bytes.js";
import { getOwnValue } from "./encode.js";
import { isJson } from "../http/media-types.js";
import type { WriteBody, WrittenBody } from "./operation.js";

/** Creates the writer of a body of one media type: JSON is serialized, bytes and any other body are sent unchanged. */
export function writeAs(contentType: string): WriteBody {
  return (body) =>
    isJson(contentType) && !isBinary(body)
      ? { body, headers: { "Content-Type": contentType } }
      : writeRaw(body, contentType);
}

/** Creates the writer of a JSON body with a media type that is not that of JSON, such as a number in `text/plain`. */
export function writeJson(contentType: string): WriteBody {
  return (body) => writeRaw(isBinary(body) ? body : JSON.stringify(body), contentType);
}

/**
 * Creates the writer of a body for which an operation declares several media types or a range, so that the caller names the
 * media type.
 *
 * @param writers writers of media types that `writeAs` does not support, such as forms
 */
export function writeByMediaType(writers: Record<string, WriteBody> = {}): WriteBody {
  return (body, contentType) => {
    if (contentType === undefined) return { body };
    const write = getOwnValue(writers, contentType) ?? writeAs(contentType);
    return write(body, contentType);
  };
}

/**
 * Writes a body that fetch sends unchanged, with the options of openapi-fetch that this requires.
 *
 * @param contentType null if fetch determines it
 */
export function writeRaw(body: unknown, contentType: string | null): WrittenBody {
  return {
    body,
    headers: { "Content-Type": contentType },
    bodySerializer: (written) => written,
    ...(body instanceof ReadableStream ? { duplex: "half" as const } : {}),
  };
}

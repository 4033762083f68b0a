import { getOwnValue } from "./encode.js";
import { isJson } from "../http/media-types.js";
import type { WriteBody, WrittenBody } from "./operation.js";

/** Creates the writer of a body that is sent unchanged, or as JSON with a media type other than application/json. */
export function writeAs(contentType: string): WriteBody {
  return (body) =>
    isJson(contentType) ? { body, headers: { "Content-Type": contentType } } : writeRaw(body, contentType);
}

/**
 * Creates the writer of a body whose media type the caller names, or of a range of media types.
 *
 * @param writers of the media types that are neither JSON nor sent unchanged
 */
export function writeByMediaType(writers: Record<string, WriteBody> = {}): WriteBody {
  return (body, contentType) => {
    if (contentType === undefined) return { body };
    const write = getOwnValue(writers, contentType) ?? writeAs(contentType);
    return write(body, contentType);
  };
}

/** Writes a body that fetch sends unchanged; `contentType` is null where fetch determines it. */
export function writeRaw(body: unknown, contentType: string | null): WrittenBody {
  return {
    body,
    headers: { "Content-Type": contentType },
    bodySerializer: (written) => written,
    ...(body instanceof ReadableStream ? { duplex: "half" as const } : {}),
  };
}

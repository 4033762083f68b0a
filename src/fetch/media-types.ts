import { readBytes } from "./bytes.js";
import { isJson, readJson, readText } from "./json.js";
import type { ReadBody } from "./operation.js";

/**
 * Creates the reader of a response that can have several media types. It uses the reader of the declared media type or the
 * most specific range, which is the longest, that matches the Content-Type. For any other Content-Type it uses the default reader of that type.
 */
export function readByMediaType(readers: Record<string, ReadBody>): ReadBody {
  const declared = Object.entries(readers);
  return async (response, options, createError) => {
    const sent = response.headers.get("Content-Type") ?? "";
    const found =
      declared.find(([type]) => type.toLowerCase() === sent.toLowerCase()) ??
      declared.find(([type]) => essence(type) === essence(sent));
    const [range] = declared
      .filter(([type]) => isInRange(essence(sent), type))
      .sort(([a], [b]) => b.length - a.length);
    const text = essence(sent).startsWith("text/");
    const read = found?.[1] ?? range?.[1] ?? (isJson(sent) ? readJson : text ? readText : readBytes);
    return { ...(await read(response, options, createError)), contentType: found?.[0] ?? essence(sent) };
  };
}

/** Whether a media type is in a range such as `image/*` or `application/*+json`. */
function isInRange(mediaType: string, range: string): boolean {
  if (range === "*/*") return true;
  const [prefix = "", suffix] = range.split("*");
  return suffix !== undefined && mediaType.startsWith(prefix) && mediaType.endsWith(suffix);
}

/** A media type without its parameters. */
function essence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

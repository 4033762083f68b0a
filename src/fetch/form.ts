import { writeRaw } from "./body.js";
import { getOwnValue } from "./encode.js";
import type { WriteBody } from "./operation.js";
import { type QueryWriter, writeQuery } from "./query.js";

const MEDIA_TYPE = "application/x-www-form-urlencoded";

/**
 * Creates the writer of an `application/x-www-form-urlencoded` body. Fields without a writer are text; lists are repeated
 * and objects are JSON. A string or URLSearchParams is sent unchanged.
 */
export function writeForm(writers: Record<string, QueryWriter> = {}): WriteBody {
  return (body) => {
    if (typeof body === "string" || body instanceof URLSearchParams)
      return writeRaw(String(body), MEDIA_TYPE);
    const fields = Object.entries(Object(body)).map(([name, value]) => [
      name,
      isObject(value) && getOwnValue(writers, name) === undefined ? JSON.stringify(value) : value,
    ]);
    return writeRaw(writeQuery(Object.fromEntries(fields), writers), MEDIA_TYPE);
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

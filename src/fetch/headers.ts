import { formatHeaderJson } from "../http/header-json.js";
import { isSet, joinMembers, getOwnValue, toText, type Values } from "./encode.js";

/** Writes a header parameter that is not plain text. */
export type HeaderWriter = (name: string, value: unknown) => string;

export function writeHeaders(
  headers: Values,
  writers: Record<string, HeaderWriter> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(isSet)
      .map(([name, value]) => [name, getOwnValue(writers, name)?.(name, value) ?? toText(value)]),
  );
}

/**
 * Creates the writer of a header parameter. Style `simple` does not percent-encode in headers.
 *
 * @param style `simple`, with a star when exploded, or `json` for a parameter with `content`
 */
export function headerWriter(style: string): HeaderWriter {
  return (name, value) =>
    style === "json" ? formatHeaderJson(value) : joinMembers(name, value, style.endsWith("*"), toText);
}

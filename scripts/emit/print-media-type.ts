import { printStringLiteral, escapeTemplateText } from "../code/encode.js";
import type { MediaType } from "../model/model.js";

/**
 * Whether a message must name its media type: there are several, or a range. A body that any media type
 * allows needs no name unless it is binary, because it is sent as JSON.
 */
export function needsExplicitContentType(mediaTypes: readonly MediaType[]): boolean {
  return (
    mediaTypes.length > 1 ||
    mediaTypes.some(({ name, range, kind }) => range !== undefined && (name !== "*/*" || kind === "binary"))
  );
}

/** Prints the type of the media types that a message can have: a literal, or for a range a template such as `image/${string}`. */
export function printContentType({ name, range }: MediaType): string {
  if (name === "*/*") return "string";
  if (!range) return printStringLiteral(name);
  return `\`${escapeTemplateText(range.prefix)}\${string}${escapeTemplateText(range.suffix)}\``;
}

/** Whether a body is multipart and can have files. Without declared parts, every part can be a file. */
export function hasFiles({ kind, fields, undeclaredField }: MediaType): boolean {
  const entries = undeclaredField ? [...fields, undeclaredField] : fields;
  return kind === "multipart" && (entries.length === 0 || entries.some(({ file }) => file));
}

/**
 * Prints the type of the names of the files in a multipart body: a union, or `never`. It contains `symbol` if undeclared
 * parts are files, because `string` would also include the names of the other parts.
 */
export function printFilePartNames({ fields, undeclaredField }: MediaType): string {
  const files = fields.filter(({ file }) => file).map(({ name }) => printStringLiteral(name));
  if (undeclaredField?.file) files.push("symbol");
  return files.length === 0 ? "never" : files.join(" | ");
}

import { printStringLiteral, escapeTemplateText } from "../code/encode.js";
import type { MediaType } from "../model/model.js";

/** Whether a message must contain the name of its media type: there are several, or a range. */
export function needsContentType(mediaTypes: readonly MediaType[]): boolean {
  return (
    mediaTypes.length > 1 ||
    mediaTypes.some(({ name, range, kind }) => range !== undefined && (name !== "*/*" || kind === "binary"))
  );
}

/** Prints the type of a media type's name. The type of a range such as `image/*` contains every name in the range. */
export function printContentType({ name, range }: MediaType): string {
  if (name === "*/*") return "string";
  if (!range) return printStringLiteral(name);
  return `\`${escapeTemplateText(range.prefix)}\${string}${escapeTemplateText(range.suffix)}\``;
}

/** Whether a multipart body can have files. A body without declared parts can. */
export function hasFiles({ kind, fields }: MediaType): boolean {
  return kind === "multipart" && (fields.length === 0 || fields.some(({ file }) => file));
}

/** Prints the type of the names of the files in a multipart body: a union, or `never`. */
export function printFileNames({ fields }: MediaType): string {
  const files = fields.filter(({ file }) => file).map(({ name }) => printStringLiteral(name));
  return files.length === 0 ? "never" : files.join(" | ");
}

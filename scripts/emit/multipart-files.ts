import { printStringLiteral } from "../code/encode.js";
import type { MediaType } from "../model/model.js";

/** Whether a body is multipart and can have files. Without declared parts, every part can be a file. */
export function hasFiles({ kind, fields, additionalField }: MediaType): boolean {
  const entries = additionalField ? [...fields, additionalField] : fields;
  return kind === "multipart" && (entries.length === 0 || entries.some(({ file }) => file));
}

/**
 * Prints the type of the names of the parts of a multipart body that are files: a union, or `never`. In `MultipartInput`, the
 * marker `symbol` means that undeclared parts can be files; `string` would include the names of all parts.
 */
export function printFilePartNames({ fields, additionalField }: MediaType): string {
  const files = fields.filter(({ file }) => file).map(({ name }) => printStringLiteral(name));
  if (additionalField?.file) files.push("symbol");
  return files.length === 0 ? "never" : files.join(" | ");
}

import { printStringLiteral, printTemplateType } from "../../code/encode.js";
import type { MediaType } from "../../model/model.js";

/**
 * Whether a message must name its media type: several or a range are declared. The range of all media types needs no name
 * unless it is binary, because its bodies are sent as JSON.
 */
export function needsContentType(mediaTypes: readonly MediaType[]): boolean {
  return (
    mediaTypes.length > 1 ||
    mediaTypes.some(({ name, range, kind }) => range !== undefined && (name !== "*/*" || kind === "binary"))
  );
}

/** Prints the type of the media types that a message can have: a literal, or for a range a template such as `image/${string}`. */
export function printContentType({ name, range }: MediaType): string {
  if (name === "*/*") return "string";
  return range ? printTemplateType(range) : printStringLiteral(name);
}

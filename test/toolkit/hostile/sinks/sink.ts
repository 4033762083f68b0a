import type { JsonObject } from "../../../../scripts/json.js";

/** Creates a part of a document with the text in one position. `index` distinguishes the copies in one document. */
export type Build = (text: string, index: number) => JsonObject;

/**
 * A position in a document that contains text of its author.
 *
 * `once`: whether a document can contain it only once.
 * `mayBeRefused`: texts that are invalid here, or that the toolkit does not support. They may give an error with a
 * location. Code must be generated for all other texts.
 */
export interface Sink {
  build: Build;
  once?: boolean;
  mayBeRefused?: (text: string) => boolean;
}

/** For a position where every text may be refused. */
export const always = (): boolean => true;
/** A response without content. */
export const OK: JsonObject = { description: "ok" };
export const JSON_TYPE = "application/json";

/** Creates a path for a case; `operation` is its POST. */
export function path(sink: string, index: number, operation: JsonObject): JsonObject {
  return { paths: { [`/${sink}/${index}`]: { post: { responses: { "200": OK }, ...operation } } } };
}

/** Whether a text is not a valid component name, which `$ref`s and generated names require. */
export const notAComponentName = (text: string): boolean => !/^[a-zA-Z0-9._-]+$/.test(text);
/** Whether a text is not a token (RFC 9110, section 5.6.2), which header names must be. */
export const notAToken = (text: string): boolean => !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);

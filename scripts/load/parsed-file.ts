import type { Keys } from "./locations.js";
import type { Source } from "./source.js";

/** A parsed file. */
export interface ParsedFile {
  source: Source;
  parsed: unknown;
  /** Whether every reference leads to a component of the same file, so that bundling would not change the file. */
  selfContained: boolean;
  /** Every `$ref` to a JSON pointer or a file, and every target of a discriminator. */
  references: FileReference[];
  /** Numbers above those that JavaScript represents exactly, with the keys that lead to them. */
  largeNumbers: { value: number; keys: Keys }[];
  /** Every `$ref` to the `$id` or an anchor of a schema in the same file. */
  embedded: EmbeddedReference[];
}

export interface FileReference {
  ref: string;
  /** The object that has the reference. */
  node: object;
  /** Keys that lead to the reference. */
  keys: Keys;
  /** Whether it is a target of a discriminator. */
  isMapping: boolean;
}

export interface EmbeddedReference {
  ref: string;
  node: Record<string, unknown>;
}

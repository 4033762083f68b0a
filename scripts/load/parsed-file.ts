import type { SourceText } from "./text/source-text.js";

/** A file of a document, parsed and inspected. */
export interface ParsedFile {
  source: SourceText;
  parsed: unknown;
  /** Whether bundling can change the file: not every reference leads to a component of the same file, or it has YAML aliases or an `externalValue`. */
  needsBundling: boolean;
  /** Every `$ref` to a JSON pointer or a file. */
  references: FileReference[];
  /** Every target in the mapping of a discriminator. */
  mappingTargets: ReferenceText[];
  /** Numbers above those that JavaScript represents exactly, with their JSON pointers. */
  largeNumbers: { value: number; pointer: string }[];
  /** Every schema with an `$id`, an `$anchor` or a `$dynamicAnchor`. */
  identifiedSchemas: IdentifiedSchema[];
  /** Every `$ref` to the `$id` or an anchor of a schema in the same file, and to a metaschema. */
  idReferences: FileReference[];
  /** Every `$ref` in data that is not to be followed. */
  dataReferences: FileReference[];
}

/** A text that refers to a value. */
interface ReferenceText {
  ref: string;
  /** JSON pointer of the object with the `$ref`, or of the text in a mapping. */
  pointer: string;
}

/** A `$ref`. */
export interface FileReference extends ReferenceText {
  /** The reference as the file has it. `ref` is that of the object, which Redocly can follow. */
  text: string;
  /** The object that has the reference. */
  node: object;
  /** URI against which the reference is resolved. */
  base: string;
}

/** A schema with an `$id` or an anchor (JSON Schema 2020-12 core, sections 8.2.1 and 8.2.2). */
interface IdentifiedSchema {
  /** The `$id`, or the URI of the schema resource with the anchor as its fragment. */
  uri: string;
  node: object;
  pointer: string;
}

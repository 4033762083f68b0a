import { getOwnValue } from "../json.js";
import { METASCHEMAS } from "../json-schema/generated/metaschemas.js";
import { resolveUri } from "../json-schema/uri.js";
import type { FileReference, ParsedFile } from "./parsed-file.js";

/** Returns the base URI of the references in a value: its `$id`, or the base of the value around it. */
export function resolveBase(node: unknown, outerBase: string): string {
  const id = getOwnValue(node, "$id");
  return typeof id === "string" ? resolveUri(outerBase, id).uri : outerBase;
}

/**
 * Whether a reference leads to a schema that is embedded in the same document with an `$id` or an anchor (JSON Schema
 * 2020-12, section 9.3), or to a metaschema. The model resolves it. Redocly would look for a file.
 */
export function isEmbeddedReference(
  { ref, base, isMapping }: FileReference,
  { schemaUris }: ParsedFile,
): boolean {
  // References to components refer to the OpenAPI document, even inside a schema with an `$id`.
  if (isMapping || ref.startsWith("#/components/")) return false;
  const { uri, fragment } = resolveUri(base, ref);
  if (Object.hasOwn(METASCHEMAS, uri)) return true;
  return schemaUris.has(fragment === "" || fragment.startsWith("/") ? uri : `${uri}#${fragment}`);
}

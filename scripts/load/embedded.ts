import { getOwnValue, toPointer } from "../json.js";
import { METASCHEMAS } from "../json-schema/generated/metaschemas.js";
import { DOCUMENT_URI, resolveUri } from "../json-schema/uri.js";
import { listKeys } from "./locations.js";
import type { FileReference, ParsedFile } from "./parsed-file.js";
import { isInData } from "./references.js";

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

/** JSON pointers of the schemas with an `$anchor` or `$dynamicAnchor` in a file, by the name of the anchor. */
export type AnchorPointers = ReadonlyMap<string, string>;

/**
 * Removes each `$anchor` from a file and returns its anchors, except those in schemas with an `$id`. Call this for every file
 * except the root file: bundling copies schemas of several files into one document, where two anchors could have the same
 * name. Each `$dynamicAnchor` stays, because a `$dynamicRef` needs several with the same name.
 */
export function extractAnchors({ anchors, parsed }: ParsedFile): AnchorPointers {
  const pointers = new Map<string, string>();
  const rootBase = resolveBase(parsed, DOCUMENT_URI);
  for (const { name, base, node, keys } of anchors) {
    const pointer = toPointer(listKeys(keys));
    if (base !== rootBase || isInData(pointer)) continue;
    pointers.set(name, pointer);
    Reflect.deleteProperty(node, "$anchor");
  }
  return pointers;
}

/** Splits a `$ref` to an anchor, such as `pet.yaml#dog`, into file and anchor; undefined for any other `$ref`. */
export function parseAnchorReference(ref: string): { path: string; anchor: string } | undefined {
  const [path = "", anchor = ""] = ref.split("#", 2);
  return anchor === "" || anchor.startsWith("/") ? undefined : { path, anchor };
}

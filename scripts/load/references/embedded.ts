import { METASCHEMAS } from "../../json-schema/generated/metaschemas.js";
import { DOCUMENT_URI, resolveBase, resolveUri } from "../../json-schema/uri.js";
import type { FileReference, ParsedFile } from "../parsed-file.js";
import { isInData } from "./reference-resolver.js";

/**
 * Whether a reference leads to a schema of the same file with an `$id` or an anchor (JSON Schema 2020-12, section 9.3), or to a
 * metaschema. The model resolves it. Redocly would look for a file.
 */
export function isEmbeddedReference({ ref, base }: FileReference, schemaUris: ReadonlySet<string>): boolean {
  // References to components refer to the OpenAPI document, even inside a schema with an `$id`.
  if (ref.startsWith("#/components/")) return false;
  const { schemaUri } = splitReference(base, ref);
  return Object.hasOwn(METASCHEMAS, schemaUri) || schemaUris.has(schemaUri);
}

/** Resolves a reference. Splits it into the URI of a schema with an `$id` or an anchor, and a JSON pointer in the schema. */
function splitReference(base: string, ref: string): { schemaUri: string; pointer: string } {
  const { uri, fragment } = resolveUri(base, ref);
  const isPointer = fragment === "" || fragment.startsWith("/");
  return isPointer ? { schemaUri: uri, pointer: fragment } : { schemaUri: `${uri}#${fragment}`, pointer: "" };
}

/** References to the schemas with an `$id` or an anchor in a file, as fragments with a JSON pointer, by URI. */
export type SchemaFragments = ReadonlyMap<string, string>;

/**
 * Returns the fragments of the schemas with an `$id` or an anchor in a file, and removes each `$anchor` outside of a schema with an `$id`.
 * Not for the root file. In the bundled document several anchors could have the same name, which only a `$dynamicRef` expects.
 */
export function extractIdentifiers({ identifiedSchemas, parsed }: ParsedFile): SchemaFragments {
  const fragments = new Map<string, string>();
  const rootUri = resolveBase(parsed, DOCUMENT_URI);
  for (const { uri, node, pointer } of identifiedSchemas) {
    if (isInData(pointer)) continue;
    fragments.set(uri, `#${pointer.replaceAll("%", "%25")}`);
    if (uri.startsWith(`${rootUri}#`)) Reflect.deleteProperty(node, "$anchor");
  }
  return fragments;
}

/** Finds the fragment with a JSON pointer for a reference to a schema with an `$id` or an anchor; undefined if there is none. */
export function findFragment(
  fragments: SchemaFragments | undefined,
  base: string,
  ref: string,
): string | undefined {
  const { schemaUri, pointer } = splitReference(base, ref);
  const fragment = fragments?.get(schemaUri);
  return fragment === undefined ? undefined : fragment + pointer;
}

/** Splits a `$ref` to an anchor, such as `pet.yaml#dog`, into file and anchor; undefined for any other `$ref`. */
export function parseAnchorReference(ref: string): { path: string; anchor: string } | undefined {
  const [path = "", anchor = ""] = ref.split("#", 2);
  return anchor === "" || anchor.startsWith("/") ? undefined : { path, anchor };
}

import { METASCHEMAS } from "../model/schema/generated/metaschemas.js";
import { resolveUri } from "../model/schema/uri.js";
import type { EmbeddedReference, ParsedFile } from "./parsed-file.js";
import { isObject } from "./pointer.js";

/** URI of the document itself, for relative identifiers in it. */
const DOCUMENT = "openapi.json";

/**
 * Finds the references that need no file: to schemas that are embedded in the same document with an `$id` or an anchor
 * (JSON Schema 2020-12, section 9.3), and to the metaschemas. The model resolves them; a bundler would take them for
 * files.
 */
export function findEmbeddedReferences(file: ParsedFile): EmbeddedReference[] {
  // Few documents have any, and the text tells that fast.
  if (!/\$(?:id|anchor|dynamicAnchor)\b|\/\/json-schema\.org\//.test(file.source.body)) return [];
  const targets = new Set<string>();
  const references: (EmbeddedReference & { base: string })[] = [];
  const visited = new Set<object>();

  function visit(node: unknown, outer: string): void {
    if (typeof node !== "object" || node === null || visited.has(node)) return;
    visited.add(node);
    let base = outer;
    if (isObject(node)) {
      const { $id, $ref } = node;
      if (typeof $id === "string") {
        base = resolveUri(outer, $id).uri;
        targets.add(base);
      }
      for (const anchor of [node["$anchor"], node["$dynamicAnchor"]]) {
        if (typeof anchor === "string") targets.add(`${base}#${anchor}`);
      }
      if (typeof $ref === "string") references.push({ node, ref: $ref, base });
    }
    for (const value of Object.values(node)) visit(value, base);
  }

  visit(file.parsed, DOCUMENT);
  return references.filter(({ ref, base }) => {
    // OpenAPI's own references mean the document, whatever `$id` the schema around them has.
    if (ref.startsWith("#/components/")) return false;
    const { uri, fragment } = resolveUri(base, ref);
    if (Object.hasOwn(METASCHEMAS, uri)) return true;
    if (fragment !== "" && !fragment.startsWith("/")) return targets.has(`${uri}#${fragment}`);
    return targets.has(uri);
  });
}

/** Runs a step that must not see these references, and puts them back. */
export async function withoutReferences<T>(
  references: readonly EmbeddedReference[],
  step: () => Promise<T>,
): Promise<T> {
  // Null keeps the key in its position.
  for (const { node } of references) node["$ref"] = null;
  try {
    return await step();
  } finally {
    for (const { node, ref } of references) node["$ref"] = ref;
  }
}

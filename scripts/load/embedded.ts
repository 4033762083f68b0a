import { DOCUMENT_URI } from "../model/context.js";
import { METASCHEMAS } from "../model/schema/generated/metaschemas.js";
import { resolveUri } from "../model/schema/uri.js";
import { isObject } from "../json.js";
import type { EmbeddedReference, ParsedFile } from "./parsed-file.js";

/**
 * Finds references to schemas that are embedded in the same document with an `$id` or an anchor (JSON Schema 2020-12,
 * section 9.3), and references to metaschemas. The model resolves them. Redocly would look for files.
 */
export function findEmbeddedReferences(file: ParsedFile): EmbeddedReference[] {
  // Fast path: few documents have such references.
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

  visit(file.parsed, DOCUMENT_URI);
  return references.filter(({ ref, base }) => {
    // References to components refer to the OpenAPI document, even inside a schema with an `$id`.
    if (ref.startsWith("#/components/")) return false;
    const { uri, fragment } = resolveUri(base, ref);
    if (Object.hasOwn(METASCHEMAS, uri)) return true;
    if (fragment !== "" && !fragment.startsWith("/")) return targets.has(`${uri}#${fragment}`);
    return targets.has(uri);
  });
}

/** Runs a step while the references are removed from the document, and restores them afterwards. */
export async function runWithoutReferences<T>(
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

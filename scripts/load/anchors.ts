import { toPointer } from "../json.js";
import { DOCUMENT_URI } from "../json-schema/uri.js";
import { resolveBase } from "./embedded.js";
import { listKeys } from "./locations.js";
import type { ParsedFile } from "./parsed-file.js";
import { isInData } from "./references.js";

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

import { isObject, toPointer } from "../json.js";
import type { ParsedFile } from "./parsed-file.js";
import { isInData } from "./references.js";

/** JSON pointers of the schemas with an `$anchor` or `$dynamicAnchor` in a file, by the name of the anchor. */
export type AnchorPointers = ReadonlyMap<string, string>;

/**
 * Finds the anchors of a file other than the root file, and removes each `$anchor`: bundling copies schemas of several
 * files into one document, in which two anchors could have the same name.
 */
export function takeAnchors({ source, parsed }: ParsedFile): AnchorPointers {
  const pointers = new Map<string, string>();
  // Fast path: few files have anchors.
  if (!/\$(?:anchor|dynamicAnchor)\b/.test(source.body)) return pointers;

  function visit(node: unknown, keys: readonly string[]): void {
    if (typeof node !== "object" || node === null) return;
    if (isObject(node)) {
      // A schema with an `$id` has anchors of its own (JSON Schema 2020-12 core, section 8.2.2).
      if (keys.length > 0 && typeof node["$id"] === "string") return;
      const { $anchor, $dynamicAnchor } = node;
      const pointer = toPointer(keys);
      if (isInData(pointer)) return;
      for (const name of [$anchor, $dynamicAnchor]) if (typeof name === "string") pointers.set(name, pointer);
      if (typeof $anchor === "string") delete node["$anchor"];
    }
    for (const [key, value] of Object.entries(node)) visit(value, [...keys, key]);
  }

  visit(parsed, []);
  return pointers;
}

/** Splits a `$ref` to an anchor, such as `pet.yaml#dog`, into file and anchor; undefined for any other `$ref`. */
export function parseAnchorReference(ref: string): { path: string; anchor: string } | undefined {
  const [path = "", anchor = ""] = ref.split("#", 2);
  return anchor === "" || anchor.startsWith("/") ? undefined : { path, anchor };
}

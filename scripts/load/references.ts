import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { decodePercent, isObject, unescapePointer, getOwnValue, parsePointer, toPointer } from "../json.js";
import { getOrCreate } from "../maps.js";
import type { ParsedFile } from "./parsed-file.js";
import { MAX_REFERENCE_HOPS } from "../follow-pointer.js";
import { MAX_NESTING, MAX_PROBLEMS } from "./limits.js";
import type { Locations } from "./locations.js";
import { getKindAt } from "../json-schema/keywords.js";

/**
 * Whether a reference is a URL of any scheme or a network path (`//host`, `\\host`), not a path of a file. A single letter before
 * the colon is a Windows drive.
 */
export function isUrl(ref: string): boolean {
  return /^([a-z][a-z0-9+.-]+:|\/\/|\\\\)/i.test(ref);
}

/** Whether a pointer leads into the value of an example, a default, an enum or an extension, where `$ref` is only data. */
export function isInData(pointer: string): boolean {
  return getKindAt(parsePointer(pointer)) === "data";
}

/**
 * Finds each `$ref` that is circular or passes through too many others before it reaches a value.
 *
 * @param files with the objects that have a `$ref`
 * @param filesByPath files that references can lead to, by absolute path
 */
export function findReferenceCycles(
  files: Iterable<FileWithReferences>,
  filesByPath: ReadonlyMap<string, ParsedFile>,
  locations: Locations,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  /** Members of the reported cycles. */
  const reported = new Set<object>();
  for (const file of files) {
    const paths = new Map<string, ReferencePath>();
    for (const { node } of file.references) {
      // Bundling may have changed the reference.
      const ref = getOwnValue(node, "$ref");
      if (typeof ref !== "string") continue;
      if (diagnostics.length >= MAX_PROBLEMS) return diagnostics;
      const { chain, isTooLong } = getOrCreate(paths, ref, () => followReference(ref, file, filesByPath));
      const isCycle = new Set(chain).size < chain.length;
      // A reference that leads into a cycle from outside is correct.
      if (isTooLong && !reported.has(node) && (!isCycle || chain.includes(node))) {
        for (const member of chain) reported.add(member);
        diagnostics.push({
          severity: "error",
          message: `The $ref "${ref}" leads back to itself or through more than ${MAX_REFERENCE_HOPS} others. Point it at the value.`,
          position: locations.locate(node, "/$ref", "value"),
        });
      }
    }
  }
  return diagnostics;
}

type FileText = Pick<ParsedFile, "source" | "parsed">;

/** A file, and the objects in it that have a `$ref`. */
interface FileWithReferences extends FileText {
  references: Iterable<{ node: object }>;
}

/** The path that a reference takes. */
interface ReferencePath {
  /** The objects with the references on it, from the first one. */
  chain: object[];
  /** Whether it was not followed to its end, because it is circular or very long. */
  isTooLong: boolean;
  /** Absolute path of a file and JSON pointer of the first value that is missing in it; undefined if the reference leads to a value. */
  missing: string | undefined;
}

/** Follows a `$ref` as Redocly's resolver does: to a value, a missing target or an unknown file, or through too many others. */
export function followReference(
  ref: string,
  from: FileText,
  filesByPath: ReadonlyMap<string, ParsedFile>,
): ReferencePath {
  const chain: object[] = [];
  let file = from;
  let node: unknown = { $ref: ref };
  let followedKeys: string[] = [];
  /** The keys that remain to be followed, the next one last. */
  let keys: string[] = [];
  for (;;) {
    const next = getOwnValue(node, "$ref");
    const key = keys.at(-1);
    if (key !== undefined && getOwnValue(node, key) !== undefined) {
      node = getOwnValue(node, key);
      followedKeys.push(key);
      keys.pop();
    } else if (isObject(node) && typeof next === "string") {
      chain.push(node);
      const [uri = "", pointer = ""] = next.split("#/");
      const relativePath = uri.replace(/#$/, "");
      const folder = path.dirname(file.source.absoluteRef);
      const target = relativePath === "" ? file : filesByPath.get(path.resolve(folder, relativePath));
      const isTooLong = chain.length > MAX_REFERENCE_HOPS || keys.length > MAX_NESTING;
      if (isTooLong || !target) return { chain, isTooLong, missing: undefined };
      file = target;
      node = target.parsed;
      followedKeys = [];
      // Without a limit, a circular reference with a long pointer would add its keys each time. More keys lead to no value.
      const pointerKeys = pointer
        .split("/")
        .filter(Boolean)
        .slice(0, 2 * MAX_NESTING)
        .map(decodeKey);
      keys = [...keys, ...pointerKeys.reverse()];
    } else {
      const missing = key === undefined ? undefined : formatLocation(file, toPointer([...followedKeys, key]));
      return { chain, isTooLong: false, missing };
    }
  }
}

/** Formats a location, such as `/folder/openapi.yaml#/components/schemas/Pet`. */
export function formatLocation({ source }: FileText, pointer: string): string {
  return `${source.absoluteRef}#${pointer}`;
}

function decodeKey(step: string): string {
  return decodePercent(unescapePointer(step));
}

/**
 * Whether a reference leads to an inherited member of a JavaScript object. Redocly does not check for own members, so
 * `#/components/schemas/constructor` would find a function if no schema has that name.
 */
export function leadsToPrototype(ref: string, root: unknown): boolean {
  if (/(^|\/)(__proto__|constructor\/prototype)(\/|$)/.test(decodePercent(ref))) return true;
  if (!ref.startsWith("#/")) return false;
  let node = root;
  for (const key of ref.slice(2).split("/").map(decodeKey)) {
    if (!isObject(node)) return false;
    if (!Object.hasOwn(node, key)) return key in node;
    node = node[key];
  }
  return false;
}

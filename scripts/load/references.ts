import path from "node:path";
import { compareDiagnostics, type Diagnostic } from "../diagnostic.js";
import {
  decodePercent,
  isObject,
  unescapePointer,
  getOwnValue,
  parsePointer,
  toPointer,
  findValue,
} from "../json.js";
import { groupBy } from "../maps.js";
import type { ParsedFile } from "./parsed-file.js";
import { MAX_PROBLEMS, MAX_REF_HOPS } from "./limits.js";
import { type Locations, locateInFile, listKeys } from "./locations.js";
import { suggestName } from "../text.js";
import { DATA_KEYWORDS, getSubschemaShape, OPENAPI_MAPS } from "../model/schema/keywords.js";

/**
 * Finds references to components that do not exist, in a file that refers only to itself. References through the same missing
 * object, such as a misspelt `components`, are one problem.
 */
export function findUnresolvedReferences(file: ParsedFile): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const causes = new Map<Diagnostic, string>();
  for (const { ref, keys, isMapping } of file.references) {
    if (diagnostics.length >= MAX_PROBLEMS) break;
    // The mapping of a discriminator may have the plain name of a schema.
    const isName = isMapping && !ref.startsWith("#");
    const target = isName ? `/components/schemas/${ref}` : decodePercent(ref.slice(1));
    if (findValue(file.parsed, target) !== undefined) continue;
    const list = listKeys(keys);
    const pointer = toPointer(list.at(-1) === "$ref" ? list.slice(0, -1) : list);
    if (isInData(pointer)) continue;
    const diagnostic: Diagnostic = {
      severity: isName || isOptionalReference(pointer) ? "warning" : "error",
      message: formatUnresolvedMessage(ref, suggestPointer(file.parsed, target)),
      position: locateInFile(file.source, pointer, "value"),
    };
    const path = parsePointer(target);
    const missing = path.slice(0, findMissingKey(file.parsed, path) + 1);
    causes.set(diagnostic, missing.length < path.length ? toPointer(missing) : String(causes.size));
    diagnostics.push(diagnostic);
  }
  return keepOnePerCause(diagnostics, (diagnostic) => causes.get(diagnostic) ?? "");
}

/** Merges the problems of references with the same cause. The first one names the number of the others. */
function keepOnePerCause(
  diagnostics: readonly Diagnostic[],
  getCause: (diagnostic: Diagnostic) => string,
): Diagnostic[] {
  return [...groupBy([...diagnostics].sort(compareDiagnostics), getCause).values()].flatMap(
    ([first, ...others]) => (first ? countOtherReferences(first, others.length) : []),
  );
}

/** Adds to the diagnostic of a reference the number of other references that have the same cause. */
export function countOtherReferences(diagnostic: Diagnostic, others: number): Diagnostic {
  if (others === 0) return diagnostic;
  const count = others === 1 ? "another reference" : `${others} other references`;
  return { ...diagnostic, message: `${diagnostic.message} The same is true of ${count}.` };
}

/** Whether a pointer leads into the value of an example, a default, an enum or an extension, where `$ref` is only data. */
export function isInData(pointer: string): boolean {
  const keys = parsePointer(pointer);
  return keys.some((key, index) => {
    // A property can have the name of a map, such as `headers`.
    if (isMap(keys[index - 1] ?? "") && keys[index - 2] !== "properties") return false;
    // A map of Example Objects, which have a `value`, or the list of values of a schema.
    if (key === "examples")
      return keys.includes("value", index + 2) || /^[0-9]+$/.test(keys[index + 1] ?? "");
    return DATA_KEYWORDS.has(key) || key.startsWith("x-");
  });
}

/** Whether generated code does not need the target of a reference: an example of a parameter or of a media type. */
export function isOptionalReference(pointer: string): boolean {
  const keys = parsePointer(pointer);
  const owner = keys.at(-3) ?? "";
  return keys.at(-2) === "examples" && owner !== "components" && !isMap(owner);
}

/** Whether the author of the document chooses the keys of the object under a key. */
function isMap(key: string): boolean {
  return OPENAPI_MAPS.has(key) || getSubschemaShape(key) === "map";
}

/**
 * Formats the message for a reference without a target.
 *
 * @param suggestion the JSON pointer that was probably meant
 */
export function formatUnresolvedMessage(ref: unknown, suggestion?: string): string {
  const quoted = typeof ref === "string" ? ` ${JSON.stringify(ref)}` : "";
  const remedy =
    suggestion === undefined
      ? "Correct it or add what it names."
      : `Did you mean ${JSON.stringify(`#${suggestion}`)}?`;
  return `Can't resolve $ref${quoted}: nothing is there. ${remedy}`;
}

/**
 * Returns the pointer with its first key that does not exist replaced by a similar one, if that leads to a value; otherwise
 * the pointer of a component with the same name, as in `#/definitions/Pet` of Swagger 2.0.
 */
export function suggestPointer(root: unknown, pointer: string): string | undefined {
  const keys = parsePointer(pointer);
  const components = getOwnValue(root, "components");
  // Without components, their misspelt key is reported.
  if (keys[0] === "components" && components === undefined) return undefined;
  return suggestSimilarPointer(root, keys) ?? findComponentPointer(components, keys.at(-1) ?? "");
}

function findComponentPointer(components: unknown, name: string): string | undefined {
  const sections = isObject(components) ? Object.entries(components) : [];
  const section = sections.find(([, members]) => getOwnValue(members, name) !== undefined)?.[0];
  return section === undefined ? undefined : toPointer(["components", section, name]);
}

/** Returns the index of the first key that does not exist. */
function findMissingKey(root: unknown, keys: readonly string[]): number {
  return keys.findIndex((_, index) => findValue(root, toPointer(keys.slice(0, index + 1))) === undefined);
}

function suggestSimilarPointer(root: unknown, keys: readonly string[]): string | undefined {
  const index = findMissingKey(root, keys);
  const siblings = findValue(root, toPointer(keys.slice(0, index)));
  const names = isObject(siblings) ? Object.keys(siblings) : [];
  const similar = suggestName(keys[index] ?? "", names);
  if (similar === undefined) return undefined;
  const suggestion = toPointer(keys.with(index, similar));
  return findValue(root, suggestion) === undefined ? undefined : suggestion;
}

/**
 * Finds each `$ref` that is circular or passes through too many others before it reaches a value.
 *
 * @param files files whose references are checked
 * @param filesByPath files that references can lead to, by absolute path
 */
export function findReferenceCycles(
  files: readonly ParsedFile[],
  filesByPath: ReadonlyMap<string, ParsedFile>,
  locations: Locations,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  /** Members of the reported cycles. */
  const reported = new Set<object>();
  for (const file of files) {
    const chains = new Map<string, object[] | undefined>();
    for (const { node, isMapping } of file.references) {
      // Bundling may have changed the reference.
      const ref = getOwnValue(node, "$ref");
      if (isMapping || typeof ref !== "string") continue;
      if (diagnostics.length >= MAX_PROBLEMS) return diagnostics;
      const chain = chains.has(ref) ? chains.get(ref) : findEndlessChain(ref, file, filesByPath);
      chains.set(ref, chain);
      const isCycle = chain && new Set(chain).size < chain.length;
      // A reference that leads into a cycle from outside is correct.
      if (chain && !reported.has(node) && (!isCycle || chain.includes(node))) {
        for (const member of chain) reported.add(member);
        diagnostics.push({
          severity: "error",
          message: `The $ref "${ref}" leads back to itself or through more than ${MAX_REF_HOPS} others. Point it at the value.`,
          position: locations.locate(node, ""),
        });
      }
    }
  }
  return diagnostics;
}

/**
 * Follows a `$ref` as Redocly's resolver does, and returns the objects with the references after it if there are too many.
 * Returns undefined if the chain ends in a value, at a missing target or in another file.
 */
function findEndlessChain(
  ref: string,
  from: ParsedFile,
  filesByPath: ReadonlyMap<string, ParsedFile>,
): object[] | undefined {
  const chain: object[] = [];
  let file = from;
  let node: unknown = { $ref: ref };
  let keys: string[] = [];
  for (;;) {
    const next = getOwnValue(node, "$ref");
    const key = keys[0];
    if (key !== undefined && getOwnValue(node, key) !== undefined) {
      node = getOwnValue(node, key);
      keys = keys.slice(1);
    } else if (isObject(node) && typeof next === "string") {
      chain.push(node);
      if (chain.length > MAX_REF_HOPS) return chain;
      const [uri = "", pointer = ""] = next.split("#/");
      const target = findFile(uri.replace(/#$/, ""), file, filesByPath);
      if (!target) return undefined;
      file = target;
      node = target.parsed;
      keys = [...pointer.split("/").filter(Boolean).map(decodeKey), ...keys];
    } else {
      return undefined;
    }
  }
}

function findFile(
  uri: string,
  from: ParsedFile,
  filesByPath: ReadonlyMap<string, ParsedFile>,
): ParsedFile | undefined {
  return uri === "" ? from : filesByPath.get(path.resolve(path.dirname(from.source.absoluteRef), uri));
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

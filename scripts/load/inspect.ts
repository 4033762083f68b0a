import { existsSync } from "node:fs";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { isEmbeddedReference, resolveBase } from "./embedded.js";
import { MAX_REFERENCE_HOPS } from "../follow-pointer.js";
import { getKindAt } from "../json-schema/keywords.js";
import { DOCUMENT_URI, resolveUri } from "../json-schema/uri.js";
import { MAX_ALIASED_NODES, MAX_KEYS, MAX_NESTING, MAX_SCHEMA_URI_LENGTH } from "./limits.js";
import { type LocationPath, type Locations, locateInFile, listKeys } from "./locations.js";
import { decodePercent, getOwnValue, toPointer } from "../json.js";
import type { FileReference, ParsedFile } from "./parsed-file.js";
import { findReferenceCycles, followReference, isInData, isUrl, leadsToPrototype } from "./references.js";
import type { SourceText } from "./source-text.js";

/**
 * Registers the location of every object and list of a parsed file, and collects its references. Refuses values that would
 * make later passes loop, overflow the stack or access JavaScript prototypes.
 *
 * @throws DiagnosticError with the first of such values, because one problem often repeats in every ancestor
 */
export function inspectFile(source: SourceText, parsed: unknown, locations: Locations): ParsedFile {
  const file: ParsedFile = {
    source,
    parsed,
    needsBundling: false,
    references: [],
    largeNumbers: [],
    identifiedSchemas: [],
    idReferences: [],
    dataReferences: [],
  };
  inspectValues(file, locations);
  const schemaUris = new Set(file.identifiedSchemas.map(({ uri }) => uri));
  const [dataReferences, references] = partition(file.references, (each) => isOnlyData(each, file));
  for (const reference of references) refusePrototype(reference, file);
  file.dataReferences = dataReferences;
  [file.idReferences, file.references] = partition(references, (each) =>
    isEmbeddedReference(each, schemaUris),
  );
  for (const reference of file.references) inspectReference(reference, file);
  const cycles = findReferenceCycles([file], new Map([[source.absoluteRef, file]]), locations);
  if (cycles.length > 0) throw new DiagnosticError(cycles);
  return file;
}

/** The number of nodes in a value, and its levels of nesting. */
interface Extent {
  size: number;
  height: number;
}

const TOO_DEEP = `Nested deeper than ${MAX_NESTING} levels. Move the inner parts to components and use $ref.`;

const LONG_SCHEMA_URI = `The URI of this $id has more than ${MAX_SCHEMA_URI_LENGTH} characters. Shorten it.`;

/** Marks a value whose members are being visited. A value that is found in this state contains itself. */
const IN_PROGRESS: Extent = { size: 0, height: 0 };

/** Visits the values of a file. Adds references, anchors and large numbers to the file. */
function inspectValues(file: ParsedFile, locations: Locations): void {
  const { source, parsed } = file;
  const createError = (keys: LocationPath | undefined, message: string): DiagnosticError =>
    createInspectionError(source, keys, message);
  /** Extents by value. YAML aliases are shared values. */
  const extents = new Map<object, Extent>();

  function visit(node: object, keys: LocationPath | undefined, depth: number, outerBase: string): Extent {
    const known = extents.get(node);
    if (known === IN_PROGRESS)
      throw createError(keys, "An alias contains itself. Write the value out, or use a $ref.");
    if (depth + (known?.height ?? 0) > MAX_NESTING) throw createError(keys, TOO_DEEP);
    if (known) {
      // Its references are recorded at its anchor only, which can be an example. Redocly checks each location.
      file.needsBundling = true;
      return known;
    }
    extents.set(node, IN_PROGRESS);
    locations.register(node, source, keys);
    const names = Object.keys(node);
    if (names.length > MAX_KEYS && !Array.isArray(node)) throw createManyKeysError(source, keys);
    const base = resolveBase(node, outerBase);
    if (base.length > MAX_SCHEMA_URI_LENGTH) throw createError({ key: "$id", up: keys }, LONG_SCHEMA_URI);
    if (base !== outerBase) file.identifiedSchemas.push({ uri: base, node, keys });
    const extent: Extent = { size: 1, height: 0 };
    for (const key of names) {
      const value: unknown = Reflect.get(node, key);
      if (typeof value === "string") visitText(value, node, key, keys, base);
      if (typeof value === "number" && !Number.isFinite(value))
        throw createError(
          { key, up: keys },
          `${value} is not a JSON number. Write a finite number, or remove it.`,
        );
      if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
        file.largeNumbers.push({ value, keys: { key, up: keys } });
      if (typeof value !== "object" || value === null) continue;
      const memberKeys = { key, up: keys };
      if (!isJsonContainer(value))
        throw createError(
          memberKeys,
          "This value is not a JSON value. Write it as text, a list or an object.",
        );
      const child = visit(value, memberKeys, depth + 1, base);
      extent.size += child.size;
      extent.height = Math.max(extent.height, child.height + 1);
    }
    extents.set(node, extent);
    if (extent.size <= extents.size + MAX_ALIASED_NODES) return extent;
    const problem = `YAML aliases make this stand for ${extent.size} nodes.`;
    throw createError(keys, `${problem} Use $ref instead of aliases.`);
  }

  function visitText(
    text: string,
    node: object,
    key: string,
    up: LocationPath | undefined,
    base: string,
  ): void {
    if (key === "$anchor" || key === "$dynamicAnchor")
      file.identifiedSchemas.push({ uri: `${base}#${text}`, node, keys: up });
    const isMapping =
      (key === "defaultMapping" && up?.key === "discriminator") ||
      (up?.key === "mapping" && up.up?.key === "discriminator");
    if (key === "externalValue") file.needsBundling = true;
    if (key !== "$ref" && !isMapping) return;
    const keys = { key, up };
    const ref = toFragment(text, base, parsed) ?? decodePath(text, source.absoluteRef);
    if (ref !== text) Reflect.set(node, key, ref);
    file.references.push({ ref, node, base, keys, isMapping });
  }

  if (typeof parsed === "object" && parsed !== null) visit(parsed, undefined, 1, DOCUMENT_URI);
}

/** Returns the fragment of a reference to the URI that a document declares as its `$self`; undefined for another reference. */
function toFragment(ref: string, base: string, document: unknown): string | undefined {
  const self = getOwnValue(document, "$self");
  if (typeof self !== "string" || ref.startsWith("#")) return undefined;
  const target = resolveUri(base === DOCUMENT_URI ? self : base, ref);
  return target.uri === resolveUri(self, "").uri ? `#${target.fragment}` : undefined;
}

/** Decodes the percent-encoded path of a file in a reference (RFC 3986), which Redocly does not. A file can have such a name itself. */
function decodePath(ref: string, from: string): string {
  const [file = ""] = ref.split("#", 1);
  const isEncoded = file.includes("%") && !isUrl(file) && !existsSync(path.resolve(path.dirname(from), file));
  return isEncoded ? `${decodePercent(file)}${ref.slice(file.length)}` : ref;
}

/**
 * Whether a `$ref` in data of the document is not to be followed. Redocly includes the target of an `example` and of an extension,
 * which is useful for a file or other data. Any other target in the document could contain the `$ref`.
 */
function isOnlyData({ ref, keys }: FileReference, file: ParsedFile): boolean {
  const { source, parsed } = file;
  // Only in the document itself, the keys tell for certain that a value is data.
  if (getOwnValue(parsed, "openapi") === undefined || getKindAt(listKeys(keys.up)) !== "data") return false;
  if (ref === "" || leadsToPrototype(ref, parsed)) return true;
  if (!ref.startsWith("#")) return false;
  const { chain } = followReference(ref, file, new Map([[source.absoluteRef, file]]));
  return chain.length > MAX_REFERENCE_HOPS || !isInData(decodePercent(ref.slice(1)));
}

function partition<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): [passing: Item[], others: Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function refusePrototype({ ref, keys, isMapping }: FileReference, { source, parsed }: ParsedFile): void {
  if (isMapping || !leadsToPrototype(ref, parsed)) return;
  const message =
    "This $ref contains `__proto__`, or the name of a member that every JavaScript object has. Refer to a declared component.";
  throw createInspectionError(source, keys, message);
}

/** Refuses malformed references. Records whether the file refers to anything but its own components. */
function inspectReference({ ref, keys, isMapping }: FileReference, file: ParsedFile): void {
  const { source, parsed } = file;
  const target = isMapping && !/[#./]/.test(ref) ? `#/components/schemas/${ref}` : ref;
  if (!/^#\/components\/[^/]+\/[^/]+$/.test(target)) file.needsBundling = true;
  if ((/^#\/?$/.test(ref) || (ref === "" && !isMapping)) && getOwnValue(parsed, "openapi") !== undefined)
    throw createInspectionError(source, keys, "This $ref names the whole document. Point it at a component.");
  // Redocly would look for a file of that name.
  if (/^#[^/]+\//.test(target))
    throw createInspectionError(
      source,
      keys,
      `This $ref needs a slash after the #. Write "#/${ref.slice(1)}".`,
    );
}

function createInspectionError(
  source: SourceText,
  keys: LocationPath | undefined,
  message: string,
): DiagnosticError {
  const position = locateInFile(source, toPointer(listKeys(keys)));
  return new DiagnosticError(message, position);
}

/** Creates the error for an object with too many keys. Omits its line: finding it would take the time that the limit saves. */
function createManyKeysError(source: SourceText, keys: LocationPath | undefined): DiagnosticError {
  const message = `More than ${MAX_KEYS} entries in one object. Split the API into several documents.`;
  const position = { file: source.absoluteRef, line: 1, col: 1, pointer: toPointer(listKeys(keys)) };
  return new DiagnosticError(message, position);
}

/** Whether an object is one of JSON. YAML has tags for others, such as binary values and sets. */
function isJsonContainer(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

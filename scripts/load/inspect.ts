import { existsSync } from "node:fs";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { isEmbeddedReference, resolveBase } from "./references/embedded.js";
import { DOCUMENT_URI, resolveUri } from "../json-schema/uri.js";
import { MAX_ALIASED_NODES, MAX_KEYS, MAX_NESTING, MAX_SCHEMA_URI_LENGTH, takeProblems } from "./limits.js";
import { type Locations, locateInFile } from "./locations.js";
import { decodePercent, escapePointer, getOwnValue } from "../json.js";
import type { FileReference, ParsedFile } from "./parsed-file.js";
import {
  findReferenceCycles,
  isInData,
  isUrl,
  leadsToPrototype,
  ReferenceResolver,
} from "./references/reference-resolver.js";
import type { SourceText } from "./text/source-text.js";

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
    mappingTargets: [],
    largeNumbers: [],
    identifiedSchemas: [],
    idReferences: [],
    dataReferences: [],
  };
  const references = inspectValues(file, locations);
  const schemaUris = new Set(file.identifiedSchemas.map(({ uri }) => uri));
  const files = new Map([[source.absoluteRef, file]]);
  const resolver = new ReferenceResolver(files);
  for (const reference of references) {
    const { ref, pointer } = reference;
    if (isCertainlyData(pointer, parsed) && isIgnoredInData(ref, file, resolver)) {
      file.dataReferences.push(reference);
      continue;
    }
    if (leadsToPrototype(ref, parsed))
      throw createInspectionError(source, `${pointer}/$ref`, LEADS_TO_PROTOTYPE);
    if (isEmbeddedReference(reference, schemaUris)) {
      file.idReferences.push(reference);
      continue;
    }
    inspectTarget(ref, `${pointer}/$ref`, file);
    file.references.push(reference);
  }
  for (const { ref, pointer } of file.mappingTargets) inspectTarget(ref, pointer, file);
  const cycles = takeProblems(findReferenceCycles([file], files, locations));
  if (cycles.length > 0) throw new DiagnosticError(cycles);
  return file;
}

const LEADS_TO_PROTOTYPE =
  "This $ref contains `__proto__`, or the name of a member that every JavaScript object has. Refer to a declared component.";

/** The number of nodes in a value, and its levels of nesting. */
interface Extent {
  size: number;
  height: number;
}

const TOO_MANY_KEYS = `More than ${MAX_KEYS} entries in one object. Split the API into several documents.`;

const TOO_DEEP = `Nested deeper than ${MAX_NESTING} levels. Move the inner parts to components and use $ref.`;

/** Marks a value whose members are being visited. A value that is found in this state contains itself. */
const IN_PROGRESS: Extent = { size: 0, height: 0 };

/** Visits the values of a file, and returns its references. Adds what other checks need to the file, such as large numbers. */
function inspectValues(file: ParsedFile, locations: Locations): FileReference[] {
  const { source, parsed } = file;
  const references: FileReference[] = [];
  const createError = (pointer: string, message: string): DiagnosticError =>
    createInspectionError(source, pointer, message);
  const limitUri = (uri: string, key: string, owner: string): void => {
    if (uri.length <= MAX_SCHEMA_URI_LENGTH) return;
    const problem = `The URI of this ${key} has more than ${MAX_SCHEMA_URI_LENGTH} characters.`;
    throw createError(`${owner}/${key}`, `${problem} Shorten it.`);
  };
  const declaredSelf = getOwnValue(parsed, "$self");
  const self = typeof declaredSelf === "string" ? declaredSelf : "";
  limitUri(self, "$self", "");
  const selfUri = resolveUri(self, "").uri;
  /** Extents by value. YAML aliases are shared values. */
  const extents = new Map<object, Extent>();

  function visit(node: object, pointer: string, depth: number, outerBase: string): Extent {
    const known = extents.get(node);
    if (known === IN_PROGRESS)
      throw createError(pointer, "An alias contains itself. Write the value out, or use a $ref.");
    if (depth + (known?.height ?? 0) > MAX_NESTING) throw createError(pointer, TOO_DEEP);
    if (known) {
      // Its references are recorded at its anchor only, which can be an example. Redocly checks each location.
      file.needsBundling = true;
      return known;
    }
    extents.set(node, IN_PROGRESS);
    locations.register(node, source, pointer);
    const names = Object.keys(node);
    if (names.length > MAX_KEYS && !Array.isArray(node)) throw createError(pointer, TOO_MANY_KEYS);
    const base = resolveBase(node, outerBase);
    limitUri(base, "$id", pointer);
    if (base !== outerBase) file.identifiedSchemas.push({ uri: base, node, pointer });
    const extent: Extent = { size: 1, height: 0 };
    for (const key of names) {
      const value: unknown = Reflect.get(node, key);
      if (typeof value === "string") visitText(value, key, node, pointer, base);
      const memberPointer = `${pointer}/${escapePointer(key)}`;
      if (typeof value === "number") visitNumber(value, memberPointer);
      if (typeof value !== "object" || value === null) continue;
      if (!isJsonContainer(value))
        throw createError(
          memberPointer,
          "This value is not a JSON value. Write it as text, a list or an object.",
        );
      const child = visit(value, memberPointer, depth + 1, base);
      extent.size += child.size;
      extent.height = Math.max(extent.height, child.height + 1);
    }
    extents.set(node, extent);
    if (extent.size <= extents.size + MAX_ALIASED_NODES) return extent;
    const problem = `YAML aliases make this stand for ${extent.size} nodes.`;
    throw createError(pointer, `${problem} Use $ref instead of aliases.`);
  }

  function visitNumber(value: number, pointer: string): void {
    if (!Number.isFinite(value))
      throw createError(pointer, `${value} is not a JSON number. Write a finite number, or remove it.`);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) file.largeNumbers.push({ value, pointer });
  }

  function visitText(text: string, key: string, node: object, pointer: string, base: string): void {
    if (key === "$anchor" || key === "$dynamicAnchor")
      file.identifiedSchemas.push({ uri: `${base}#${text}`, node, pointer });
    const isMapping = pointer.endsWith("/discriminator/mapping");
    if (key === "externalValue") file.needsBundling = true;
    if (key !== "$ref" && !isMapping) return;
    const ref = toFragment(text, base) ?? decodePath(text, source.absoluteRef);
    if (ref !== text) Reflect.set(node, key, ref);
    if (!isMapping) references.push({ ref, node, base, pointer });
    else if (!isCertainlyData(pointer, parsed)) {
      // The plain name of a schema is a target too.
      const target = /[#./]/.test(ref) ? ref : `#/components/schemas/${ref}`;
      file.mappingTargets.push({ ref: target, pointer: `${pointer}/${escapePointer(key)}` });
    }
  }

  /** Returns the fragment of a reference to the URI in `$self` of the document; undefined for another reference. */
  function toFragment(ref: string, base: string): string | undefined {
    if (self === "" || ref.startsWith("#")) return undefined;
    const { uri, fragment } = resolveUri(base === DOCUMENT_URI ? self : base, ref);
    return uri === selfUri ? `#${fragment}` : undefined;
  }

  if (typeof parsed === "object" && parsed !== null) visit(parsed, "", 1, DOCUMENT_URI);
  return references;
}

/** Decodes the percent-encoded path of a file in a reference (RFC 3986), which Redocly does not. A file can have such a name itself. */
function decodePath(ref: string, from: string): string {
  const [file = ""] = ref.split("#", 1);
  const isEncoded = file.includes("%") && !isUrl(file) && !existsSync(path.resolve(path.dirname(from), file));
  return isEncoded ? `${decodePercent(file)}${ref.slice(file.length)}` : ref;
}

/** Whether an object is certain to be in data. In files that the document refers to, its pointer does not show that. */
function isCertainlyData(pointer: string, root: unknown): boolean {
  return getOwnValue(root, "openapi") !== undefined && isInData(pointer);
}

/**
 * Whether a `$ref` in data is not to be followed. Redocly includes the target of an `example` and of an extension, which is
 * useful for a file or other data. Any other target in the document could contain the `$ref`.
 */
function isIgnoredInData(ref: string, file: ParsedFile, resolver: ReferenceResolver): boolean {
  if (ref === "" || leadsToPrototype(ref, file.parsed)) return true;
  if (!ref.startsWith("#")) return false;
  return resolver.follow(ref, file).tooLongPath !== undefined || !isInData(decodePercent(ref.slice(1)));
}

/** Refuses malformed references. Records whether the file refers to anything but its own components. */
function inspectTarget(ref: string, pointer: string, file: ParsedFile): void {
  const { source, parsed } = file;
  if (!/^#\/components\/[^/]+\/[^/]+$/.test(ref)) file.needsBundling = true;
  if (/^(?:#\/?)?$/.test(ref) && getOwnValue(parsed, "openapi") !== undefined)
    throw createInspectionError(
      source,
      pointer,
      "This $ref names the whole document. Point it at a component.",
    );
  // Redocly would look for a file of that name.
  if (/^#[^/]+\//.test(ref))
    throw createInspectionError(
      source,
      pointer,
      `This $ref needs a slash after the #. Write "#/${ref.slice(1)}".`,
    );
}

function createInspectionError(source: SourceText, pointer: string, message: string): DiagnosticError {
  return new DiagnosticError(message, locateInFile(source, pointer));
}

/** Whether an object is one of JSON. YAML has tags for others, such as binary values and sets. */
function isJsonContainer(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

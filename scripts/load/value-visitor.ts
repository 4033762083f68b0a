import { existsSync } from "node:fs";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { limitExpansion } from "../expansion.js";
import { decodePercent, escapePointer, getOwnValue } from "../json.js";
import { DOCUMENT_URI, resolveBase, resolveUri } from "../json-schema/uri.js";
import { MAX_KEYS, MAX_NESTING, MAX_SCHEMA_URI_LENGTH } from "./limits.js";
import { type Locations, locateInFile } from "./locations.js";
import type { FileReference, ParsedFile } from "./parsed-file.js";
import { isInData, isUrl } from "./references/reference-resolver.js";
import type { SourceText } from "./text/source-text.js";

/** The number of characters in the names and texts of a value, with one for each other value, and its levels of nesting. */
interface Extent {
  size: number;
  height: number;
}

/** Marks a value whose members are being visited. A value that is found in this state contains itself. */
const IN_PROGRESS: Extent = { size: 0, height: 0 };

const TOO_MANY_KEYS = `More than ${MAX_KEYS} entries in one object. Split the API into several documents.`;

const TOO_DEEP = `Nested deeper than ${MAX_NESTING} levels. Move the inner parts to components and use $ref.`;

/**
 * Visits every value of a file once. Registers locations, rewrites references to a form that Redocly follows, and adds to the file what
 * later checks need.
 */
export class ValueVisitor {
  /** Every `$ref` of the file. */
  readonly references: FileReference[] = [];
  /** Extents by value. YAML aliases are shared values. */
  private readonly extents = new Map<object, Extent>();
  /** The `$self` of the file, and its URI without the fragment. */
  private readonly self: string;
  private readonly selfUri: string;

  constructor(
    private readonly file: ParsedFile,
    private readonly locations: Locations,
  ) {
    const self = getOwnValue(file.parsed, "$self");
    this.self = typeof self === "string" ? self : "";
    this.limitUri(this.self, "$self", "");
    this.selfUri = resolveUri("", this.self).uri;
  }

  /** @throws DiagnosticError with the first value that later passes could not process */
  visitFile(): void {
    const { parsed } = this.file;
    if (typeof parsed === "object" && parsed !== null) this.visit(parsed, "", 1, DOCUMENT_URI);
  }

  private visit(node: object, pointer: string, depth: number, outerBase: string): Extent {
    const known = this.extents.get(node);
    if (known === IN_PROGRESS)
      throw this.createError(pointer, "An alias contains itself. Write the value out, or use a $ref.");
    if (depth + (known?.height ?? 0) > MAX_NESTING) throw this.createError(pointer, TOO_DEEP);
    if (known) {
      // Its references are recorded at its anchor only, which can be an example. Redocly checks each location.
      this.file.needsBundling = true;
      return known;
    }
    this.extents.set(node, IN_PROGRESS);
    this.locations.register(node, this.file.source, pointer);
    const base = resolveBase(node, outerBase);
    this.limitUri(base, "$id", pointer);
    if (base !== outerBase) this.file.identifiedSchemas.push({ uri: base, node, pointer });
    const extent = this.visitMembers(node, pointer, depth, base);
    this.extents.set(node, extent);
    if (extent.size <= limitExpansion(this.file.source.body.length)) return extent;
    const problem = `YAML aliases make this stand for ${extent.size} characters.`;
    throw this.createError(pointer, `${problem} Use $ref instead of aliases.`);
  }

  private visitMembers(node: object, pointer: string, depth: number, base: string): Extent {
    const names = Object.keys(node);
    if (names.length > MAX_KEYS && !Array.isArray(node)) throw this.createError(pointer, TOO_MANY_KEYS);
    const extent: Extent = { size: 0, height: 0 };
    for (const key of names) {
      const value: unknown = Reflect.get(node, key);
      extent.size += key.length + (typeof value === "string" ? value.length : 1);
      if (typeof value === "string") this.visitText(value, key, node, pointer, base);
      if (typeof value === "number") this.visitNumber(value, `${pointer}/${escapePointer(key)}`);
      if (typeof value !== "object" || value === null) continue;
      const memberPointer = `${pointer}/${escapePointer(key)}`;
      if (!isJsonContainer(value))
        throw this.createError(
          memberPointer,
          "This value is not a JSON value. Write it as text, a list or an object.",
        );
      const child = this.visit(value, memberPointer, depth + 1, base);
      extent.size += child.size;
      extent.height = Math.max(extent.height, child.height + 1);
    }
    return extent;
  }

  private visitNumber(value: number, pointer: string): void {
    if (!Number.isFinite(value))
      throw this.createError(pointer, `${value} is not a JSON number. Write a finite number, or remove it.`);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.file.largeNumbers.push({ value, pointer });
  }

  /** Records an anchor, a `$ref` or the target of a mapping, and replaces a reference by one that Redocly can follow. */
  private visitText(text: string, key: string, node: object, pointer: string, base: string): void {
    if (key === "$anchor" || key === "$dynamicAnchor")
      this.file.identifiedSchemas.push({ uri: `${base}#${text}`, node, pointer });
    if (key === "externalValue") this.file.needsBundling = true;
    const isMapping = pointer.endsWith("/discriminator/mapping");
    if (isMapping ? isCertainlyData(pointer, this.file.parsed) : key !== "$ref") return;
    const ref = this.toFragment(text, base) ?? decodePath(text, this.file.source.absoluteRef);
    if (ref !== text) Reflect.set(node, key, ref);
    if (!isMapping) this.references.push({ ref, text, node, base, pointer });
    else {
      // The plain name of a schema is a target too.
      const target = /[#./]/.test(ref) ? ref : `#/components/schemas/${ref}`;
      this.file.mappingTargets.push({ ref: target, pointer: `${pointer}/${escapePointer(key)}` });
    }
  }

  /** Returns the fragment of a reference to the URI in `$self` of the document; undefined for another reference. */
  private toFragment(ref: string, base: string): string | undefined {
    if (this.self === "" || ref.startsWith("#")) return undefined;
    const { uri, fragment } = resolveUri(base === DOCUMENT_URI ? this.self : base, ref);
    return uri === this.selfUri ? `#${fragment}` : undefined;
  }

  private limitUri(uri: string, key: string, owner: string): void {
    if (uri.length <= MAX_SCHEMA_URI_LENGTH) return;
    const problem = `The URI of this ${key} has more than ${MAX_SCHEMA_URI_LENGTH} characters.`;
    throw this.createError(`${owner}/${key}`, `${problem} Shorten it.`);
  }

  private createError(pointer: string, message: string): DiagnosticError {
    return createInspectionError(this.file.source, pointer, message);
  }
}

export function createInspectionError(source: SourceText, pointer: string, message: string): DiagnosticError {
  return new DiagnosticError(message, locateInFile(source, pointer));
}

/** Whether an object is certain to be in data. In files that the document refers to, its pointer does not show that. */
export function isCertainlyData(pointer: string, root: unknown): boolean {
  return getOwnValue(root, "openapi") !== undefined && isInData(pointer);
}

/** Decodes the percent-encoded path of a file in a reference (RFC 3986), which Redocly does not. A file can have such a name itself. */
function decodePath(ref: string, from: string): string {
  const [file = ""] = ref.split("#", 1);
  const isEncoded = file.includes("%") && !isUrl(file) && !existsSync(path.resolve(path.dirname(from), file));
  return isEncoded ? `${decodePercent(file)}${ref.slice(file.length)}` : ref;
}

/** Whether an object is one of JSON. YAML has tags for others, such as binary values and sets. */
function isJsonContainer(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

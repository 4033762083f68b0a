import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import {
  type Diagnostic,
  DiagnosticError,
  hasErrors,
  type Position,
  sortDiagnostics,
} from "../diagnostic.js";
import { createMeasure, limitExpansion } from "../expansion.js";
import { findValue, getOwnValue, isObject, type JsonObject, parsePointer, toPointer } from "../json.js";
import { getKindAt, type ValueKind } from "../json-schema/keywords.js";
import { sortKeys } from "./sort-keys.js";
import { UnreadableFileError } from "./read-source-file.js";
import { findDanglingReferences, findReferenceObjects } from "./references/bundled-references.js";
import { findIgnoredSiblings } from "./checks/ignored-siblings.js";
import { takeDiagnostics } from "./limits.js";
import { locateInFile, type Locations } from "./locations.js";
import type { ParsedFile } from "./parsed-file.js";
import { findMisplacedReferences } from "./checks/misplaced-references.js";
import {
  findUnresolvedReferences,
  mergeUnresolvedReferences,
  explainReferences,
} from "./references/unresolved-references.js";
import { findReferenceCycles, isUrl } from "./references/reference-resolver.js";
import { DocumentFiles } from "./document-files.js";
import { findViolations, type Violation } from "./structure/structure.js";
import { readOpenApiVersion } from "./version.js";

/** A bundled document without errors, with the files that it was read from. */
export interface LoadedDocument {
  /** The bundled document: the targets of external references are components. */
  document: JsonObject;
  /** Hashes of all files that the document was read from, by absolute path. */
  hashes: ReadonlyMap<string, string>;
  /** Whether all files that the document refers to were read. An optional reference may lead to a missing one. */
  isComplete: boolean;
  /** Warnings only, because errors are thrown as a DiagnosticError. */
  warnings: Diagnostic[];
  /** Returns the source position of the node at a JSON pointer, or of the nearest node above it that is in a source file. */
  locate(pointer: string): Position;
}

export interface LoadOptions {
  /** Folder that must contain all referenced files; the folder of the root file by default. */
  root?: string;
  /** Called with the absolute path of each file before it is read, also of those that cannot be. */
  onFile?: (file: string) => void;
}

/**
 * Reads and bundles an OpenAPI document, and validates its structure. The document may be hostile: nothing is fetched,
 * nothing outside its folder is read, no code of its folder runs, and its cost is limited.
 *
 * @throws DiagnosticError with all diagnostics, sorted, if there is an error
 */
export async function loadDocument(specFile: string, options: LoadOptions = {}): Promise<LoadedDocument> {
  const rootFile = path.resolve(specFile);
  // With a slash at its end, only the path of a folder exists.
  if (existsSync(`${rootFile}/`))
    throw new DiagnosticError(`${rootFile} is a folder. Name the document's file instead.`);
  const root = path.resolve(options.root ?? path.dirname(rootFile));
  if (options.root !== undefined && !existsSync(`${root}/`))
    throw new DiagnosticError(
      `${root} is not a folder. Pass --root with a folder that contains the document's files.`,
    );
  // If the folder does not exist, the root file is reported when it is read.
  const rootFolder = existsSync(root) ? realpathSync(root) : root;
  const documentFiles = new DocumentFiles(rootFile, rootFolder, options.onFile);
  const file = await documentFiles.resolveDocument(null, rootFile).catch((error: unknown) => {
    if (!(error instanceof UnreadableFileError)) throw error;
    const { diagnostics } = documentFiles;
    throw new DiagnosticError(diagnostics.length > 0 ? diagnostics : error.message);
  });
  const version = readOpenApiVersion(file);
  // Imported lazily: most documents are one file, and loading Redocly's bundler takes 0.15 s.
  const referenceDiagnostics = file.needsBundling
    ? await (await import("./references/bundle.js")).bundleInPlace(file, documentFiles, version)
    : mergeUnresolvedReferences(findUnresolvedReferences(file), rootFile);
  // Safe cast: a document with a version is an object, and parsing gives only JSON values.
  const document = file.parsed as JsonObject;
  const { references, violations } = explainReferences(
    referenceDiagnostics,
    findViolations(document, version),
    file,
  );
  const { parsedFiles: files, locations } = documentFiles;
  const diagnostics = sortDiagnostics([
    ...documentFiles.diagnostics,
    ...references,
    ...takeDiagnostics(findMisplacedReferences(files.values())),
    ...takeDiagnostics(findIgnoredSiblings(files.values(), version)),
    ...locateViolations(violations, document, files.values(), locations),
  ]);
  if (file.needsBundling && !hasErrors(diagnostics)) {
    requireLimitedExpansion(document, file, files.values());
    const unexpected = violations.filter((each) => each.isUnexpected).map(({ pointer }) => pointer);
    const nodes = findReferenceObjects(document, unexpected);
    restoreData(nodes, files.values());
    diagnostics.push(...checkBundledReferences(file, document, nodes, documentFiles));
  }
  if (hasErrors(diagnostics)) throw new DiagnosticError(sortDiagnostics(diagnostics));
  for (const { pointer, isIgnored, coercedValue } of violations)
    if (isIgnored || coercedValue !== undefined) correctMember(document, pointer, coercedValue);
  // The result is the same whether or not Redocly bundled the document.
  document["components"] ??= {};
  // Safe cast: the components are an object. Bundling adds some at the end, and leaves all others the same sorted objects.
  if (file.needsBundling) document["components"] = sortKeys(document["components"]) as JsonObject;
  return {
    document,
    hashes: documentFiles.hashes,
    isComplete: [...documentFiles.getFiles()].every((each) => isUrl(each) || documentFiles.hashes.has(each)),
    warnings: diagnostics,
    locate: (pointer) => locations.locate(document, pointer),
  };
}

/** Converts the violations in a bundled document to diagnostics in its files. */
function locateViolations(
  violations: readonly Violation[],
  document: JsonObject,
  files: Iterable<ParsedFile>,
  locations: Locations,
): Diagnostic[] {
  // A file that is no object or list has no registered location.
  const scalarFiles = [...files].filter(({ parsed }) => typeof parsed !== "object" || parsed === null);
  return violations.flatMap(({ severity, message, pointer, target }): Diagnostic[] => {
    const position = locations.locate(document, pointer, target);
    // Bundling adds members that no file has, such as `components.mediaTypes`.
    const isAdded = parsePointer(pointer).at(-1) !== parsePointer(position.pointer).at(-1);
    if (!isAdded) return [{ severity, message, position }];
    if (severity === "warning") return [];
    const value = findValue(document, pointer);
    const scalarFile = scalarFiles.find(({ parsed }) => parsed === value);
    return [{ severity, message, position: scalarFile ? locateInFile(scalarFile.source, "") : position }];
  });
}

/** Throws a DiagnosticError if `$ref`s repeat so many files or so much data that the document is far longer than its files. */
function requireLimitedExpansion(
  document: JsonObject,
  { source }: ParsedFile,
  files: Iterable<ParsedFile>,
): void {
  const written = [...files].reduce((sum, file) => sum + file.source.body.length, 0);
  const size = createMeasure()(document);
  if (size > limitExpansion(written))
    throw new DiagnosticError(
      `The $refs to files and data make the document stand for ${size} characters. Refer to components instead.`,
      locateInFile(source, ""),
    );
}

/** Restores each `$ref` that was rewritten for Redocly, turned out to be data, and was not replaced by the content of a file. */
function restoreData(references: ReadonlyMap<object, unknown>, files: Iterable<ParsedFile>): void {
  for (const file of files)
    for (const { node, ref, text } of file.references)
      if (ref !== text && !references.has(node) && getOwnValue(node, "$ref") === ref)
        Reflect.set(node, "$ref", text);
}

/** Finds the references of a bundled document that the model cannot follow. */
function checkBundledReferences(
  root: ParsedFile,
  document: JsonObject,
  references: ReadonlyMap<JsonObject, ValueKind>,
  documentFiles: DocumentFiles,
): Diagnostic[] {
  const { parsedFiles, locations } = documentFiles;
  const dangling = findDanglingReferences(references, document, documentFiles);
  // Again, because the anchor of an aliased reference can be in data, where it is not followed.
  const nodes = Array.from(references.keys(), (node) => ({ node }));
  const cycles = takeDiagnostics(
    findReferenceCycles([{ ...root, references: nodes }], parsedFiles, locations),
  );
  return [...mergeUnresolvedReferences(dangling, root.source.absoluteRef).values(), ...cycles];
}

/** Corrects a member: sets its value, empties it if its absence would mean something else, or removes it. */
function correctMember(document: JsonObject, pointer: string, coercedValue: unknown): void {
  const keys = parsePointer(pointer);
  const ownerKeys = keys.slice(0, -1);
  const owner = findValue(document, toPointer(ownerKeys));
  const name = keys.at(-1) ?? "";
  if (!isObject(owner)) return;
  if (coercedValue !== undefined) owner[name] = coercedValue;
  else if (/^(map|schemas)$/.test(getKindAt(ownerKeys)) || /^(paths|additionalProperties)$/.test(name))
    owner[name] = {};
  else Reflect.deleteProperty(owner, name);
}

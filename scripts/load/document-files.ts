import path from "node:path";
import { YAMLException } from "js-yaml";
import { type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { getOrCreate } from "../maps.js";
import { DOCUMENT_URI, resolveBase } from "../json-schema/uri.js";
import {
  extractIdentifiers,
  findFragment,
  parseAnchorReference,
  type SchemaFragments,
} from "./references/embedded.js";
import { createSyntaxDiagnostic } from "./text/syntax-error.js";
import { sortKeys } from "./sort-keys.js";
import { type ReadBudget, readSourceFile, UnreadableFileError } from "./read-source-file.js";
import { inspectFile } from "./inspect.js";
import { parseJson } from "./text/parse-json.js";
import { MAX_BYTES, MAX_FILE_REFERENCES, MAX_NODES } from "./limits.js";
import { findRoundedNumbers } from "./checks/rounded-numbers.js";
import type { ParsedFile } from "./parsed-file.js";
import { Locations } from "./locations.js";
import { checkSchemas } from "./checks/schema-checks.js";
import { SourceText } from "./text/source-text.js";
import { parseYaml } from "./text/parse-yaml.js";
import { isUrl } from "./references/reference-resolver.js";

/** Message for a reference to a file with errors. `bundle.ts` leaves it out, because the errors themselves are reported. */
export const FILE_HAS_ERRORS = "the file has errors";

/**
 * Reads the YAML, JSON and Markdown files of a document below the root folder, and no URLs. Redocly uses it as its resolver, so that it
 * never processes a file that was not inspected.
 */
export class DocumentFiles {
  readonly locations = new Locations();
  /** Files that were read, by absolute path. */
  readonly parsedFiles = new Map<string, ParsedFile>();
  /** Hashes of the files that were read, by absolute path. */
  readonly hashes = new Map<string, string>();
  /** Problems inside the files. Redocly reports the references to these files itself. */
  readonly diagnostics: Diagnostic[] = [];
  private readonly budget: ReadBudget = { bytes: MAX_BYTES, nodes: MAX_NODES };
  private readonly pendingReads = new Map<string, Promise<ParsedFile>>();
  /** Files whose references Redocly can follow. */
  private readonly pendingResolutions = new Map<string, Promise<ParsedFile>>();
  /** The schemas with an `$id` or an anchor. Not those of the root file, which the model resolves. */
  private readonly fragments = new Map<ParsedFile, SchemaFragments>();
  private referenceCount = 0;

  /**
   * @param rootFile absolute path of the file that the user named
   * @param rootFolder real path of the root folder, which contains all other files
   * @param onFile called with the absolute path of each file before it is read, also of those that cannot be
   */
  constructor(
    private readonly rootFile: string,
    readonly rootFolder: string,
    private readonly onFile: ((file: string) => void) | undefined,
  ) {}

  /** Returns the absolute path of a file, given a reference in another one; a URL is returned unchanged. */
  resolveExternalRef(base: string | null, ref: string): string {
    return isUrl(ref) ? ref : path.resolve(path.dirname(base ?? this.rootFile), ref);
  }

  /** Reads, parses and inspects a file once. Throws an UnreadableFileError. */
  async resolveDocument(base: string | null, ref: string): Promise<ParsedFile> {
    this.referenceCount += 1;
    if (this.referenceCount > MAX_FILE_REFERENCES)
      throw new UnreadableFileError(
        "Too many references between files. Point each $ref at the value instead of another $ref.",
      );
    const file = this.resolveExternalRef(base, ref);
    return getOrCreate(this.pendingResolutions, file, () =>
      this.readOnce(file).then((read) => this.replaceIdReferences(read)),
    );
  }

  private readOnce(file: string): Promise<ParsedFile> {
    return getOrCreate(this.pendingReads, file, () => this.read(file));
  }

  /** Replaces references to `$id`s and anchors with JSON pointers, because Redocly follows only JSON pointers. */
  private async replaceIdReferences(file: ParsedFile): Promise<ParsedFile> {
    for (const reference of file.idReferences) {
      const ref = findFragment(this.fragments.get(file), reference.base, reference.ref);
      if (ref === undefined) continue;
      Reflect.set(reference.node, "$ref", ref);
      file.references.push({ ...reference, ref });
    }
    for (const { node, ref } of file.references) {
      const { path: to = "", anchor } = parseAnchorReference(ref) ?? {};
      if (to === "") continue;
      const target = this.resolveExternalRef(file.source.absoluteRef, to);
      // Redocly reports the reference to a file that cannot be read, or to a URL.
      const targetFile = await this.readOnce(target).catch(() => undefined);
      const base = resolveBase(targetFile?.parsed, DOCUMENT_URI);
      const fragment = targetFile && findFragment(this.fragments.get(targetFile), base, `#${anchor}`);
      if (fragment !== undefined) Reflect.set(node, "$ref", to + fragment);
    }
    return file;
  }

  /** Returns the absolute paths of all requested files, also of those that could not be read. Redocly calls this method. */
  getFiles(): Set<string> {
    return new Set(this.pendingReads.keys());
  }

  private async read(file: string): Promise<ParsedFile> {
    if (isUrl(file))
      throw new UnreadableFileError(
        `${file} is a URL and is not fetched. Copy it beside the document and refer to the copy.`,
      );
    this.onFile?.(file);
    const folder = file === this.rootFile ? undefined : this.rootFolder;
    try {
      const { text, hash } = await readSourceFile(file, folder, this.budget);
      this.hashes.set(file, hash);
      const source = new SourceText(file, text);
      const parsedFile = inspectFile(source, sortKeys(parseSource(source)), this.locations);
      this.parsedFiles.set(file, parsedFile);
      if (file !== this.rootFile) this.fragments.set(parsedFile, extractIdentifiers(parsedFile));
      this.diagnostics.push(...findRoundedNumbers(parsedFile), ...checkSchemas(parsedFile));
      return parsedFile;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.diagnostics.push(...error.diagnostics);
      throw new UnreadableFileError(FILE_HAS_ERRORS);
    }
  }
}

/** Parses a file. Throws a DiagnosticError for a syntax error. */
function parseSource(source: SourceText): unknown {
  // Redocly allows descriptions that refer to Markdown files.
  if (source.absoluteRef.endsWith(".md")) return source.body;
  const json = source.absoluteRef.endsWith(".json") ? parseJson(source.body) : undefined;
  source.isJson = json !== undefined;
  if (source.isJson) return json;
  // Also for JSON with a syntax error, because the YAML parser reports its location.
  try {
    return parseYaml(source);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new DiagnosticError([createSyntaxDiagnostic(error, source)]);
  }
}

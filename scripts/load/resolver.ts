import path from "node:path";
import { BaseResolver, ResolveError, Source, YamlParseError, type Document } from "@redocly/openapi-core";
import type { Diagnostic, Position } from "../diagnostic.js";
import { inCanonicalOrder } from "./canonical.js";
import { newBudget, readSourceFile, UnreadableFile } from "./files.js";
import { inspectFile, type ParsedFile } from "./inspect.js";
import { parseJson } from "./json-text.js";
import { MAX_FILE_HOPS } from "./limits.js";
import { findRoundedNumbers } from "./numbers.js";
import type { Places } from "./places.js";

/** Any URL scheme, and `//host`. One letter and a colon is a Windows drive. */
const URL_PATTERN = /^([a-z][a-z0-9+.-]+:|\/\/|\\\\)/i;

/** True when a reference is a URL of whatever scheme, not a path. */
export function isUrl(ref: string): boolean {
  return URL_PATTERN.test(ref);
}

/**
 * Reads the files of one document, and nothing else: no URL, nothing outside the root file's folder, no file
 * that is neither YAML, JSON nor Markdown. Every file is inspected before Redocly sees what is in it.
 */
export class ConfinedResolver extends BaseResolver {
  /** Files that could be read, by absolute path. */
  readonly files = new Map<string, ParsedFile>();
  /** Copies of those that bundling changes, as they were before it. */
  readonly #unbundled = new Map<string, ParsedFile>();
  /** Hashes of the files that could be read, by absolute path. */
  readonly hashes = new Map<string, string>();
  /** Problems inside the files. Redocly reports the references to these files itself. */
  readonly problems: Diagnostic[] = [];
  readonly #rootFile: string;
  readonly #realFolder: string;
  readonly #places: Places;
  readonly #onFile: (file: string) => void;
  readonly #budget = newBudget();
  #hops = 0;

  /**
   * @param rootFile absolute path of the file that the user named
   * @param realFolder real path of its folder
   * @param onFile called with the absolute path of each file before it is read, also of those that cannot be
   */
  constructor(rootFile: string, realFolder: string, places: Places, onFile: (file: string) => void) {
    super();
    this.#rootFile = rootFile;
    this.#realFolder = realFolder;
    this.#places = places;
    this.#onFile = onFile;
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    return isUrl(ref) ? ref : path.resolve(path.dirname(base ?? this.#rootFile), ref);
  }

  override async loadExternalRef(absoluteRef: string): Promise<Source> {
    if (isUrl(absoluteRef))
      throw refuse(
        `${absoluteRef} is a URL and is not fetched. Copy it beside the document, refer to the copy.`,
      );
    this.#onFile(absoluteRef);
    try {
      const folder = absoluteRef === this.#rootFile ? undefined : this.#realFolder;
      const { text, hash } = await readSourceFile(absoluteRef, folder, this.#budget);
      this.hashes.set(absoluteRef, hash);
      return new Source(absoluteRef, text);
    } catch (error) {
      throw error instanceof UnreadableFile ? refuse(error.message) : error;
    }
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const parsed = inCanonicalOrder(this.#parse(source, isRoot).parsed);
    const file: ParsedFile = { source, parsed, selfContained: true };
    this.files.set(source.absoluteRef, file);
    const problems = inspectFile(file, this.#places);
    this.problems.push(...problems);
    if (problems.length > 0) throw refuse(`${source.absoluteRef} cannot be used, see its own error.`);
    this.problems.push(...findRoundedNumbers(file));
    if (!isRoot || !file.selfContained)
      this.#unbundled.set(source.absoluteRef, { ...file, parsed: structuredClone(parsed) });
    return file;
  }

  override async resolveDocument<T = unknown>(
    base: string | null,
    ref: string,
    isRoot?: boolean,
  ): Promise<Document<T> | ResolveError | YamlParseError> {
    this.#hops += 1;
    if (this.#hops > MAX_FILE_HOPS)
      throw refuse(
        "Too many references between files. Point each $ref at the value instead of another $ref.",
      );
    return super.resolveDocument<T>(base, ref, isRoot);
  }

  /** A file as it was before it was bundled, if it was. */
  unbundled(file: string): ParsedFile | undefined {
    return this.#unbundled.get(file) ?? this.files.get(file);
  }

  #parse(source: Source, isRoot: boolean | undefined): Document {
    // Prose, for a description that names a file: Redocly has it so.
    if (source.absoluteRef.endsWith(".md")) return { source, parsed: source.body };
    const json = parseJson(source);
    if (json) return { source, parsed: json.parsed };
    try {
      return super.parseDocument(source, isRoot);
    } catch (error) {
      if (!(error instanceof YamlParseError)) throw error;
      this.problems.push({
        severity: "error",
        message: syntaxMessage(error.originalError.message),
        position: syntaxPosition(error),
      });
      throw refuse(`${source.absoluteRef} cannot be parsed, see its own error.`);
    }
  }
}

/** Gives the files of another resolver as they were before they were bundled. */
export class UnbundledFiles extends BaseResolver {
  readonly #files: ConfinedResolver;

  constructor(files: ConfinedResolver) {
    super();
    this.#files = files;
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    return this.#files.resolveExternalRef(base, ref);
  }

  override async resolveDocument<T = unknown>(
    base: string | null,
    ref: string,
    isRoot?: boolean,
  ): Promise<Document<T> | ResolveError | YamlParseError> {
    const document = await this.#files.resolveDocument<T>(base, ref, isRoot);
    if (document instanceof Error) return document;
    // The cast: what a file holds is whatever the caller takes it for.
    return (this.#files.unbundled(document.source.absoluteRef) ?? document) as Document<T>;
  }
}

function refuse(message: string): ResolveError {
  return new ResolveError(new Error(message));
}

/** The parser's words without place and excerpt: `bad indentation in "/x.yaml" (2:3)` and more lines. */
function syntaxMessage(parserMessage: string): string {
  const [first = ""] = parserMessage.split("\n");
  const what = first.replace(/ \(\d+:\d+\)$/, "").replace(/ in ".*"$/, "");
  if (what.startsWith("nesting exceeded"))
    return "Nested deeper than 100 levels. Move the inner parts to components and use $ref.";
  return `This is not valid YAML or JSON: ${what}. Correct the text here.`;
}

function syntaxPosition(error: YamlParseError): Position {
  const known = Number.isInteger(error.line) && Number.isInteger(error.col);
  return {
    file: error.source.absoluteRef,
    line: known ? error.line : 1,
    col: known ? error.col : 1,
    pointer: "",
  };
}

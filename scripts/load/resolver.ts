import path from "node:path";
import { BaseResolver, ResolveError, Source, YamlParseError, type Document } from "@redocly/openapi-core";
import type { Diagnostic } from "../diagnostic.js";
import { findUnclosedBracket } from "./brackets.js";
import { inCanonicalOrder } from "./canonical.js";
import { newBudget, readSourceFile, UnreadableFile } from "./files.js";
import { inspectFile } from "./inspect.js";
import { parseJson } from "./json-text.js";
import { MAX_FILE_HOPS } from "./limits.js";
import { findRoundedNumbers } from "./numbers.js";
import type { ParsedFile } from "./parsed-file.js";
import type { Locations } from "./locations.js";

/** Matches a URL scheme or `//host`. A single letter before the colon is a Windows drive. */
const URL_PATTERN = /^([a-z][a-z0-9+.-]+:|\/\/|\\\\)/i;

/** Ends the message of a reference to a file that has an error of its own, which is reported instead. */
export const OWN_ERROR = "see its own error.";

/** Whether a reference is a URL of any scheme, not a path. */
export function isUrl(ref: string): boolean {
  return URL_PATTERN.test(ref);
}

/**
 * Reads the files of a document: YAML, JSON and Markdown below its folder, no other files and no URLs. Every file is
 * inspected before Redocly processes it.
 */
export class ConfinedResolver extends BaseResolver {
  /** Files that were read, by absolute path. */
  readonly files = new Map<string, ParsedFile>();
  /** Hashes of the files that were read, by absolute path. */
  readonly hashes = new Map<string, string>();
  /** Problems inside the files. Redocly reports the references to these files itself. */
  readonly problems: Diagnostic[] = [];
  readonly #rootFile: string;
  readonly #realFolder: string;
  readonly #locations: Locations;
  readonly #onFile: (file: string) => void;
  readonly #budget = newBudget();
  #hops = 0;

  /**
   * @param rootFile absolute path of the file that the user named
   * @param realFolder real path of its folder
   * @param onFile called with the absolute path of each file before it is read, also of those that cannot be
   */
  constructor(rootFile: string, realFolder: string, locations: Locations, onFile: (file: string) => void) {
    super();
    this.#rootFile = rootFile;
    this.#realFolder = realFolder;
    this.#locations = locations;
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
    const file: ParsedFile = { source, parsed, selfContained: true, references: [], embedded: [] };
    this.files.set(source.absoluteRef, file);
    const problems = inspectFile(file, this.#locations);
    this.problems.push(...problems);
    if (problems.length > 0) throw refuse(`${source.absoluteRef} cannot be used, ${OWN_ERROR}`);
    this.problems.push(...findRoundedNumbers(file));
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

  #parse(source: Source, isRoot: boolean | undefined): Document {
    // Redocly allows descriptions that refer to Markdown files.
    if (source.absoluteRef.endsWith(".md")) return { source, parsed: source.body };
    const json = source.absoluteRef.endsWith(".json") ? parseJson(source.body) : undefined;
    if (json) return { source, parsed: json.parsed };
    try {
      return super.parseDocument(source, isRoot);
    } catch (error) {
      if (!(error instanceof YamlParseError)) throw error;
      this.problems.push(syntaxProblem(error));
      throw refuse(`${source.absoluteRef} cannot be parsed, ${OWN_ERROR}`);
    }
  }
}

function refuse(message: string): ResolveError {
  return new ResolveError(new Error(message));
}

/** The diagnostic for a syntax error: at the unclosed bracket, if there is one. */
function syntaxProblem({ originalError, source, line, col }: YamlParseError): Diagnostic {
  const isKnown = Number.isInteger(line) && Number.isInteger(col);
  const message = syntaxMessage(originalError.message);
  const position = {
    file: source.absoluteRef,
    line: isKnown ? line : 1,
    col: isKnown ? col : 1,
    pointer: "",
  };
  // Excessive depth, duplicate keys and unknown tags have other causes than brackets.
  const mayBeBracket =
    isKnown && /comma|indentation|flow|unexpected end|mapping entry|end of the stream/.test(message);
  const bracket = mayBeBracket ? findUnclosedBracket(source.body, line) : undefined;
  if (bracket === undefined) return { severity: "error", message, position };
  const opening = source.body.charAt(bracket);
  const before = source.body.slice(0, bracket).split("\n");
  return {
    severity: "error",
    message: `This \`${opening}\` is not closed. Add the \`${opening === "[" ? "]" : "}"}\`.`,
    position: { ...position, line: before.length, col: (before.at(-1) ?? "").length + 1 },
  };
}

/** The parser's message without location and excerpt. */
function syntaxMessage(parserMessage: string): string {
  const [first = ""] = parserMessage.split("\n");
  const what = first.replace(/ \(\d+:\d+\)$/, "").replace(/ in ".*"$/, "");
  if (what.startsWith("nesting exceeded"))
    return "Nested deeper than 100 levels. Move the inner parts to components and use $ref.";
  return `This is not valid YAML or JSON: ${what}. Correct the text here.`;
}

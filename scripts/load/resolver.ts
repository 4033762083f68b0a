import path from "node:path";
import { YAMLException } from "js-yaml";
import type { Diagnostic } from "../diagnostic.js";
import { findMissingColon, findUnclosedBracket, findUnclosedQuote } from "./syntax-error-causes.js";
import { sortKeys } from "./sort-keys.js";
import { createBudget, readSourceFile, UnreadableFile } from "./files.js";
import { inspectFile } from "./inspect.js";
import { parseJson } from "./json-text.js";
import { MAX_FILE_HOPS } from "./limits.js";
import { findRoundedNumbers } from "./numbers.js";
import type { ParsedFile } from "./parsed-file.js";
import type { Locations } from "./locations.js";
import { Source } from "./source.js";
import { parseYaml } from "./yaml.js";

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
 * inspected before Redocly processes it, by the same methods as those of Redocly's own resolver.
 */
export class ConfinedResolver {
  /** Files that were read, by absolute path. */
  readonly files = new Map<string, ParsedFile>();
  /** Hashes of the files that were read, by absolute path. */
  readonly hashes = new Map<string, string>();
  /** Problems inside the files. Redocly reports the references to these files itself. */
  readonly problems: Diagnostic[] = [];
  readonly #budget = createBudget();
  readonly #reading = new Map<string, Promise<ParsedFile>>();
  #hops = 0;

  /**
   * @param rootFile absolute path of the file that the user named
   * @param realFolder real path of its folder
   * @param onFile called with the absolute path of each file before it is read, also of those that cannot be
   */
  constructor(
    private readonly rootFile: string,
    private readonly realFolder: string,
    private readonly locations: Locations,
    private readonly onFile: (file: string) => void,
  ) {}

  /** Returns the absolute path of a file, given a reference in another one; a URL is returned unchanged. */
  resolveExternalRef(base: string | null, ref: string): string {
    return isUrl(ref) ? ref : path.resolve(path.dirname(base ?? this.rootFile), ref);
  }

  /**
   * Reads, parses and inspects a file once.
   * @throws UnreadableFile
   */
  async resolveDocument(base: string | null, ref: string): Promise<ParsedFile> {
    this.#hops += 1;
    if (this.#hops > MAX_FILE_HOPS)
      throw new UnreadableFile(
        "Too many references between files. Point each $ref at the value instead of another $ref.",
      );
    const file = this.resolveExternalRef(base, ref);
    const reading = this.#reading.get(file) ?? this.#read(file);
    this.#reading.set(file, reading);
    return reading;
  }

  /** Returns the absolute paths of all requested files, as Redocly requires. */
  getFiles(): Set<string> {
    return new Set(this.#reading.keys());
  }

  async #read(file: string): Promise<ParsedFile> {
    if (isUrl(file))
      throw new UnreadableFile(
        `${file} is a URL and is not fetched. Copy it beside the document and refer to the copy.`,
      );
    this.onFile(file);
    const folder = file === this.rootFile ? undefined : this.realFolder;
    const { text, hash } = await readSourceFile(file, folder, this.#budget);
    this.hashes.set(file, hash);
    return this.#inspect(new Source(file, text));
  }

  #inspect(source: Source): ParsedFile {
    const parsed = sortKeys(this.#parse(source));
    const file: ParsedFile = {
      source,
      parsed,
      selfContained: true,
      references: [],
      largeNumbers: [],
      embedded: [],
    };
    this.files.set(source.absoluteRef, file);
    const problems = inspectFile(file, this.locations);
    this.problems.push(...problems);
    if (problems.length > 0) throw new UnreadableFile(`${source.absoluteRef} cannot be used, ${OWN_ERROR}`);
    this.problems.push(...findRoundedNumbers(file));
    return file;
  }

  #parse(source: Source): unknown {
    // Redocly allows descriptions that refer to Markdown files.
    if (source.absoluteRef.endsWith(".md")) return source.body;
    const json = source.absoluteRef.endsWith(".json") ? parseJson(source.body) : undefined;
    if (json) return json.parsed;
    try {
      return parseYaml(source);
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      this.problems.push(createSyntaxDiagnostic(error, source));
      throw new UnreadableFile(`${source.absoluteRef} cannot be parsed, ${OWN_ERROR}`);
    }
  }
}

/** Creates the diagnostic for a syntax error, if possible at its cause: an unclosed quote or bracket, or a missing colon. */
function createSyntaxDiagnostic({ reason, mark }: YAMLException, source: Source): Diagnostic {
  const line = (mark?.line ?? 0) + 1;
  const createError = (message: string, { line, col }: { line: number; col: number }): Diagnostic => ({
    severity: "error",
    message,
    position: { file: source.absoluteRef, line, col, pointer: "" },
  });
  const quote = /deficient indentation|quoted scalar/.test(reason) && findUnclosedQuote(source.body, line);
  if (quote) return createError("This quote is not closed. Close it.", quote);
  const key = reason.includes("multiline key") && findMissingColon(source.body, line);
  if (key) return createError("This line has no colon. Write `key: value`.", key);
  const message = describeSyntaxError(reason);
  // Excessive depth, duplicate keys and unknown tags have other causes than brackets.
  const mayBeBracket =
    mark !== undefined &&
    /comma|indentation|flow|unexpected end|mapping entry|end of the stream/.test(message);
  const bracket = mayBeBracket ? findUnclosedBracket(source.body, line) : undefined;
  if (bracket === undefined) return createError(message, { line, col: (mark?.column ?? 0) + 1 });
  const opening = source.body.charAt(bracket);
  return createError(
    `This \`${opening}\` is not closed. Add the \`${opening === "[" ? "]" : "}"}\`.`,
    source.getLineAndColumn(bracket),
  );
}

/** Returns the message for the parser's reason, with a remedy. */
function describeSyntaxError(reason: string): string {
  if (reason.startsWith("nesting exceeded"))
    return "Nested deeper than 100 levels. Move the inner parts to components and use $ref.";
  return `This is not valid YAML or JSON: ${reason}. Correct the text here.`;
}

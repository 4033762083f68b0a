import path from "node:path";
import { YAMLException } from "js-yaml";
import type { Diagnostic } from "../diagnostic.js";
import { findMissingColon, findUnclosedBracket, findUnclosedQuote } from "./syntax-error-causes.js";
import { sortKeys } from "./sort-keys.js";
import { newBudget, readSourceFile, UnreadableFile } from "./files.js";
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
  readonly #rootFile: string;
  readonly #realFolder: string;
  readonly #locations: Locations;
  readonly #onFile: (file: string) => void;
  readonly #budget = newBudget();
  readonly #reading = new Map<string, Promise<ParsedFile>>();
  #hops = 0;

  /**
   * @param rootFile absolute path of the file that the user named
   * @param realFolder real path of its folder
   * @param onFile called with the absolute path of each file before it is read, also of those that cannot be
   */
  constructor(rootFile: string, realFolder: string, locations: Locations, onFile: (file: string) => void) {
    this.#rootFile = rootFile;
    this.#realFolder = realFolder;
    this.#locations = locations;
    this.#onFile = onFile;
  }

  /** The absolute path of a file, from a reference in another one. */
  resolveExternalRef(base: string | null, ref: string): string {
    return isUrl(ref) ? ref : path.resolve(path.dirname(base ?? this.#rootFile), ref);
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

  /** Absolute paths of the files that were asked for. */
  getFiles(): Set<string> {
    return new Set(this.#reading.keys());
  }

  async #read(file: string): Promise<ParsedFile> {
    if (isUrl(file))
      throw new UnreadableFile(
        `${file} is a URL and is not fetched. Copy it beside the document and refer to the copy.`,
      );
    this.#onFile(file);
    const folder = file === this.#rootFile ? undefined : this.#realFolder;
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
    const problems = inspectFile(file, this.#locations);
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
      this.problems.push(syntaxProblem(error, source));
      throw new UnreadableFile(`${source.absoluteRef} cannot be parsed, ${OWN_ERROR}`);
    }
  }
}

/** The diagnostic for a syntax error: at the unclosed bracket, if there is one. */
function syntaxProblem({ reason, mark }: YAMLException, source: Source): Diagnostic {
  const message = syntaxMessage(reason);
  const line = (mark?.line ?? 0) + 1;
  const position = { file: source.absoluteRef, line, col: (mark?.column ?? 0) + 1, pointer: "" };
  const quote = /deficient indentation|quoted scalar/.test(reason) && findUnclosedQuote(source.body, line);
  if (quote)
    return {
      severity: "error",
      message: "This quote is not closed. Close it.",
      position: { ...position, ...quote },
    };
  const key = reason.includes("multiline key") && findMissingColon(source.body, line);
  if (key)
    return {
      severity: "error",
      message: "This line has no colon. Write `key: value`.",
      position: { ...position, ...key },
    };
  // Excessive depth, duplicate keys and unknown tags have other causes than brackets.
  const mayBeBracket =
    mark !== undefined &&
    /comma|indentation|flow|unexpected end|mapping entry|end of the stream/.test(message);
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

/** The parser's reason with a remedy. */
function syntaxMessage(reason: string): string {
  if (reason.startsWith("nesting exceeded"))
    return "Nested deeper than 100 levels. Move the inner parts to components and use $ref.";
  return `This is not valid YAML or JSON: ${reason}. Correct the text here.`;
}

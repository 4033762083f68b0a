import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import {
  bundle,
  lintDocument,
  ResolveError,
  type Config,
  type NormalizedProblem,
} from "@redocly/openapi-core";
import type { JsonObject } from "../model/model.js";
import { DiagnosticError, type Diagnostic, type Position } from "../diagnostic.js";
import { sortComponents } from "./canonical.js";
import { findRefChains, type ParsedFile } from "./inspect.js";
import { makeLintConfig, withoutFittingExamples, type LintConfig } from "./lint-config.js";
import { Places } from "./places.js";
import { sortDiagnostics, toDiagnostics } from "./problems.js";
import { ConfinedResolver, UnbundledFiles } from "./resolver.js";
import { openApiVersion } from "./version.js";

export interface LoadedDocument {
  /** Bundled: all external $refs brought in as local components by Redocly's bundler. */
  document: JsonObject;
  /** Absolute paths of every file the document was read from (lint config included when there is one), sorted. */
  files: string[];
  /** Hashes of these files as they were read, by path. */
  hashes: ReadonlyMap<string, string>;
  /** Warnings found by lint. Errors never come back: they throw DiagnosticError. */
  warnings: Diagnostic[];
  /**
   * Source position of a node of the bundled document given by JSON pointer into the bundled document
   * (e.g. "/paths/~1v1~1pages/get/operationId"); walks up to the nearest node with a known place.
   */
  locate(pointer: string): Position;
}

/** A document that can be read already, and may still turn out to be wrong. */
export interface OpenDocument extends Omit<LoadedDocument, "warnings"> {
  /**
   * Lints the document, unless that was done to open it; must be called once.
   * @returns the warnings
   * @throws DiagnosticError with everything found, sorted, if there is an error
   */
  check(): Promise<Diagnostic[]>;
}

export interface LoadOptions {
  /** Lint configuration; `redocly.yaml` beside the root file when left out. */
  config?: string;
  /** Called with the absolute path of each file before it is read, also of those that cannot be. */
  onFile?: (file: string) => void;
}

/**
 * Reads, lints and bundles an OpenAPI 3.0 or 3.1 document, once. The document may be hostile: nothing is
 * fetched, nothing outside its folder is read, no code of its folder runs, and its cost is limited.
 * @param specFile path of the root file
 * @throws DiagnosticError with everything found, sorted, if there is an error
 */
export async function loadDocument(specFile: string, options: LoadOptions = {}): Promise<LoadedDocument> {
  const { check, ...document } = await openDocument(specFile, options);
  return { ...document, warnings: await check() };
}

/**
 * Does what `loadDocument` does, and leaves lint for later: then other work can be begun in other threads, and be
 * thrown away if lint finds an error. A document whose references all lead to its own components needs no bundling.
 * @throws DiagnosticError as `loadDocument` does
 */
export async function openDocument(specFile: string, options: LoadOptions = {}): Promise<OpenDocument> {
  const { config: configOption, onFile = () => {} } = options;
  const root = await readRoot(path.resolve(specFile), onFile);
  const version = openApiVersion(root.file);
  if (typeof version !== "string") throw new DiagnosticError([version]);

  const beside = path.join(path.dirname(path.resolve(specFile)), "redocly.yaml");
  onFile(beside);
  const configFile = configOption ?? (existsSync(beside) ? beside : undefined);
  const config = configFile === undefined ? undefined : await readRoot(path.resolve(configFile), onFile);
  const lintConfig = await makeLintConfig(config?.file, version);

  // Checked to be an object, and the parser gives nothing but JSON values.
  const document = root.file.parsed as JsonObject;
  const bundled: Outcome = root.file.selfContained
    ? { found: [], crashes: [] }
    : await run(bundleInPlace, root, lintConfig);
  // Bundling does this much to every document.
  document["components"] ??= {};
  const isWrong = bundled.crashes.length > 0 || hasError([...root.resolver.problems, ...bundled.found]);
  const check = async (): Promise<Diagnostic[]> => {
    if (!isWrong) withoutFittingExamples(lintConfig, document, version);
    return judge(lintConfig, root, [await run(lint, root, lintConfig), bundled]);
  };
  if (isWrong) await check();
  sortComponents(document);
  const hashes = new Map([...root.resolver.hashes, ...(config?.resolver.hashes ?? [])]);
  return {
    document,
    files: [...hashes.keys()].sort(),
    hashes,
    check,
    locate: (pointer) => root.places.locate(document, pointer),
  };
}

/** Gives the warnings, sorted; throws all if there is an error among them. */
function judge(lintConfig: LintConfig, { resolver }: Root, steps: Outcome[]): Diagnostic[] {
  const found = [...resolver.problems, ...steps.flatMap((step) => step.found)];
  // On a document with known errors a crash tells nothing new.
  if (!hasError(found)) found.push(...steps.flatMap((step) => step.crashes));
  const problems = sortDiagnostics([...lintConfig.problems, ...found]);
  if (hasError(problems)) throw new DiagnosticError(problems);
  return problems;
}

function hasError(problems: readonly Diagnostic[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

interface Root {
  file: ParsedFile;
  resolver: ConfinedResolver;
  places: Places;
}

async function readRoot(file: string, onFile: (file: string) => void): Promise<Root> {
  const places = new Places();
  const resolver = new ConfinedResolver(file, realFolderOf(file), places, onFile);
  try {
    const document = await resolver.resolveDocument(null, file, true);
    if (document instanceof Error) throw document;
    const parsed = resolver.files.get(file);
    if (!parsed) throw new Error(`${file} was read and is not there.`);
    return { file: parsed, resolver, places };
  } catch (error) {
    if (resolver.problems.length > 0) throw new DiagnosticError(resolver.problems);
    if (error instanceof ResolveError)
      throw new DiagnosticError([{ severity: "error", message: error.message }]);
    throw error;
  }
}

/** A folder that does not exist has no real path; reading the file then says so. */
function realFolderOf(file: string): string {
  const folder = path.dirname(file);
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** What a step found, and what there is to say if it gave up. */
interface Outcome {
  found: Diagnostic[];
  crashes: Diagnostic[];
}

type Step = (root: Root, config: Config) => Promise<NormalizedProblem[]>;

const lint: Step = ({ file, resolver }, config) =>
  lintDocument({
    document: resolver.unbundled(file.source.absoluteRef) ?? file,
    config,
    externalRefResolver: new UnbundledFiles(resolver),
  });

const bundleInPlace: Step = async ({ file, resolver }, config) =>
  (await bundle({ doc: file, config, externalRefResolver: resolver })).problems;

async function run(step: Step, root: Root, { config, strict }: LintConfig): Promise<Outcome> {
  try {
    const problems = await step(root, config);
    const fileAt = (file: string) => root.resolver.unbundled(file);
    const context = { root: fileAt(root.file.source.absoluteRef) ?? root.file, fileAt, strict };
    return { found: toDiagnostics(problems, context), crashes: [] };
  } catch (error) {
    return { found: [], crashes: explainCrash(error, root) };
  }
}

/** Says in the document's terms why Redocly gave up. */
function explainCrash(error: unknown, { file, resolver, places }: Root): Diagnostic[] {
  const chains = findRefChains([...resolver.files.values()], resolver.files, undefined, places);
  if (chains.length > 0) return chains;
  const reason = error instanceof Error ? error.message : String(error);
  return [
    {
      severity: "error",
      message:
        error instanceof RangeError
          ? "The schemas refer to one another too deeply to be followed. Shorten the longest chain of schemas."
          : `The document cannot be checked: ${reason}. Correct what is unusual about it, or reduce it to find out.`,
      position: { file: file.source.absoluteRef, line: 1, col: 1, pointer: "" },
    },
  ];
}

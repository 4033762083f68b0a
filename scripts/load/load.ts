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
import { makeLintConfig, type LintConfig } from "./lint-config.js";
import { Places } from "./places.js";
import { sortDiagnostics, toDiagnostics } from "./problems.js";
import { ConfinedResolver } from "./resolver.js";
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
 * Does what `loadDocument` does, and leaves lint for later where it can: then other work can be begun in other
 * threads, and be thrown away if lint finds an error. A document whose references all lead to its own components
 * needs no bundling. Any other is linted first, because bundling changes the parsed files in place.
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
  let check = async () => judge(lintConfig, await runSteps(root, lintConfig, [lint]));
  if (root.file.selfContained) {
    // Bundling does this much to every document.
    document["components"] ??= {};
  } else {
    const warnings = judge(lintConfig, await runSteps(root, lintConfig, [lint, bundleInPlace]));
    check = () => Promise.resolve(warnings);
  }
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
function judge(lintConfig: LintConfig, found: Diagnostic[]): Diagnostic[] {
  const problems = sortDiagnostics([...lintConfig.problems, ...found]);
  if (problems.some((problem) => problem.severity === "error")) throw new DiagnosticError(problems);
  return problems;
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

type Step = (root: Root, config: Config) => Promise<NormalizedProblem[]>;

const lint: Step = ({ file, resolver }, config) =>
  lintDocument({ document: file, config, externalRefResolver: resolver });

const bundleInPlace: Step = async ({ file, resolver }, config) =>
  (await bundle({ doc: file, config, externalRefResolver: resolver })).problems;

async function runSteps(root: Root, { config, strict }: LintConfig, steps: Step[]): Promise<Diagnostic[]> {
  const context = { root: root.file, files: root.resolver.files, strict };
  const found: Diagnostic[] = [];
  for (const step of steps) {
    try {
      found.push(...toDiagnostics(await step(root, config), context));
    } catch (error) {
      // On a document with known errors a crash tells nothing new.
      if (!found.some((problem) => problem.severity === "error")) found.push(...explainCrash(error, root));
    }
  }
  return [...root.resolver.problems, ...found];
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

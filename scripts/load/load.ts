import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { bundle, lintDocument, ResolveError, type Document } from "@redocly/openapi-core";
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
  /** Warnings found by lint. Errors never come back: they throw DiagnosticError. */
  warnings: Diagnostic[];
  /**
   * Source position of a node of the bundled document given by JSON pointer into the bundled document
   * (e.g. "/paths/~1v1~1pages/get/operationId"); walks up to the nearest node with a known place.
   */
  locate(pointer: string): Position;
}

/**
 * Reads, lints and bundles an OpenAPI 3.0 or 3.1 document, once. The document may be hostile: nothing is
 * fetched, nothing outside its folder is read, no code of its folder runs, and its cost is limited.
 * @param specFile path of the root file
 * @param options.config lint configuration; `redocly.yaml` beside the root file when left out
 * @throws DiagnosticError with everything found, sorted, if there is an error
 */
export async function loadDocument(
  specFile: string,
  options: { config?: string } = {},
): Promise<LoadedDocument> {
  const root = await readRoot(path.resolve(specFile));
  const version = openApiVersion(root.file);
  if (typeof version !== "string") throw new DiagnosticError([version]);

  const beside = path.join(path.dirname(path.resolve(specFile)), "redocly.yaml");
  const configFile = options.config ?? (existsSync(beside) ? beside : undefined);
  const config = configFile === undefined ? undefined : (await readRoot(path.resolve(configFile))).file;
  const lintConfig = await makeLintConfig(config, version);

  const found = await lintAndBundle(root, lintConfig);
  const problems = sortDiagnostics([...lintConfig.problems, ...found]);
  if (problems.some((problem) => problem.severity === "error")) throw new DiagnosticError(problems);

  // Checked to be an object, and the parser gives nothing but JSON values.
  const document = root.file.parsed as JsonObject;
  sortComponents(document);
  const files = new Set(root.resolver.files.keys());
  if (config) files.add(config.source.absoluteRef);
  return {
    document,
    files: [...files].sort(),
    warnings: problems,
    locate: (pointer) => root.places.locate(document, pointer),
  };
}

interface Root {
  file: ParsedFile;
  resolver: ConfinedResolver;
  places: Places;
}

async function readRoot(file: string): Promise<Root> {
  const places = new Places();
  const resolver = new ConfinedResolver(file, realFolderOf(file), places);
  try {
    const document = await resolver.resolveDocument(null, file, true);
    if (document instanceof Error) throw document;
    return { file: document, resolver, places };
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

/** Lint comes first, because bundling changes the parsed files in place. */
async function lintAndBundle(root: Root, { config, strict }: LintConfig): Promise<Diagnostic[]> {
  const { file, resolver } = root;
  const document: Document = file;
  const context = { root: file, files: resolver.files, strict };
  const found: Diagnostic[] = [];
  const steps = [
    () => lintDocument({ document, config, externalRefResolver: resolver }),
    async () => (await bundle({ doc: document, config, externalRefResolver: resolver })).problems,
  ];
  for (const step of steps) {
    try {
      found.push(...toDiagnostics(await step(), context));
    } catch (error) {
      // On a document with known errors a crash tells nothing new.
      if (!found.some((problem) => problem.severity === "error")) found.push(...explainCrash(error, root));
    }
  }
  return [...resolver.problems, ...found];
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

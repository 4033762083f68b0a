import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { defaultEmitters, responseValidators } from "../../../scripts/emit/registry.js";
import { generateFiles } from "../../../scripts/generation.js";
import { sha256 } from "../../../scripts/hash.js";
import { formatDiagnosticIn } from "../../../scripts/print-diagnostics.js";
import { PROJECT } from "../../support/api-document.js";
import { SPECS } from "../../support/documents.js";

const FIXTURES = path.join(PROJECT, "test/fixtures");

/** Generated files of each fixture, one folder per document. Compiled by `npm run types` like any other code. */
export const SNAPSHOTS = path.join(FIXTURES, "snapshots");

/** Hashes of the generated code of the large documents in ../shared/specs. */
const HASHES = path.join(SNAPSHOTS, "hashes.json");

/** The documents with committed generated code, by the name of their folder. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  bodies: path.join(FIXTURES, "generate/bodies.yaml"),
  everything: path.join(FIXTURES, "generate/everything.yaml"),
  library: path.join(FIXTURES, "foreign/api.yaml"),
  names: path.join(FIXTURES, "generate/names.yaml"),
  orchard: path.join(FIXTURES, "orchard/openapi.yaml"),
  schemas: path.join(FIXTURES, "generate/schemas.yaml"),
  shapes: path.join(FIXTURES, "generate/shapes.yaml"),
  "shared-paths": path.join(FIXTURES, "generate/shared-paths.yaml"),
  streams: path.join(FIXTURES, "generate/streams.yaml"),
};

/** The documents with committed hashes only. */
export const HASHED = [
  "github.json",
  "openai.yaml",
  "opencode.yaml",
  "rebilly.yaml",
  "superset.json",
] as const;

type Files = Record<string, string>;
type Hashes = Record<string, Files>;

/**
 * Generates all artifacts of a document, and a list of its warnings if there are any. Leaves out the manifest, which changes with the
 * generator's sources.
 */
export async function generateArtifacts(spec: string, folder: string): Promise<Files> {
  const { files, warnings } = await generateFiles({
    spec,
    out: folder,
    emitters: [...defaultEmitters(), responseValidators()],
  });
  const lines = warnings.map((warning) => `${formatDiagnosticIn(path.dirname(spec), warning)}\n`);
  return Object.fromEntries([
    ...files.filter((file) => file.path !== "manifest.json").map((file) => [file.path, file.content]),
    ...(lines.length > 0 ? [["warnings.txt", lines.join("")]] : []),
  ]);
}

/** Reads the committed files of a document. */
export function readSnapshot(name: string): Files {
  const folder = path.join(SNAPSHOTS, name);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(names.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

/** Reads the committed hashes, by document and file. */
export function readHashes(): Hashes {
  // The cast: `updateSnapshots` wrote the file.
  return existsSync(HASHES) ? (JSON.parse(readFileSync(HASHES, "utf8")) as Hashes) : {};
}

/** Generates code for a document of `HASHED`, and returns the SHA-256 of each file. */
export async function hashFiles(document: string): Promise<Files> {
  const files = await generateArtifacts(path.join(SPECS, document), path.join(SNAPSHOTS, document));
  return Object.fromEntries(Object.entries(files).map(([file, content]) => [file, sha256(content)]));
}

/**
 * Replaces all snapshots. Keeps the hashes of documents that are not on this machine.
 * @returns an error for each document that cannot be compiled, whose snapshot stays as it is
 */
export async function updateSnapshots(): Promise<Error[]> {
  const errors: Error[] = [];
  const attempt = async (document: string, update: () => Promise<void>): Promise<void> => {
    await update().catch((cause: unknown) => errors.push(new Error(document, { cause })));
  };
  for (const [name, spec] of Object.entries(DOCUMENTS)) {
    const folder = path.join(SNAPSHOTS, name);
    await attempt(spec, async () => {
      const files = await generateArtifacts(spec, folder);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [file, content] of Object.entries(files)) writeFileSync(path.join(folder, file), content);
    });
  }
  const hashes = readHashes();
  for (const document of HASHED.filter((each) => existsSync(path.join(SPECS, each)))) {
    await attempt(document, async () => {
      hashes[document] = await hashFiles(document);
    });
  }
  writeFileSync(HASHES, `${JSON.stringify(hashes, null, 2)}\n`);
  return errors;
}

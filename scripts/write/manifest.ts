import { readFile } from "node:fs/promises";
import path from "node:path";
import { escapeInvisible } from "../code/encode.js";
import { type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { describeInvalidOutputPath, type GeneratedFile, MANIFEST_FILE } from "../emit/generated-file.js";
import { isObject, tryParseJson } from "../json.js";
import { compareText } from "../text.js";
import { hashTextFile } from "../hash.js";
import { allowMissing } from "../file-system.js";

/** Record of a generation: its generator, inputs and outputs. */
export interface Manifest {
  /** Hash of the toolkit and of the options that decide which files it emits. Zeros if they must be generated at every run. */
  generator: string;
  /** Names of the emitters that made the outputs. */
  emitters: readonly string[];
  /** Hashes of the documents, by path relative to the output folder with `/` as separator. */
  inputs: Record<string, string>;
  /** Hashes of the generated files, by path below the output folder. */
  outputs: Record<string, string>;
  /** Warnings about the documents, to be repeated while nothing changes. In the file, paths are like those of `inputs`. */
  warnings?: Diagnostic[] | undefined;
}

/** The facts of a generation that its manifest records. */
interface Generation extends Pick<Manifest, "generator" | "emitters" | "warnings"> {
  /** `hashTextFile` of every file that the document was read from, by path. */
  inputs: ReadonlyMap<string, string>;
  outputs: readonly GeneratedFile[];
}

/** Creates the manifest of a generation. */
export function buildManifest(
  outDir: string,
  { generator, emitters, inputs, outputs, warnings = [] }: Generation,
): GeneratedFile {
  const manifest: Manifest = {
    generator,
    emitters,
    inputs: createSortedRecord([...inputs].map(([file, hash]) => [getRelativePath(outDir, file), hash])),
    outputs: createSortedRecord(outputs.map((file) => [file.path, hashTextFile(file.content)])),
    ...(warnings.length > 0 ? { warnings: mapFiles(warnings, (file) => getRelativePath(outDir, file)) } : {}),
  };
  return { path: MANIFEST_FILE, content: `${escapeInvisible(JSON.stringify(manifest, null, 2))}\n` };
}

/**
 * Reads the manifest of an output folder. Returns undefined if there is none, or if the file is not a manifest of this
 * generator: it has another shape, or a path that is not allowed.
 */
export async function readManifest(outDir: string): Promise<Manifest | undefined> {
  const bytes = await readOptionalFile(path.join(outDir, MANIFEST_FILE));
  const manifest = bytes && tryParseJson(bytes.toString("utf8"));
  if (!isManifest(manifest)) return undefined;
  const warnings = mapFiles(manifest.warnings ?? [], (file) => path.resolve(outDir, file));
  return { ...manifest, warnings };
}

/**
 * Returns the manifest of an output folder if a generation would change nothing: the generator, all inputs and all outputs have the
 * recorded hashes.
 *
 * @param specFile must be among the recorded inputs: the folder may contain the output of another document
 */
export async function findUpToDateManifest(
  outDir: string,
  generatorHash: string,
  specFile: string,
): Promise<Manifest | undefined> {
  const manifest = await readManifest(outDir);
  if (manifest === undefined || manifest.generator !== generatorHash) return undefined;
  if (!Object.hasOwn(manifest.inputs, getRelativePath(outDir, specFile))) return undefined;
  // Sequential, inputs first: usually an input has changed, and the rest is not read.
  for (const [file, hash] of [...Object.entries(manifest.inputs), ...Object.entries(manifest.outputs)]) {
    const bytes = await readOptionalFile(path.resolve(outDir, file));
    if (bytes === undefined || hashTextFile(bytes) !== hash) return undefined;
  }
  return manifest;
}

/** Returns the path of a file or folder relative to the output folder, with `/` as separator. */
export function getRelativePath(outDir: string, file: string): string {
  return path.relative(path.resolve(outDir), path.resolve(file)).split(path.sep).join("/");
}

function createSortedRecord(entries: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value)) return false;
  const { generator, emitters, inputs, outputs, warnings = [] } = value;
  return (
    isHash(generator) &&
    Array.isArray(emitters) &&
    emitters.every((name) => typeof name === "string") &&
    isHashRecord(inputs) &&
    Object.keys(inputs).length > 0 &&
    isHashRecord(outputs) &&
    Object.keys(outputs).every((file) => describeInvalidOutputPath(file) === undefined) &&
    Array.isArray(warnings) &&
    warnings.every(isWarning)
  );
}

function isHashRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.values(value).every(isHash);
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isWarning(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { severity, message, position } = value;
  const hasFile = position === undefined || (isObject(position) && typeof position.file === "string");
  return severity === "warning" && typeof message === "string" && hasFile;
}

function mapFiles(diagnostics: readonly Diagnostic[], map: (file: string) => string): Diagnostic[] {
  return diagnostics.map(({ position, ...diagnostic }) =>
    position ? { ...diagnostic, position: { ...position, file: map(position.file) } } : diagnostic,
  );
}

async function readOptionalFile(file: string): Promise<Buffer | undefined> {
  const reading = readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EISDIR")
      throw new DiagnosticError(`${file} is a folder. Delete it or choose another --out.`);
    throw error;
  });
  return allowMissing(reading);
}

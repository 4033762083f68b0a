import { readFile } from "node:fs/promises";
import path from "node:path";
import type { GeneratedFile } from "../model/model.js";
import { sha256, sourceHash } from "./hash.js";
import { isAllowedPath, isMissing, MANIFEST_FILE, outputError } from "./paths.js";

/** Record of a generation: its generator, inputs and outputs. */
export interface Manifest {
  /** Hash of the generator's sources and tool versions. */
  generator: string;
  /** Hashes of the documents, by path relative to the output folder with `/` as separator. */
  inputs: Record<string, string>;
  /** Hashes of the generated files, by path below the output folder. */
  outputs: Record<string, string>;
}

/**
 * Creates the manifest of a generation.
 *
 * @param generator from `generatorHash()`
 * @param inputs `sourceHash` of every file that the document was read from, by path
 * @param outputs the generated files without the manifest
 */
export function buildManifest(
  outDir: string,
  generator: string,
  inputs: ReadonlyMap<string, string>,
  outputs: readonly GeneratedFile[],
): GeneratedFile {
  const inputHashes = [...inputs].map(([file, hash]): [string, string] => [
    relativeInput(outDir, file),
    hash,
  ]);
  const manifest: Manifest = {
    generator,
    inputs: sortedRecord(inputHashes),
    outputs: sortedRecord(outputs.map((file): [string, string] => [file.path, sha256(file.content)])),
  };
  return { path: MANIFEST_FILE, content: `${JSON.stringify(manifest, null, 2)}\n` };
}

/**
 * Reads the manifest of an output folder. Returns undefined if there is none, or if the file is not a manifest of this
 * generator: it has another shape, or a path that is not allowed.
 */
export async function readManifest(outDir: string): Promise<Manifest | undefined> {
  const text = await readText(path.join(outDir, MANIFEST_FILE));
  return text === undefined ? undefined : parseManifest(text);
}

/**
 * Whether a generation would change nothing: the generator, all inputs and all outputs have the recorded hashes.
 *
 * @param specFile must be among the recorded inputs: the folder may contain the output of another document
 */
export async function isUpToDate(
  outDir: string,
  currentGenerator: string,
  specFile?: string,
): Promise<boolean> {
  const manifest = await readManifest(outDir);
  if (manifest === undefined || manifest.generator !== currentGenerator) return false;
  if (specFile !== undefined && !Object.hasOwn(manifest.inputs, relativeInput(outDir, specFile)))
    return false;
  // Sequential, inputs first: usually an input has changed, and the rest is not read.
  for (const [file, hash] of Object.entries(manifest.inputs)) {
    const bytes = await readBytes(path.resolve(outDir, file));
    if (bytes === undefined || sourceHash(bytes) !== hash) return false;
  }
  for (const [file, hash] of Object.entries(manifest.outputs)) {
    const bytes = await readBytes(path.resolve(outDir, file));
    if (bytes === undefined || sha256(bytes) !== hash) return false;
  }
  return true;
}

function relativeInput(outDir: string, file: string): string {
  return path.relative(path.resolve(outDir), path.resolve(file)).split(path.sep).join("/");
}

function sortedRecord(entries: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { generator, inputs, outputs }: Partial<Record<keyof Manifest, unknown>> = value;
  if (!isHash(generator) || !isHashes(inputs) || !isHashes(outputs)) return undefined;
  const files = Object.keys(outputs);
  if (Object.keys(inputs).length === 0 || files.includes(MANIFEST_FILE) || !files.every(isAllowedPath))
    return undefined;
  return { generator, inputs, outputs };
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isHashes(value: unknown): value is Record<string, string> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isHash)
  );
}

async function readText(file: string): Promise<string | undefined> {
  return (await readBytes(file))?.toString("utf8");
}

/** Content of a file; undefined if it does not exist. */
async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof Error && "code" in error && error.code === "EISDIR")
      throw outputError(`${file} is a folder. Delete it or choose another --out.`);
    throw error;
  }
}

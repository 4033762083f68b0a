import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DiagnosticError } from "../diagnostic.js";
import { sha256, hashTextFile } from "../hash.js";
import { allowMissing, readNearestFile } from "../file-system.js";

/** Packages that the generator runs, whose versions affect the output. */
export const TOOLS = [
  "@redocly/openapi-core",
  "js-yaml",
  "openapi-typescript",
  "ts-morph",
  "typescript",
] as const;

/** File in the compiled generator with the hash of its sources; the build writes it. */
export const STAMP_FILE = "sources.sha256";

/**
 * Computes the hash of everything besides the inputs that affects the output: the sources of the generator and the
 * installed versions of its tools. It is the same for the compiled generator and for its sources.
 *
 * @param folder the sources or the compiled files; by default the folder that contains this file
 * @throws DiagnosticError if a tool is not installed
 */
export async function hashGenerator(
  folder: string = fileURLToPath(new URL("..", import.meta.url)),
): Promise<string> {
  const stamp = await allowMissing(readFile(path.join(folder, STAMP_FILE), "utf8"));
  const sources = stamp ?? (await hashSources(folder));
  const tools = await Promise.all(
    TOOLS.map(async (name) => [name, await findInstalledVersion(name, folder)]),
  );
  return sha256(JSON.stringify({ sources, tools }));
}

/**
 * Computes the hash of the names and texts of all sources in a folder, except `project/`, whose chores do not affect the output.
 */
export async function hashSources(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((name) => !name.startsWith("project/"))
    .sort();
  const hashes = await Promise.all(
    names.map(async (name) => [name, hashTextFile(await readFile(path.join(folder, name)))]),
  );
  return sha256(JSON.stringify(hashes));
}

/**
 * Finds the version of a package. Searches parent folders as Node does, because many packages do not export their
 * package.json, so that it cannot be resolved.
 */
async function findInstalledVersion(name: string, from: string): Promise<string> {
  const manifest = await readNearestFile(path.resolve(from), path.join("node_modules", name, "package.json"));
  if (!manifest) throw new DiagnosticError(`The package ${name} is not installed. Run \`npm install\`.`);
  // Safe cast: every package.json of an installed package has a version.
  return (JSON.parse(manifest.text) as { version: string }).version;
}

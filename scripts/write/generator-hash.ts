import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DiagnosticError } from "../diagnostic.js";
import { sha256, sha256OfSource } from "./hash.js";
import { isMissing } from "./paths.js";

/** Packages whose version changes what is generated. */
const TOOLS = ["@redocly/openapi-core", "openapi-typescript", "ts-morph", "typescript"] as const;

/** Written by the build into the compiled generator: the hash of the sources that it was compiled from. */
export const STAMP_FILE = "sources.sha256";

/**
 * Hash of everything but the inputs that decides what is generated: the generator's sources and the
 * versions of its tools as they are installed. The compiled generator has the same as its sources.
 * @param folder the generator's sources, or the folder they were compiled to; the one this file is in when left out
 * @throws DiagnosticError if a tool is not installed
 */
export async function generatorHash(
  folder: string = fileURLToPath(new URL("..", import.meta.url)),
): Promise<string> {
  const sources = (await stampOf(folder)) ?? (await sourcesHash(folder));
  const tools = await Promise.all(TOOLS.map(async (name) => [name, await installedVersion(name, folder)]));
  return sha256(JSON.stringify({ sources, tools }));
}

/** Hash of the names and texts of all sources in a folder. */
export async function sourcesHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file): [string, string] => [path.relative(folder, file).split(path.sep).join("/"), file])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const hashes = await Promise.all(
    files.map(async ([name, file]) => [name, sha256OfSource(await readFile(file, "utf8"))]),
  );
  return sha256(JSON.stringify(hashes));
}

async function stampOf(folder: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(folder, STAMP_FILE), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Looks upwards as Node does. Many packages do not export their package.json, so it cannot be resolved. */
async function installedVersion(name: string, from: string): Promise<string> {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    try {
      const text = await readFile(path.join(folder, "node_modules", name, "package.json"), "utf8");
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === "object" && parsed !== null && "version" in parsed) return String(parsed.version);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (path.dirname(folder) === folder) throw notInstalled(name);
  }
}

/** Who installed the package for its client alone has none of the tools. */
function notInstalled(name: string): DiagnosticError {
  const message = `the package ${name} is not installed, and generate needs it: run \`npm install --include=optional\``;
  return new DiagnosticError([{ severity: "error", message }]);
}

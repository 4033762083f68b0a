import { readFile } from "node:fs/promises";
import path from "node:path";
import { toModuleSpecifier } from "../file-system.js";
import type { Runtime } from "./emitter.js";

const PACKAGE = "openapi-compiler";

/**
 * Finds the module specifiers with which generated code in a folder imports the runtimes. These are entry points of the
 * package, unless the nearest package.json names a folder with the runtimes: `"openapi-compiler": { "runtime": "src" }`.
 * The toolkit's own repository uses this setting, because it cannot install itself.
 */
export async function findRuntimeModules(outDir: string): Promise<Runtime> {
  const folder = await findRuntimeFolder(path.resolve(outDir));
  if (folder === undefined) return { http: `${PACKAGE}/http`, fetch: `${PACKAGE}/fetch` };
  const getSpecifier = (name: string): string =>
    toModuleSpecifier(path.relative(path.resolve(outDir), path.join(folder, name, "index.js")));
  return { http: getSpecifier("http"), fetch: getSpecifier("fetch") };
}

/** Finds the folder in the setting of the nearest package.json; undefined if it has no such setting. */
async function findRuntimeFolder(outDir: string): Promise<string | undefined> {
  for (let folder = outDir; ; folder = path.dirname(folder)) {
    const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) {
      const runtime = readRuntimeSetting(text);
      return runtime === undefined ? undefined : path.resolve(folder, runtime);
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

function readRuntimeSetting(manifest: string): string | undefined {
  try {
    const runtime: unknown = JSON.parse(manifest)?.[PACKAGE]?.runtime;
    return typeof runtime === "string" ? runtime : undefined;
  } catch {
    return undefined;
  }
}

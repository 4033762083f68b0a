import path from "node:path";
import { readNearestFile, toModuleSpecifier } from "../file-system.js";
import { findValue, tryParseJson } from "../json.js";
import type { Runtime } from "./emitter.js";

const PACKAGE = "openapi-compiler";

/**
 * Finds the module specifiers with which generated code in a folder imports the runtimes. These are entry points of the
 * package, unless the nearest package.json names a folder with the runtimes: `"openapi-compiler": { "runtime": "src" }`.
 * The toolkit's own repository uses this setting, because it cannot install itself.
 */
export async function findRuntimeModules(outDir: string): Promise<Runtime> {
  const folder = path.resolve(outDir);
  const manifest = await readNearestFile(folder, "package.json");
  const runtime = findValue(tryParseJson(manifest?.text ?? ""), `/${PACKAGE}/runtime`);
  if (!manifest || typeof runtime !== "string") return { http: `${PACKAGE}/http`, fetch: `${PACKAGE}/fetch` };
  const getSpecifier = (name: string): string =>
    toModuleSpecifier(path.relative(folder, path.resolve(manifest.folder, runtime, name, "index.js")));
  return { http: getSpecifier("http"), fetch: getSpecifier("fetch") };
}

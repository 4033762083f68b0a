import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Runtime } from "./emitter.js";

const PACKAGE = "openapi-compiler";

/**
 * Finds the module specifiers of the runtimes for generated code in a folder. They belong to the package, unless the
 * nearest package.json names a folder with the runtimes: `"openapi-compiler": { "runtime": "src" }`. The toolkit's own
 * repository uses this setting, because it cannot install itself.
 */
export async function findRuntime(out: string): Promise<Runtime> {
  const folder = await findRuntimeFolder(path.resolve(out));
  if (folder === undefined) return { http: `${PACKAGE}/http`, fetch: `${PACKAGE}/fetch` };
  const relative = path.relative(path.resolve(out), folder).split(path.sep).join("/");
  const prefix = relative.startsWith(".") ? relative : `./${relative}`;
  return { http: `${prefix}/http/index.js`, fetch: `${prefix}/fetch/index.js` };
}

async function findRuntimeFolder(out: string): Promise<string | undefined> {
  for (let folder = out; ; folder = path.dirname(folder)) {
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

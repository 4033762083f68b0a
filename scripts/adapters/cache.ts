import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../write/hash.js";
import type { AdapterReport } from "./report.js";

/** Folder for files of tools that can be deleted at any time. */
const CACHE = path.join("node_modules", ".cache", "openapi-compiler", "adapters");

/**
 * Plans adapters unless they were complete in the last run and no file has changed since: loading ts-morph and parsing
 * take longer than everything else in a run without changes.
 *
 * @param manifest text of the manifest, which identifies the generator and the document
 */
export async function planIfChanged(
  dir: string,
  manifest: string,
  plan: () => Promise<AdapterReport>,
): Promise<AdapterReport> {
  const names = (await readdir(dir).catch(() => [])).sort();
  const files = await Promise.all(
    names.map((name) => readFile(path.join(dir, name), "utf8").catch(() => "")),
  );
  const key = sha256(JSON.stringify([manifest, path.resolve(dir), names, files]));
  if ((await readFile(CACHE, "utf8").catch(() => "")) === key) return { edits: [], diagnostics: [] };
  const report = await plan();
  if (report.edits.length === 0 && report.diagnostics.length === 0)
    // Best effort: without a node_modules folder, nothing is cached.
    await access("node_modules")
      .then(() => mkdir(path.dirname(CACHE), { recursive: true }))
      .then(() => writeFile(CACHE, key))
      .catch(() => undefined);
  return report;
}

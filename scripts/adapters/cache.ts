import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../hash.js";
import type { AdapterReport } from "./plan.js";

export const NO_EDITS: AdapterReport = { edits: [], diagnostics: [], needsManualChange: false };

/**
 * File with the hash of the manifest and the adapters of the last run that had nothing to add or report. It can be deleted at any
 * time.
 */
const CACHE_FILE = path.join("node_modules", ".cache", "openapi-compiler", "adapters");

/**
 * Plans adapters, unless the last run found them complete and no file has changed since. Skipping the plan saves most of
 * the time of a run without changes, because it loads ts-morph and parses the adapters.
 *
 * @param manifest text of the manifest, which has the hashes of the generator and the document
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
  if ((await readFile(CACHE_FILE, "utf8").catch(() => "")) === key) return NO_EDITS;
  const report = await plan();
  if (report.edits.length === 0 && report.diagnostics.length === 0)
    // Best effort: without a node_modules folder, nothing is cached.
    await access("node_modules")
      .then(() => mkdir(path.dirname(CACHE_FILE), { recursive: true }))
      .then(() => writeFile(CACHE_FILE, key))
      .catch(() => undefined);
  return report;
}

import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../hash.js";
import { readAdapterFolder } from "./files.js";
import type { AdapterPlan } from "./plan.js";

export const NO_EDITS: AdapterPlan = { edits: [], diagnostics: [], hasOrphans: false };

/**
 * File with the hash of the manifest and the adapters of the last run that had nothing to add or report. It can be deleted at any
 * time.
 */
const CACHE_FILE = path.join("node_modules", ".cache", "openapi-compiler", "adapters");

/**
 * Plans adapters, unless the last run found them complete and no file has changed since. For a document with 20 operations this
 * reduces the processor time of such a run from 1.3 s to 0.4 s, because neither ts-morph nor the document is loaded.
 *
 * @param dir absolute path of the adapters
 * @param manifest text of the manifest, which has the hashes of the generator and the document
 */
export async function planUnlessCached(
  dir: string,
  manifest: string,
  plan: () => Promise<AdapterPlan>,
): Promise<AdapterPlan> {
  const key = sha256(JSON.stringify([manifest, dir, await readAdapterFolder(dir)]));
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

import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../write/hash.js";

/**
 * Remembers adapters that were found complete, so that a run that finds nothing changed need not parse them: loading
 * the parser alone takes a quarter of a second. It lives where other tools keep what can be thrown away at any time.
 */
const CACHE = path.join("node_modules", ".cache", "page-service", "adapters");

/** A text that is the same only while the generator, the generated files and every file in `dir` are. */
export async function settledKey(dir: string, generator: string, outDir: string): Promise<string> {
  const names = (await readdir(dir).catch(() => [])).sort();
  const files = await Promise.all(
    names.map((name) => readFile(path.join(dir, name), "utf8").catch(() => "")),
  );
  const manifest = await readFile(path.join(outDir, "manifest.json"), "utf8");
  return sha256(JSON.stringify([generator, manifest, dir, names, files]));
}

/** Whether the adapters of this key were found complete, by an earlier run on this machine. */
export async function isSettled(key: string): Promise<boolean> {
  return (await readFile(CACHE, "utf8").catch(() => "")) === key;
}

/** Notes that the adapters of this key are complete. Where that cannot be noted the next run parses them again. */
export async function settle(key: string): Promise<void> {
  // Where there is no node_modules none is made for the sake of this.
  await stat("node_modules")
    .then(() => mkdir(path.dirname(CACHE), { recursive: true }))
    .then(() => writeFile(CACHE, key))
    .catch(() => undefined);
}

import { lstat, readFile, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { type GeneratedFile, isAllowedPath, MANIFEST_FILE, PATH_RULE } from "../emit/generated-file.js";
import { GENERATED_NOTICE } from "../code/encode.js";
import { DiagnosticError, type Diagnostic } from "../diagnostic.js";
import { normalizeLineEnds } from "../hash.js";
import { type Replacement, replaceFiles } from "./replace-files.js";
import { readManifest } from "./manifest.js";
import { allowMissing, isInside } from "../file-system.js";

/** The changes of a generation to its output folder. Paths are relative to it, with `/` as separator, and sorted. */
export interface WritePlan {
  added: string[];
  changed: string[];
  /** Files of the last generation that are not generated any more. */
  stale: string[];
}

/**
 * Compares generated files, including the manifest, with the output folder. Writes nothing.
 *
 * @throws DiagnosticError for paths that are not allowed, and for existing files that were not generated
 */
export async function planWrites(outDir: string, files: readonly GeneratedFile[]): Promise<WritePlan> {
  const folder = path.resolve(outDir);
  if (folder === path.parse(folder).root)
    throw new DiagnosticError(
      "--out must not be the root of the file system. Name a folder for generated files only.",
    );
  const manifest = await readManifest(outDir);
  const owned = new Set(Object.keys(manifest?.outputs ?? {}));
  const plan: WritePlan = { added: [], changed: [], stale: [] };
  const foreign: Diagnostic[] = [];

  for (const { path: file, content } of files) {
    const target = await resolveOutput(outDir, file);
    const stats = await allowMissing(lstat(target));
    if (!stats) {
      plan.added.push(file);
      continue;
    }
    if (!stats.isFile() && !stats.isSymbolicLink())
      throw new DiagnosticError(`${target} is not a file. Delete it or choose another --out.`);
    // A link is replaced even if its target has the same text: generated files are regular files.
    const bytes = stats.isFile() ? await readFile(target) : undefined;
    // With other line ends, which git converts on Windows, a file counts as unchanged.
    const isUnchanged = bytes && normalizeLineEnds(bytes).equals(normalizeLineEnds(Buffer.from(content)));
    if (!isUnchanged) plan.changed.push(file);
    const isOurs =
      isUnchanged === true ||
      owned.has(file) ||
      (file === MANIFEST_FILE ? manifest !== undefined : manifest === undefined && hasBanner(bytes));
    if (!isOurs)
      foreign.push({
        severity: "error",
        message: `${target} was not generated and would be overwritten. Delete it or choose another --out.`,
      });
  }
  if (foreign.length > 0) throw new DiagnosticError(foreign);

  const generated = new Set(files.map((file) => file.path));
  for (const file of owned) {
    if (generated.has(file)) continue;
    if (await allowMissing(lstat(await resolveOutput(outDir, file)))) plan.stale.push(file);
  }
  for (const list of [plan.added, plan.changed, plan.stale]) list.sort();
  return plan;
}

/**
 * Writes added and changed files atomically, removes stale ones, and writes the manifest last: an interrupted generation leaves
 * the old manifest, so the next run finds it out of date. The old manifest does not list the files that the interrupted one added.
 *
 * @throws the file system's error; DiagnosticError for a path that is not allowed, before anything is written
 */
export async function applyWrites(
  outDir: string,
  files: readonly GeneratedFile[],
  plan: WritePlan,
): Promise<void> {
  const wanted = new Set([...plan.added, ...plan.changed]);
  const writes: Replacement[] = [];
  for (const { path: file, content } of files)
    if (wanted.has(file)) writes.push({ file: await resolveOutput(outDir, file), content });
  const staleFiles = await Promise.all(plan.stale.map((file) => resolveOutput(outDir, file)));
  const manifest = path.resolve(outDir, MANIFEST_FILE);

  await replaceFiles(writes.filter(({ file }) => file !== manifest));
  for (const file of staleFiles) {
    await rm(file, { force: true });
    const folder = path.dirname(file);
    // Fails for a folder that still has files.
    if (folder !== path.resolve(outDir)) await rmdir(folder).catch(() => undefined);
  }
  await replaceFiles(writes.filter(({ file }) => file === manifest));
}

function hasBanner(bytes: Buffer | undefined): boolean {
  return bytes?.toString().split("\n", 1)[0]?.includes(GENERATED_NOTICE) === true;
}

/**
 * Resolves the absolute path of an output, and checks it again where it is used.
 *
 * @throws DiagnosticError if the path is not on the allow-list or leads out of the folder, or if its subfolder is a file or
 *   a link
 */
async function resolveOutput(outDir: string, file: string): Promise<string> {
  const folder = path.resolve(outDir);
  const target = path.resolve(folder, file);
  if (!isAllowedPath(file) || !isInside(folder, target))
    throw new DiagnosticError(`The output path ${JSON.stringify(file)} is not allowed. ${PATH_RULE}`);
  const subfolder = path.dirname(target);
  const stats = subfolder === folder ? undefined : await allowMissing(lstat(subfolder));
  if (stats && !stats.isDirectory())
    throw new DiagnosticError(
      `${subfolder} is not a folder, or is a link. Delete it or choose another --out.`,
    );
  return target;
}

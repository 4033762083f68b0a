import { lstat, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { type Replacement, replaceFiles } from "../write/atomic.js";
import { isInside, allowMissing } from "../write/paths.js";
import { type AdapterEdit, diagnoseFile } from "./report.js";

/**
 * Writes edits atomically and keeps file permissions. Symbolic links are followed inside the adapters folder only. All
 * targets are checked before the first one is written.
 *
 * @throws DiagnosticError for a file that changed since the edit was planned, is read-only or leads out of the folder
 */
export async function applyAdapterEdits(edits: readonly AdapterEdit[]): Promise<void> {
  const replacements: Replacement[] = [];
  for (const edit of edits) replacements.push({ ...(await checkTarget(edit)), content: edit.content });
  await replaceFiles(replacements);
}

/** Checks the target of an edit. Returns the file to replace, with symbolic links resolved, and its permissions. */
async function checkTarget({
  file,
  created,
  previousContent,
}: AdapterEdit): Promise<Pick<Replacement, "file" | "mode">> {
  const refuse = (message: string): DiagnosticError =>
    new DiagnosticError([diagnoseFile("error", file, message)]);
  if (created) {
    if (await allowMissing(lstat(file)))
      throw refuse("This file was created in the meantime. Generate again.");
    return { file };
  }
  const real = await realpath(file);
  if (!isInside(await realpath(path.dirname(file)), real))
    throw refuse("This symbolic link leads out of the adapters folder. It was not written.");
  if ((await readFile(real, "utf8")) !== previousContent)
    throw refuse("This file was changed in the meantime. Generate again.");
  const mode = (await stat(real)).mode & 0o7777;
  // Checked, because a rename replaces even a read-only file.
  if ((mode & 0o222) === 0) throw refuse("This file is read-only. It was not written.");
  return { file: real, mode };
}

import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createFileDiagnostic, type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { type Replacement, replaceFiles } from "../write/replace-files.js";
import { allowMissing } from "../file-system.js";

const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** A hand-written file that may contain handlers. */
export interface AdapterFile {
  /** Absolute path. */
  file: string;
  text: string;
  /** The reason why the file must not be edited. It may still contain an implementation, so no second one is created. */
  refusal?: Diagnostic;
}

/** A change to a hand-written file that adds stubs for its missing handlers, or a new file. */
export interface AdapterEdit {
  /** Absolute path. */
  file: string;
  /** The whole file after the edit. */
  content: string;
  /**
   * Names of the operations that receive a stub, in the order of the file. Empty if the edit only registers new adapters
   * in the `Handlers` object.
   */
  addedHandlers: string[];
  created: boolean;
  /** The whole existing file before the edit. A file that changed since then is not overwritten. */
  previousContent?: string;
}

/** Reads the adapters directly in a folder, and the names of all files there. A missing folder counts as empty. */
export async function readAdapterFolder(dir: string): Promise<{ names: string[]; files: AdapterFile[] }> {
  const reading = readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR")
      throw new DiagnosticError(`${dir} is not a folder. Choose another --adapters.`);
    throw error;
  });
  const names = ((await allowMissing(reading)) ?? []).sort();
  const files: AdapterFile[] = [];
  for (const name of names.filter(isAdapterName)) {
    const file = path.join(dir, name);
    const stats = await allowMissing(lstat(file));
    if (stats?.isFile() || stats?.isSymbolicLink()) files.push(await readAdapter(file, stats));
  }
  return { names, files };
}

async function readAdapter(file: string, stats: Stats): Promise<AdapterFile> {
  const refuse = (text: string, problem: string, remedy: string): AdapterFile => {
    const message = `This file ${problem}, so no handlers are added to it. ${remedy}`;
    return { file, text, refusal: createFileDiagnostic("warning", file, message) };
  };
  // A link could lead out of the folder, and an edit would replace it instead of its target.
  if (stats.isSymbolicLink()) return refuse("", "is a symbolic link", "Replace the link with the file.");
  if (stats.size > MAX_FILE_BYTES)
    return refuse("", `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`, "Split it.");
  const bytes = await readFile(file);
  if (isUtf8(bytes)) return { file, text: bytes.toString() };
  // An edit is saved as UTF-8, so it would change the bytes of another encoding. Implementations are still found, because
  // Latin-1 keeps identifiers with letters that are not UTF-8.
  return refuse(bytes.toString("latin1"), "is not UTF-8 text", "Save it as UTF-8.");
}

/** Whether a file with this name may contain handlers. */
export function isAdapterName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/\.(d|spec|test)\.m?ts$/.test(name);
}

/**
 * Writes edits atomically and keeps file permissions. All files are checked before the first one is written.
 *
 * @throws DiagnosticError for a file that changed since the edit was planned or is read-only
 */
export async function applyAdapterEdits(edits: readonly AdapterEdit[]): Promise<void> {
  const replacements: Replacement[] = [];
  for (const edit of edits) replacements.push(await checkEdit(edit));
  await replaceFiles(replacements);
}

async function checkEdit({ file, content, previousContent }: AdapterEdit): Promise<Replacement> {
  const createError = (message: string): DiagnosticError =>
    new DiagnosticError([createFileDiagnostic("error", file, message)]);
  const stats = await allowMissing(lstat(file));
  const currentContent = stats?.isFile() ? await readFile(file, "utf8") : undefined;
  if (currentContent !== previousContent || (stats && !stats.isFile()))
    throw createError("This file was changed in the meantime. Generate again.");
  if (!stats) return { file, content };
  const mode = stats.mode & 0o7777;
  // Checked, because a rename replaces even a read-only file.
  if ((mode & 0o222) === 0) throw createError("This file is read-only. It was not written.");
  return { file, content, mode };
}

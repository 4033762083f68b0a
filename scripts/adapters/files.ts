import { isUtf8 } from "node:buffer";
import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createFileDiagnostic, DiagnosticError } from "../diagnostic.js";
import { type Replacement, replaceFiles } from "../write/replace-files.js";
import { allowMissing } from "../file-system.js";
import { compareText } from "../text.js";

/** A hand-written file that may contain handlers. */
export interface AdapterFile {
  /** Absolute path. */
  file: string;
  text: string;
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

/**
 * Reads the adapters directly in a folder, and lists the paths of all files there. A missing folder counts as empty.
 *
 * @throws DiagnosticError for a file that is not UTF-8 text
 */
export async function readAdapterFolder(dir: string): Promise<{ paths: string[]; files: AdapterFile[] }> {
  const reading = readdir(dir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR")
      throw new DiagnosticError(`${dir} is not a folder. Choose another --adapters.`);
    throw error;
  });
  const entries = ((await allowMissing(reading)) ?? []).sort((one, other) =>
    compareText(one.name, other.name),
  );
  const files: AdapterFile[] = [];
  for (const entry of entries) {
    const file = path.join(dir, entry.name);
    // Links are not followed, because an edit would replace the link instead of its target.
    if (!entry.isFile() || !/\.m?ts$/.test(file) || /\.(d|spec|test)\.m?ts$/.test(file)) continue;
    const bytes = await readFile(file);
    // An edit is saved as UTF-8, so it would change the bytes of another encoding.
    if (!isUtf8(bytes)) throw createFileError(file, "This file is not UTF-8 text. Save it as UTF-8.");
    files.push({ file, text: bytes.toString() });
  }
  return { paths: entries.map(({ name }) => path.join(dir, name)), files };
}

/**
 * Writes edits atomically and keeps file permissions. All files are checked before the first one is written.
 *
 * @throws DiagnosticError for a file that changed since the edit was planned or is read-only
 */
export async function applyAdapterEdits(edits: readonly AdapterEdit[]): Promise<void> {
  await replaceFiles(await Promise.all(edits.map(checkEdit)));
}

async function checkEdit({ file, content, previousContent }: AdapterEdit): Promise<Replacement> {
  const stats = await allowMissing(lstat(file));
  const currentContent = stats?.isFile() ? await readFile(file, "utf8") : undefined;
  if (currentContent !== previousContent || (stats && !stats.isFile()))
    throw createFileError(file, "This file was changed in the meantime. Generate again.");
  if (!stats) return { file, content };
  const mode = stats.mode & 0o7777;
  // Checked, because a rename replaces even a read-only file.
  if ((mode & 0o222) === 0) throw createFileError(file, "This file is read-only. It was not written.");
  return { file, content, mode };
}

function createFileError(file: string, message: string): DiagnosticError {
  return new DiagnosticError([createFileDiagnostic("error", file, message)]);
}

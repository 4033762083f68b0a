import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { isMissing } from "../write/paths.js";

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

/** A hand-written file. */
export interface AdapterFile {
  /** Absolute path. */
  file: string;
  /** Content without the byte order mark, so that positions are the ones that editors show. */
  text: string;
  /** The byte order mark, or an empty string. */
  mark: string;
}

/** The files of an adapters folder. */
export interface AdapterFolder {
  /** Absolute path. */
  dir: string;
  /** Names of all files and folders in it. */
  names: string[];
  files: AdapterFile[];
  /** Files that are left alone. They may contain an implementation, so no second one may be created. */
  skipped: Pick<AdapterFile, "file" | "text">[];
  diagnostics: Diagnostic[];
}

/** Reads the adapters directly in a folder. A missing folder counts as empty. */
export async function readAdapterFolder(dir: string): Promise<AdapterFolder> {
  const folder: AdapterFolder = {
    dir: path.resolve(dir),
    names: [],
    files: [],
    skipped: [],
    diagnostics: [],
  };
  try {
    folder.names = (await readdir(folder.dir)).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR")
      throw new DiagnosticError([
        { severity: "error", message: `${folder.dir} is not a folder. Choose another --adapters.` },
      ]);
    if (isMissing(error)) return folder;
    throw error;
  }
  const realDir = await realpath(folder.dir);
  const seen = new Set<string>();
  for (const name of folder.names.filter(isAdapterName)) {
    const file = path.join(folder.dir, name);
    const found = await readAdapter(file, realDir, seen);
    if (found === undefined) continue;
    if ("mark" in found) {
      folder.files.push(found);
      continue;
    }
    folder.skipped.push({ file, text: found.text });
    const position = { file, line: 1, col: 1, pointer: "" };
    folder.diagnostics.push({
      severity: "warning",
      message: `${found.reason} This file is left alone.`,
      position,
    });
  }
  return folder;
}

/** Reads one file; returns undefined for folders and for second names of a file. */
async function readAdapter(
  file: string,
  realDir: string,
  seen: Set<string>,
): Promise<AdapterFile | { reason: string; text: string } | undefined> {
  const real = await realpath(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (real === undefined) return { reason: "The target of this symbolic link does not exist.", text: "" };
  if (!isInside(realDir, real))
    return { reason: "This symbolic link leads out of the adapters folder.", text: "" };
  if (seen.has(real)) return undefined;
  seen.add(real);
  const stats = await stat(real);
  if (!stats.isFile()) return undefined;
  if (stats.size > MAX_FILE_BYTES)
    return { reason: `Larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`, text: "" };
  const bytes = await readFile(real);
  try {
    // Fatal: an edit would replace bytes that are not UTF-8.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    return { file, text: text.slice(mark.length), mark };
  } catch {
    return { reason: "Not UTF-8.", text: bytes.toString("latin1") };
  }
}

/** Whether a file may contain handlers. */
export function isAdapterName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/\.(d|test)\.m?ts$/.test(name);
}

/** Whether a file lies below a folder; both paths are absolute, with symbolic links resolved. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import type { Diagnostic } from "../diagnostic.js";
import { isInside, allowMissing } from "../write/paths.js";
import { diagnoseFile } from "./report.js";

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

/** A hand-written file that may contain handlers. */
export interface AdapterFile {
  /** Absolute path. */
  file: string;
  /** Content without the byte order mark, so that positions match those in editors. */
  text: string;
  /** The byte order mark, or an empty string. */
  byteOrderMark: string;
  /** The reason why the file must not be edited. It may still contain an implementation, so no second one is created. */
  problem?: Diagnostic;
}

/** Reads the adapters directly in a folder, and the names of all files there. A missing folder counts as empty. */
export async function readAdapterFolder(dir: string): Promise<{ names: string[]; files: AdapterFile[] }> {
  const reading = readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR")
      throw new DiagnosticError(`${dir} is not a folder. Choose another --adapters.`);
    throw error;
  });
  const names = (await allowMissing(reading)) ?? [];
  // Keyed by real path, so that a file with two names counts as one adapter.
  const files = new Map<string, AdapterFile>();
  for (const name of names.sort().filter(isAdapterName)) {
    const file = path.join(dir, name);
    const realFile = await allowMissing(realpath(file));
    if (files.has(realFile ?? file)) continue;
    const adapter = await readAdapter(file, realFile, await realpath(dir));
    if (adapter) files.set(realFile ?? file, adapter);
  }
  return { names, files: [...files.values()] };
}

/**
 * Reads one file. Returns undefined for a folder.
 *
 * @param realFile the file with symbolic links resolved; undefined if their target does not exist
 */
async function readAdapter(
  file: string,
  realFile: string | undefined,
  dir: string,
): Promise<AdapterFile | undefined> {
  const rejectFile = (reason: string, text = ""): AdapterFile => {
    const problem = diagnoseFile("warning", file, `${reason} This file is left alone.`);
    return { file, text, byteOrderMark: "", problem };
  };
  if (realFile === undefined) return rejectFile("The target of this symbolic link does not exist.");
  if (!isInside(dir, realFile)) return rejectFile("This symbolic link leads out of the adapters folder.");
  const stats = await stat(realFile);
  if (!stats.isFile()) return undefined;
  if (stats.size > MAX_FILE_BYTES) return rejectFile(`Larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`);
  const bytes = await readFile(realFile);
  // Decoding replaces bytes that are not UTF-8, so an edit would lose them.
  if (!isUtf8(bytes)) return rejectFile("Not UTF-8.", bytes.toString("latin1"));
  const text = bytes.toString();
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return { file, text: text.slice(byteOrderMark.length), byteOrderMark };
}

/** Whether a file with this name may contain handlers. */
export function isAdapterName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/\.(d|test)\.m?ts$/.test(name);
}

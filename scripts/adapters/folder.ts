import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { isInside, isMissing, outputError } from "../write/paths.js";
import { diagnoseFile } from "./report.js";

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
  /** The reason to leave the file alone. It may contain an implementation, so no second one may be created. */
  problem?: Diagnostic;
}

/** Reads the adapters directly in a folder, and the names of all files there. A missing folder counts as empty. */
export async function readAdapterFolder(dir: string): Promise<{ names: string[]; files: AdapterFile[] }> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR") throw outputError(`${dir} is not a folder. Choose another --adapters.`);
    if (isMissing(error)) return [];
    throw error;
  });
  // By real path, so that two names of one file are one adapter.
  const files = new Map<string, AdapterFile>();
  for (const name of names.sort().filter(isAdapterName)) {
    const file = path.join(dir, name);
    const real = await realpath(file).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (files.has(real ?? file)) continue;
    const adapter = await readAdapter(file, real, await realpath(dir));
    if (adapter) files.set(real ?? file, adapter);
  }
  return { names, files: [...files.values()] };
}

/** Reads one file; returns undefined for a folder. */
async function readAdapter(
  file: string,
  real: string | undefined,
  dir: string,
): Promise<AdapterFile | undefined> {
  const skip = (reason: string, text = ""): AdapterFile => {
    const problem = diagnoseFile("warning", file, `${reason} This file is left alone.`);
    return { file, text, mark: "", problem };
  };
  if (real === undefined) return skip("The target of this symbolic link does not exist.");
  if (!isInside(dir, real)) return skip("This symbolic link leads out of the adapters folder.");
  const stats = await stat(real);
  if (!stats.isFile()) return undefined;
  if (stats.size > MAX_FILE_BYTES) return skip(`Larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`);
  const bytes = await readFile(real);
  // An edit would replace bytes that are not UTF-8.
  if (!isUtf8(bytes)) return skip("Not UTF-8.", bytes.toString("latin1"));
  const text = bytes.toString();
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return { file, text: text.slice(mark.length), mark };
}

/** Whether a file may contain handlers. */
export function isAdapterName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/\.(d|test)\.m?ts$/.test(name);
}

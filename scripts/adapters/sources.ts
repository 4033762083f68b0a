import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError, type Diagnostic } from "../diagnostic.js";
import { isInside } from "./inside.js";

const maxBytes = 2 * 1024 * 1024;
const byteOrderMark = "\uFEFF";

/** A hand-written file that could be read. Positions in `text` are what editors show: it has no BOM. */
export interface AdapterSource {
  /** Absolute path. */
  file: string;
  text: string;
  /** The byte order mark that `text` goes without, or nothing. */
  mark: string;
}

/** A file that is left alone. It may still hold an implementation, which must not be made a second time. */
export interface SkippedSource {
  file: string;
  /** Its text, where that much is known. */
  text: string;
}

export interface AdapterFolder {
  /** Absolute path. */
  dir: string;
  /** Names of everything in the folder. */
  names: string[];
  sources: AdapterSource[];
  skipped: SkippedSource[];
  diagnostics: Diagnostic[];
}

/** Reads the adapters directly in `dir`. A folder that does not exist is an empty one. */
export async function readAdapterFolder(dir: string): Promise<AdapterFolder> {
  const folder: AdapterFolder = {
    dir: path.resolve(dir),
    names: [],
    sources: [],
    skipped: [],
    diagnostics: [],
  };
  try {
    folder.names = (await readdir(folder.dir)).sort();
  } catch (error) {
    if (isMissing(error)) return folder;
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR")
      throw new DiagnosticError([
        { severity: "error", message: `${folder.dir} is not a folder. Choose another --adapters.` },
      ]);
    throw error;
  }
  const realDir = await realpath(folder.dir);
  const seen = new Set<string>();
  for (const name of folder.names) {
    if (!isAdapterName(name)) continue;
    await readSource(path.join(folder.dir, name), realDir, folder, seen);
  }
  return folder;
}

async function readSource(file: string, realDir: string, folder: AdapterFolder, seen: Set<string>) {
  const skip = (message: string, text = "") => {
    folder.skipped.push({ file, text });
    folder.diagnostics.push({
      severity: "warning",
      message,
      position: { file, line: 1, col: 1, pointer: "" },
    });
  };
  let real: string;
  try {
    real = await realpath(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return skip("this symbolic link leads nowhere; left alone");
  }
  if (!isInside(realDir, real))
    return skip("this symbolic link leads out of the adapters' folder; left alone");
  // Two names of one file are one implementation, not two.
  if (seen.has(real)) return;
  seen.add(real);
  const stats = await stat(real);
  if (!stats.isFile()) return;
  if (stats.size > maxBytes) return skip(`larger than ${maxBytes / 1024 / 1024} MB; left alone`);
  const bytes = await readFile(real);
  let text: string;
  try {
    // Fatal: a byte that is no UTF-8 would come back from an edit as another one.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return skip("not a UTF-8 text; left alone", bytes.toString("latin1"));
  }
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  folder.sources.push({ file, text: text.slice(mark.length), mark });
}

/** Whether a file may hold handlers that are read here. */
export function isAdapterName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/\.(d|test)\.m?ts$/.test(name);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

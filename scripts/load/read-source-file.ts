import { isUtf8 } from "node:buffer";
import { constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { hashTextFile } from "../hash.js";
import { isInside } from "../file-system.js";
import { suggestName } from "../text.js";
import { MAX_BYTES, MAX_NODES } from "./limits.js";

/** A file that cannot be read. Its message tells the user the problem and the remedy. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** The end of the message for a file that does not exist. */
const MISSING = "does not exist. Correct the path or create the file.";

/** Part of the message for a file outside the root folder, by which `bundle.ts` recognizes it in Redocly's message. */
export const OUTSIDE_ROOT = "lies outside the root folder";

/** Remaining limits while the files of a document are read. */
export interface ReadBudget {
  bytes: number;
  nodes: number;
}

/**
 * Reads a file of a document and deducts its cost from the budget. `rootFolder` is the real path of the folder that must contain it;
 * undefined for a file that the user named.
 * @returns the text with `\n` line ends, and the hash for the manifest
 */
export async function readSourceFile(
  file: string,
  rootFolder: string | undefined,
  budget: ReadBudget,
): Promise<{ text: string; hash: string }> {
  requireExtension(file);
  const real = await realpath(file).catch((error: unknown) => {
    throw createReadError(file, error);
  });
  // Again, because the file can be a symbolic link to any other.
  requireExtension(real);
  if (rootFolder !== undefined && !isInside(rootFolder, real))
    throw new UnreadableFileError(
      `${file} ${OUTSIDE_ROOT}, ${rootFolder}. Pass --root with a folder that contains both, or copy the file.`,
    );
  const bytes = await readBytes(real, budget).catch((error: unknown) => {
    throw createReadError(real, error);
  });
  const text = decodeText(file, bytes);
  budget.nodes -= countNodes(text);
  if (budget.nodes < 0)
    throw new UnreadableFileError(
      `${file} brings the document above ${MAX_NODES} nodes. Split the API into several documents.`,
    );
  return { text, hash: hashTextFile(bytes) };
}

function requireExtension(file: string): void {
  if (!/\.(yaml|yml|json|md)$/.test(file))
    throw new UnreadableFileError(
      `${file} cannot be read: its name must end in .yaml, .yml or .json, or in .md for a description. Rename it.`,
    );
}

async function readBytes(file: string, budget: ReadBudget): Promise<Buffer> {
  // Non-blocking, because opening a named pipe could wait forever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UnreadableFileError(`${file} is not a regular file. Name a file.`);
    budget.bytes -= stats.size;
    if (budget.bytes < 0)
      throw new UnreadableFileError(
        `${file} brings the document above ${MAX_BYTES / 1024 / 1024} MiB. Split the API into several documents.`,
      );
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function createReadError(file: string, error: unknown): UnreadableFileError {
  if (error instanceof UnreadableFileError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "ENOENT" || code === "ENOTDIR") return new UnreadableFileError(`${file} ${MISSING}`);
  if (code === "EACCES" || code === "EPERM")
    return new UnreadableFileError(`${file} may not be read. Change its permissions.`);
  return new UnreadableFileError(`${file} cannot be read (${code}). Check the path and the file.`);
}

/** Rewrites the message about an unreadable file for a reference to it: with relative paths, and a similar file of the root folder. */
export function describeUnreadableFile(
  message: string,
  ref: string,
  from: string,
  rootFolder: string,
): string {
  const file = path.resolve(path.dirname(from), ref.replace(/#.*/s, ""));
  const toRelative = (target: string): string => path.relative(path.dirname(from), target);
  const similar = message.endsWith(MISSING) ? findSimilarFile(file, rootFolder) : undefined;
  const remedy = similar && `does not exist. Did you mean ${JSON.stringify(toRelative(similar))}?`;
  return message.replace(file, () => toRelative(file)).replace(MISSING, (text) => remedy ?? text);
}

function findSimilarFile(file: string, rootFolder: string): string | undefined {
  const folder = path.dirname(file);
  // Hostile documents must not learn the names of files outside the root folder.
  if (!existsSync(folder) || !isInside(rootFolder, path.join(realpathSync(folder), "file"))) return undefined;
  const similar = suggestName(path.basename(file), readdirSync(folder));
  return similar === undefined ? undefined : path.join(folder, similar);
}

function decodeText(file: string, bytes: Buffer): string {
  const createError = (line: number, message: string): DiagnosticError =>
    new DiagnosticError(message, { file, line, col: 1, pointer: "" });
  // UTF-16 begins with a byte order mark or has a zero in every other byte of ASCII text.
  if (/^(?:\xff\xfe|\xfe\xff|.\0|\0.)/s.test(bytes.toString("latin1", 0, 2)))
    throw createError(1, "This file is UTF-16 text. Save it as UTF-8.");
  if (!isUtf8(bytes))
    throw createError(findInvalidLine(bytes), "This line is not UTF-8 text. Save the file as UTF-8.");
  const text = new TextDecoder().decode(bytes);
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function findInvalidLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf("\n", start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

/** Counts the characters that can start a node. They also occur in prose, so MAX_NODES is generous. */
function countNodes(text: string): number {
  let count = 0;
  NODE_START.lastIndex = 0;
  while (NODE_START.test(text)) count += 1;
  return count;
}

/** Matches what can start a node: the end of a line, `,`, `[`, `{`, or the `- ` of an item. */
const NODE_START = /[\n,[{]|- /g;

import { lstat } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";

/** Lower-case letters, digits, dots and dashes, begun by a letter or digit; at most one level of sub folder. */
const SEGMENT = "[a-z0-9](?:[a-z0-9-]|\\.(?!\\.))*";
const ALLOWED = new RegExp(`^${SEGMENT}(?:/${SEGMENT})?$`);
/** Device names that Windows opens in any folder, whatever the extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/** The file that lists what is generated; nothing else may be written under its name. */
export const MANIFEST_FILE = "manifest.json";

/** True for a path that may be written or removed below the output folder: POSIX, relative, from the allow-list. */
export function isAllowedPath(file: string): boolean {
  return (
    ALLOWED.test(file) &&
    file.split("/").every((segment) => !RESERVED.test(segment) && !segment.endsWith("."))
  );
}

/**
 * Gives the absolute path of an output, checked once more where it is used.
 * @throws DiagnosticError if the path is not on the allow-list or leads out of the folder
 */
export function resolveOutput(outDir: string, file: string): string {
  const folder = path.resolve(outDir);
  const target = path.resolve(folder, file);
  if (!isAllowedPath(file) || !target.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
    throw refusal(`The output path ${JSON.stringify(file)} is not allowed. Rename what it is made from.`);
  return target;
}

/**
 * Checks that the sub folder of an output, where it exists, is a folder of the output folder itself: a
 * symbolic link in its place would take the file elsewhere.
 * @throws DiagnosticError if it is not
 */
export async function requireOwnFolder(outDir: string, file: string): Promise<void> {
  const folder = path.dirname(resolveOutput(outDir, file));
  if (folder === path.resolve(outDir)) return;
  const stats = await lstatOrNothing(folder);
  if (stats && !stats.isDirectory())
    throw refusal(`${folder} is not a folder, or is a link. Delete it or choose another --out.`);
}

/** Stats of what stands at a path itself, links not followed; undefined when nothing does. */
export async function lstatOrNothing(file: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** True for the error of a file system call on something that does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** The error for an output that is not written: message says what and what to do. */
export function refusal(message: string): DiagnosticError {
  return new DiagnosticError([{ severity: "error", message }]);
}

import { randomBytes } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../errors.js";

export const PARTIAL_FILE_SUFFIX = /\.[\da-f]{12}\.partial$/;

/**
 * Writes a file under a temporary name and renames it when all bytes are on the disk, so that it is complete or does not exist.
 * Only its owner may read it. If writing fails, an existing file of that name is unchanged. A symbolic link is followed.
 *
 * @throws UserError for a device or a pipe such as /dev/null, because the rename would replace it
 */
export async function writeFileAtomically(
  name: string,
  parts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const existing = await stat(name).catch(() => undefined);
  if (existing?.isFile() === false && !existing.isDirectory()) {
    throw new UserError(`${name} is not a file. Omit --output to write to standard output.`);
  }
  const file = await realpath(name).catch(() => name);
  const partial = `${file}.${randomBytes(6).toString("hex")}.partial`;
  try {
    await writeFile(partial, parts, { flag: "wx", mode: 0o600, flush: true, signal });
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Flushes a folder to the disk, so that a rename in it survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder);
    await handle.sync();
  } catch {
    // Some file systems cannot flush folders, and a folder may be writable but not readable.
  } finally {
    await handle?.close();
  }
}

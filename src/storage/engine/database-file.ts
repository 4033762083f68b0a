import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import path from "node:path";
import { getSystemErrorReason, StorageUnavailableError } from "../../errors.js";

/** Creates a missing database file and its folder, which only the owner can read. Throws a StorageUnavailableError. */
export function createDatabaseFile(file: string): void {
  try {
    createFolder(path.dirname(file));
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const advice =
      "Set DATA_DIR to a folder in which this user can create files, or run the program as another user.";
    const message = `Cannot open the database file ${file}: ${getSystemErrorReason(error)}. ${advice}`;
    throw new StorageUnavailableError(message, { cause: error });
  }
}

/**
 * Creates a function that throws a StorageUnavailableError if a database file was deleted, moved or replaced in the meantime. An open
 * file without a name can still be read and written, but its content is lost when the process ends.
 */
export function createFileCheck(file: string): () => void {
  const { dev, ino } = statSync(file);
  return () => {
    const current = statSync(file, { throwIfNoEntry: false });
    if (current?.ino === ino && current.dev === dev) return;
    throw new StorageUnavailableError(
      `The database file ${file} was deleted, moved or replaced while it was open. Move it back, or stop the service and restore a backup.`,
    );
  };
}

/** Creates a folder and its ancestors. Node's recursive mkdirSync never returns for a folder in /proc. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(folder)) throw error;
  }
}

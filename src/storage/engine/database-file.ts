import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { StorageUnavailableError } from "../../errors.js";

/** Creates a missing database file and its folder, which only the owner can read. Throws a StorageUnavailableError. */
export function createDatabaseFile(file: string): void {
  try {
    createFolder(path.dirname(file));
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    // Extracts the reason from a message such as `ENOTDIR: not a directory, open 'FILE'`.
    const reason = (error instanceof Error ? error.message : String(error)).replace(
      /^\w+: |, \w+ '.*'$/g,
      "",
    );
    const advice = "Set DATA_DIR to a folder in which this user can create files.";
    throw new StorageUnavailableError(`Cannot open the database file ${file}: ${reason}. ${advice}`, {
      cause: error,
    });
  }
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

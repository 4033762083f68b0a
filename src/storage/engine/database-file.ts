import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
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

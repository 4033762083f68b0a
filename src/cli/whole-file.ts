import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Writes a file that is whole or not there: under another name until all of it is on the disk. Only its owner can read it.
 *
 * @param signal stops it
 * @throws what the file system says; the file that had the name before is then as it was
 */
export async function writeWholeFile(
  file: string,
  parts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString("hex")}.partial`;
  try {
    await pipeline(
      Readable.from(parts),
      createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }),
      {
        signal,
      },
    );
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Without this the new name could be gone after a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } catch {
    // Not every file system can.
  } finally {
    await handle.close();
  }
}

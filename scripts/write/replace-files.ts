import { randomUUID } from "node:crypto";
import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";

/** The new content of a file. */
export interface Replacement {
  /** Absolute path. */
  file: string;
  content: string;
  /** Permissions to keep; the default ones if omitted. */
  mode?: number;
}

/**
 * Replaces files atomically: all new contents are written to temporary files before the first one is renamed. Readers see
 * an old or a new file, never half of one. An error leaves no temporary file; a run that is killed can leave some.
 */
export async function replaceFiles(replacements: readonly Replacement[]): Promise<void> {
  // Not named *.ts: a run that is killed must not leave another source file behind.
  const writes = replacements.map(({ file, ...rest }) => ({
    ...rest,
    file,
    temporary: `${file}.${randomUUID()}.tmp`,
  }));
  try {
    for (const { file, temporary, content, mode } of writes) {
      await createFolder(path.dirname(file));
      // "wx": fails instead of writing through an existing link. Existing files are hand-written, so a power failure must not
      // leave an empty file in place of one.
      await writeFile(temporary, content, { flag: "wx", flush: mode !== undefined });
      if (mode !== undefined) await chmod(temporary, mode);
    }
    for (const { file, temporary } of writes) await rename(temporary, file);
  } finally {
    // Best effort: an error here would hide the cause, such as a folder that cannot be created.
    await Promise.allSettled(writes.map(({ temporary }) => rm(temporary, { force: true })));
  }
}

/** Creates a folder level by level: the recursive `mkdir` of Node never returns inside /proc, which takes no folders. */
async function createFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory()) return;
  if (stats) throw new DiagnosticError(`${folder} is not a folder. Delete it or choose another --out.`);
  await createFolder(path.dirname(folder));
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Another process may have created it in the meantime.
    if (error.code !== "EEXIST") throw error;
  });
}

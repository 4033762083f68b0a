import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import type { AdapterEdit } from "./report.js";
import { isInside } from "./inside.js";

interface Target {
  /** The file itself, symbolic links resolved. */
  file: string;
  /** Permissions to keep; absent for a new file. */
  mode: number | undefined;
  content: string;
}

/**
 * Writes the edits: a temporary file beside the target, then a rename, with the permissions kept. A symbolic
 * link is written through when it stays inside the adapters' folder, and refused otherwise. All targets
 * are checked before the first is written.
 */
export async function applyAdapterEdits(edits: AdapterEdit[]): Promise<void> {
  const targets: Target[] = [];
  for (const edit of edits) targets.push(await checkTarget(edit));
  for (const target of targets) await writeTarget(target);
}

async function checkTarget(edit: AdapterEdit): Promise<Target> {
  const { file, content } = edit;
  if (edit.created) {
    if (await exists(file)) throw refusal(file, "exists by now; generate again");
    return { file, mode: undefined, content };
  }
  const real = await realpath(file);
  if (!isInside(await realpath(path.dirname(file)), real)) {
    throw refusal(file, "this symbolic link leads out of the adapters' folder; not written");
  }
  if (edit.before !== undefined && (await readFile(real, "utf8")) !== edit.before) {
    throw refusal(file, "was changed in the meantime; generate again");
  }
  const mode = (await stat(real)).mode & 0o7777;
  // A rename would get around it.
  if ((mode & 0o222) === 0) throw refusal(file, "is read-only; not written");
  return { file: real, mode, content };
}

async function writeTarget({ file, mode, content }: Target): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  // Not named *.ts: a run that is cut short must not leave another adapter behind.
  const temporary = path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

function refusal(file: string, message: string): DiagnosticError {
  return new DiagnosticError([
    { severity: "error", message, position: { file, line: 1, col: 1, pointer: "" } },
  ]);
}

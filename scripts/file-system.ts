import { readFile } from "node:fs/promises";
import path from "node:path";

/** Awaits a file system call. Returns undefined if the file does not exist. */
export async function allowMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

/** Reads the file with a relative path in a folder or in the nearest folder around it; undefined if no folder has one. */
export async function readNearestFile(
  folder: string,
  file: string,
): Promise<{ folder: string; text: string } | undefined> {
  const text = await readFile(path.join(folder, file), "utf8").catch(() => undefined);
  if (text !== undefined) return { folder, text };
  const parent = path.dirname(folder);
  return parent === folder ? undefined : readNearestFile(parent, file);
}

/** Describes an error of the file system, with a remedy; undefined for any other error. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return undefined;
  const file = "path" in error ? String(error.path) : "A file";
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return `${file} cannot be accessed (no permission). Change its permissions, or choose another path.`;
    case "EROFS":
      return `${file} is on a read-only file system. Choose another path.`;
    case "ENOSPC":
      return `${file} cannot be written, because the disk is full. Free some space.`;
    default:
      return `${file} cannot be read or written (${error.message}). Choose another path.`;
  }
}

/** Converts the relative path of a module to a specifier. Without a leading dot, it would name a package. */
export function toModuleSpecifier(relative: string): string {
  const specifier = relative.split(path.sep).join("/");
  return specifier.startsWith("../") ? specifier : `./${specifier}`;
}

/** Whether a file lies below a folder; both paths are absolute, with symbolic links resolved. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  // A file on another drive of Windows has an absolute path.
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

import path from "node:path";

/** Awaits a file system call. Returns undefined if the file does not exist. */
export async function allowMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

/** Whether a file lies below a folder; both paths are absolute, with symbolic links resolved. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  // A file on another drive of Windows has an absolute path.
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

import path from "node:path";

/** Whether `file` lies below `folder`; both absolute, with symbolic links resolved. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

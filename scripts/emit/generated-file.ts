import { WINDOWS_DEVICE } from "../model/names.js";

/** One generated file: a path below the output folder with `/` as separator, and its text. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** Lower-case letters, digits, underscores, dots and dashes, not starting with a dot or dash; at most one level of subfolders. */
const SEGMENT = "[a-z0-9_](?:[a-z0-9_-]|\\.(?!\\.))*";
const ALLOWED = new RegExp(`^${SEGMENT}(?:/${SEGMENT})?$`);

/** Name of the manifest. No other output may use it. */
export const MANIFEST_FILE = "manifest.json";

/** Describes why an emitter cannot emit a file with this path; undefined if it can. */
export function describeInvalidOutputPath(file: string): string | undefined {
  if (file === MANIFEST_FILE) return "This file is the list of all generated files. Choose another name.";
  return isAllowedPath(file) ? undefined : PATH_RULE;
}

export const PATH_RULE =
  "Paths have lower-case letters, digits, underscores, dots and dashes, at most one folder, and no name that Windows reserves.";

/** Whether a path below the output folder may be written or removed: POSIX, relative, on the allow-list. */
export function isAllowedPath(file: string): boolean {
  return (
    ALLOWED.test(file) &&
    file
      .split("/")
      .every((segment) => !WINDOWS_DEVICE.test(segment.split(".")[0] ?? "") && !segment.endsWith("."))
  );
}

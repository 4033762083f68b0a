import { lstat } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { allowMissing, isInside } from "../file-system.js";

/** Lower-case letters, digits, underscores, dots and dashes, not starting with a dot or dash; at most one level of subfolders. */
const SEGMENT = "[a-z0-9_](?:[a-z0-9_-]|\\.(?!\\.))*";
const ALLOWED = new RegExp(`^${SEGMENT}(?:/${SEGMENT})?$`);
/** Device names of Windows, which exist in every folder and with every extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/** Name of the manifest. No other output may use it. */
export const MANIFEST_FILE = "manifest.json";

/** Describes why an emitter cannot emit a file with this path; undefined if it can. */
export function describePathProblem(file: string): string | undefined {
  if (file === MANIFEST_FILE) return "This file is the list of all generated files. Choose another name.";
  return isAllowedPath(file) ? undefined : PATH_RULE;
}

const PATH_RULE =
  "Paths have lower-case letters, digits, underscores, dots and dashes, at most one folder, and no name that Windows reserves.";

/** Whether a path below the output folder may be written or removed: POSIX, relative, on the allow-list. */
function isAllowedPath(file: string): boolean {
  return (
    ALLOWED.test(file) &&
    file.split("/").every((segment) => !RESERVED.test(segment) && !segment.endsWith("."))
  );
}

/**
 * Resolves the absolute path of an output, and checks it again where it is used.
 *
 * @throws DiagnosticError if the path is not on the allow-list or leads out of the folder, or if its subfolder is a file or
 *   a link
 */
export async function resolveOutput(outDir: string, file: string): Promise<string> {
  const folder = path.resolve(outDir);
  const target = path.resolve(folder, file);
  if (!isAllowedPath(file) || !isInside(folder, target))
    throw new DiagnosticError(`The output path ${JSON.stringify(file)} is not allowed. ${PATH_RULE}`);
  const subfolder = path.dirname(target);
  const stats = subfolder === folder ? undefined : await allowMissing(lstat(subfolder));
  if (stats && !stats.isDirectory())
    throw new DiagnosticError(
      `${subfolder} is not a folder, or is a link. Delete it or choose another --out.`,
    );
  return target;
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DiagnosticError } from "../../diagnostic.js";
import { runGit } from "../git.js";

/** A document of the command line as a file on disk. */
export interface DocumentFile {
  file: string;
  /** Returns the display name of a file: REVISION:PATH for files of a revision. Other files keep their path. */
  toDisplayName: (file: string) => string;
}

/**
 * Resolves a document name: a file, or `REVISION:PATH` in the git repository of the working directory, such as
 * `main:spec/openapi.yaml`.
 *
 * @throws DiagnosticError if the file, the revision or the path does not exist
 */
export function resolveDocument(name: string): DocumentFile {
  // A file takes precedence: its name can contain a colon, for example after a drive letter.
  if (existsSync(name))
    return { file: path.resolve(name), toDisplayName: (file) => makeRelative(process.cwd(), file) };
  const colon = name.indexOf(":");
  if (colon < 1)
    throw new DiagnosticError(`${name} does not exist. Give a file, or REVISION:PATH of a git repository.`);
  return extractRevision(name.slice(0, colon), name.slice(colon + 1));
}

/**
 * Extracts the whole tree of a revision, because a document can have several files, to a temporary folder, which is removed when
 * the process ends.
 */
function extractRevision(revision: string, pathInTree: string): DocumentFile {
  const top = runGit(["rev-parse", "--show-toplevel"]).toString().trim();
  // Resolved to a commit first, because git would read a revision with a leading dash as an option.
  const commit = runGit(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
    `there is no revision ${JSON.stringify(revision)} in this git repository, and no file with that name`,
  );
  const archive = runGit(["-C", top, "archive", "--format=tar", commit.toString().trim()]);
  const folder = mkdtempSync(path.join(tmpdir(), "spec-diff-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  execFileSync("tar", ["-xf", "-", "-C", folder], { input: archive });
  const file = path.resolve(folder, pathInTree);
  if (!existsSync(file))
    throw new DiagnosticError(
      `${revision} has no ${pathInTree}. Give the path relative to the root of the repository.`,
    );
  return {
    file,
    toDisplayName: (other) => {
      const relative = makeRelative(folder, other);
      return relative === other ? other : `${revision}:${relative}`;
    },
  };
}

/** Returns the path of a file relative to a folder; a file outside of the folder is returned unchanged. */
function makeRelative(folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join("/");
  return relative.startsWith("../") ? file : relative;
}

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";

/** A document as the command line names it, on the disk. */
export interface GivenDocument {
  file: string;
  /** Returns the display name of a file: REVISION:PATH for files of a revision. */
  show: (file: string) => string;
  /** Takes away what was written for it. */
  remove: () => void;
}

/**
 * Finds a document: a file, or `REVISION:PATH` of the git repository around the working directory, as in
 * `main:spec/openapi.yaml`. Of a revision the whole tree is checked out for the time being, because a document may be
 * in several files.
 *
 * @throws DiagnosticError when there is no such file, revision or path
 */
export function findDocument(name: string): GivenDocument {
  const colon = name.indexOf(":");
  // A file comes first; on Windows one may begin with a drive and a colon.
  if (colon < 1 || existsSync(name)) {
    if (!existsSync(name))
      throw refusal(`${name} does not exist. Give a file, or REVISION:PATH of a git repository.`);
    return { file: path.resolve(name), show: (file) => relative(process.cwd(), file), remove: () => {} };
  }
  const revision = name.slice(0, colon);
  const inTree = name.slice(colon + 1);
  const top = git(["rev-parse", "--show-toplevel"]).toString().trim();
  // Resolved to a commit first: what begins with a dash would be taken for an option.
  const commit = git(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
    revision,
  );
  const folder = mkdtempSync(path.join(tmpdir(), "spec-diff-"));
  try {
    const archive = path.join(folder, "tree.tar");
    writeFileSync(archive, git(["-C", top, "archive", "--format=tar", commit.toString().trim()]));
    const tree = path.join(folder, "tree");
    const unpacked = spawnSync("sh", ["-c", 'mkdir "$1" && tar -xf "$2" -C "$1"', "sh", tree, archive]);
    if (unpacked.status !== 0) throw refusal(`tar failed: ${unpacked.stderr.toString().trim()}`);
    const file = path.resolve(tree, inTree);
    if (!existsSync(file))
      throw refusal(`${revision} has no ${inTree}. The path is counted from the repository's top.`);
    return {
      file,
      show: (other) => {
        const inside = relative(tree, other);
        return inside === other ? other : `${revision}:${inside}`;
      },
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function git(args: string[], revision?: string): Buffer {
  const { status, stdout, stderr, error } = spawnSync("git", args, { maxBuffer: 1_000_000_000 });
  if (error) throw refusal(`git cannot be run: ${error.message}`);
  if (status !== 0)
    throw refusal(
      revision === undefined
        ? `git ${args[0]} failed: ${stderr.toString().trim()}`
        : `there is no revision ${JSON.stringify(revision)} in this git repository, and no file of that name`,
    );
  return stdout;
}

function relative(folder: string, file: string): string {
  const inside = path.relative(folder, file).split(path.sep).join("/");
  return inside.startsWith("../") ? file : inside;
}

function refusal(message: string): DiagnosticError {
  return new DiagnosticError([{ severity: "error", message }]);
}

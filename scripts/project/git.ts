import { spawnSync } from "node:child_process";
import { DiagnosticError } from "../diagnostic.js";

/**
 * Runs git and returns its output.
 *
 * @param failure message of the error if git fails; git's own message by default
 * @throws DiagnosticError
 */
export function runGit(args: readonly string[], failure?: string): Buffer {
  // The output can be an archive of the repository.
  const { status, stdout, stderr, error } = spawnSync("git", args, { maxBuffer: 1_000_000_000 });
  if (error) throw new DiagnosticError(`Cannot run git: ${error.message}`);
  if (status !== 0)
    throw new DiagnosticError(failure ?? `git ${args[0]} failed: ${stderr.toString().trim()}`);
  return stdout;
}

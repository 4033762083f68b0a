import { printUserError } from "../print-diagnostics.js";

/**
 * Runs a command with the arguments of this process and sets the exit code: its result, or 2 when it fails. Mistakes
 * of the user are printed as diagnostics, without a stack trace.
 */
export async function runCommand(run: (args: string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    if (!printUserError(error)) console.error(error);
    process.exitCode = 2;
  }
}

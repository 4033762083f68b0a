import { DiagnosticError, formatDiagnostic } from "./diagnostic.js";

/**
 * Runs a command with the arguments of this process, and sets the exit code: what it gives, or 2 when it fails. Mistakes
 * of its user are told in a line each, without a stack trace.
 */
export async function runCommand(run: (args: string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    if (error instanceof DiagnosticError) {
      for (const diagnostic of error.diagnostics) console.error(formatDiagnostic(diagnostic));
    } else if (error instanceof Error && "code" in error) {
      console.error(`error  ${error.message}`);
    } else {
      console.error(error);
    }
    process.exitCode = 2;
  }
}

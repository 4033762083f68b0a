import { describeUserError, printDiagnostics } from "../print-diagnostics.js";

/**
 * Runs a command with the arguments of this process and sets the exit code: its result, or 2 when it fails. User errors
 * are printed without a stack trace. Prints the help instead if an argument asks for it.
 */
export async function runCommand(help: string, run: (args: string[]) => Promise<number>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    return;
  }
  try {
    process.exitCode = await run(args);
  } catch (error) {
    const diagnostics = describeUserError(error);
    if (diagnostics) printDiagnostics(diagnostics);
    else console.error(error);
    process.exitCode = 2;
  }
}

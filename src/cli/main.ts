/** Runs the command line `page-service ARGS`, prints errors, and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  try {
    if (args[0] === "--version" || args[0] === "-v") {
      console.log((await import("./version.js")).readPackageVersion());
      return 0;
    }
    // Imported lazily: the commands need optional packages, and `--version` must work without them.
    const code = await (await import("./program.js")).runProgram(args);
    requireCompleteOutput();
    return code;
  } catch (error) {
    const { formatError } = await import("./format-error.js");
    // Prefixes each line except indented ones, such as the frames of a stack trace.
    console.error(formatError(error).replace(/^(?! )/gm, "page-service: "));
    return 2;
  }
}

/** Throws when the output could not be written to a file, for example because the disk is full. console.log ignores this. */
function requireCompleteOutput(): void {
  const { errored } = process.stdout;
  // The reader of a pipe, such as `head`, may close it early.
  if (errored !== null && !("code" in errored && errored.code === "EPIPE")) throw errored;
}

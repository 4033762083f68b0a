/** Runs the command line `page-service ARGS`, prints errors, and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  try {
    if (args[0] === "--version" || args[0] === "-v") {
      console.log((await import("./version.js")).readPackageVersion());
      return 0;
    }
    // Imported lazily: the commands need optional packages, and `--version` must work without them.
    return await (await import("./program.js")).runProgram(args);
  } catch (error) {
    const { formatError } = await import("./format-error.js");
    // Prefixes each line except indented ones, such as the frames of a stack trace.
    console.error(formatError(error).replace(/^(?! )/gm, "page-service: "));
    return 2;
  }
}

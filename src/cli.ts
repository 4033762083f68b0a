#!/usr/bin/env node
try {
  const args = process.argv.slice(2);
  if (args[0] === "--version" || args[0] === "-v") {
    console.log((await import("./cli/version.js")).readPackageVersion());
  } else {
    // Imported lazily: printing the version does not load the commands.
    const { runProgram } = await import("./cli/program.js");
    process.exitCode = await runProgram(args);
  }
} catch (error) {
  const { formatError } = await import("./cli/format-error.js");
  // Prefixes each line except indented ones, such as the frames of a stack trace.
  console.error(formatError(error).replace(/^(?! )/gm, "page-service: "));
  process.exitCode = 2;
}

#!/usr/bin/env node
try {
  const args = process.argv.slice(2);
  if (args[0] === "--version" || args[0] === "-v") {
    console.log((await import("./cli/version.js")).packageVersion());
  } else {
    // Imported lazily: printing the version does not load the commands.
    const { runProgram } = await import("./cli/program.js");
    process.exitCode = await runProgram(args);
  }
} catch (error) {
  const { explain } = await import("./cli/explain.js");
  console.error(explain(error).replace(/^(?! )/gm, "page-service: "));
  process.exitCode = 2;
}

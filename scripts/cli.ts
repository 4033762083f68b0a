#!/usr/bin/env node
import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";

const HELP = `Generates a TypeScript server and client from an OpenAPI document.

Usage:
  openapi-compiler generate --spec FILE --out DIR [options]
  openapi-compiler --version

Run \`openapi-compiler generate --help\` for details.
`;

function readPackageVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  // Safe cast: every package.json has a version.
  return (JSON.parse(text) as { version: string }).version;
}

// Delays the optimization of functions, because a command of a few seconds spends more time on it than it saves. Processor times with
// the flag and without it: 0.65 and 1.1 s for 20 operations and 3.2 and 4.2 s for GitHub's document with Node 20; for the document of
// this project and GitHub's, 1.3 and 1.6, and 4.9 and 5.4 s with Node 22, 1.4 and 1.6, and 5.0 and 5.4 s with Node 24.
const FLAGS = new Map([
  ["20", "--interrupt-budget=2000000"],
  ["22", "--invocation-count-for-turbofan=30000"],
  ["24", "--invocation-count-for-turbofan=30000"],
]);
const [major = ""] = process.versions.node.split(".");
const flag = FLAGS.get(major);
if (flag !== undefined) setFlagsFromString(flag);

// Node 22.8 and newer then keep compiled modules in a folder for temporary files, which saves a quarter of the processor time for a
// document of one operation. Cast: the types are those of Node 20, which does not have the function.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void };
enableCompileCache?.();

const [command, ...rest] = process.argv.slice(2);
switch (command) {
  case "generate":
    // Imported lazily: printing help or the version does not load the generator.
    process.exitCode = await (await import("./command/generate.js")).generateCommand(rest);
    break;
  case "--version":
  case "-v":
    console.log(readPackageVersion());
    break;
  case "--help":
  case "-h":
  case "help":
    console.log(HELP);
    break;
  default:
    if (command !== undefined) console.error(`error  Unknown command ${JSON.stringify(command)}.\n`);
    console.error(HELP);
    process.exitCode = 2;
}

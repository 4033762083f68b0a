#!/usr/bin/env node
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ProvisionError } from "./access/provision.js";
import { keysCommand } from "./cli/keys.js";
import { serveCommand } from "./cli/serve.js";
import { UsageError } from "./cli/usage.js";
import { ConfigError } from "./config.js";
import { ConflictError, StorageUnavailableError } from "./storage/errors.js";

const HELP = `page-service: a REST service for pages, and the toolkit that keeps it in step with its OpenAPI document

Usage:
  page-service serve [--memory]          run the service; --memory keeps nothing on disk
  page-service keys create --workspace NAME --plan free|pro|enterprise [--limit N] [--name TEXT] [--json]
  page-service keys list [--workspace NAME] [--json]
  page-service keys revoke ID_OR_PREFIX [--json]
  page-service generate [--check]        generate from the OpenAPI document (generate --help tells more)

Configuration (environment):
  PORT (3000)  HOST (127.0.0.1)  DATA_DIR (./data)  BASE_URL (http://localhost:PORT)  APP_URL (BASE_URL)
  LOG_LEVEL (info)
`;

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case "serve":
      return serveCommand(rest);
    case "keys":
      return keysCommand(rest);
    case "generate":
      return generate(rest);
    case "--version":
      console.log(packageVersion());
      return 0;
    case undefined:
    case "help":
    case "--help":
    case "-h":
      console.log(HELP);
      return command === undefined ? 2 : 0;
    default:
      throw new UsageError(`There is no command ${JSON.stringify(command)}.`);
  }
}

/** The toolkit is a program of its own: the service carries none of its dependencies. */
async function generate(args: string[]): Promise<number> {
  const script = fileURLToPath(new URL("../../scripts/generate.ts", import.meta.url));
  if (!existsSync(script)) throw new UsageError("The toolkit is not part of this installation.");
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], { stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 2)));
}

function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** A mistake of the user is told in a line; anything else is a fault of ours and keeps its stack trace. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} Run \`page-service --help\` to see the commands.`;
  const known = [ConfigError, ProvisionError, ConflictError, StorageUnavailableError];
  if (known.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "EADDRINUSE") return "The port is in use already; choose another with PORT.";
    if (error.code === "EACCES") return "This port needs more rights; choose one above 1023 with PORT.";
    if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
      return "HOST is no address of this machine.";
    if (String(error.code).startsWith("ERR_PARSE_ARGS"))
      return `${error.message.replace(/\.?$/, ".")} Run \`page-service --help\`.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(explain(error).replace(/^(?! )/gm, "page-service: "));
  process.exitCode = 2;
}

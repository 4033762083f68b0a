#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./cli/usage.js";

const HELP = `page-service: a REST service for pages, and the toolkit that keeps it in step with its OpenAPI document

Usage:
  page-service serve [--memory]          run the service; --memory keeps nothing on disk
  page-service keys create --workspace NAME --plan free|pro|enterprise [--limit N] [--name TEXT]
                           [--expires 90d] [--read-only] [--json]
  page-service keys list [--workspace NAME] [--json]
  page-service keys rotate ID_OR_PREFIX [--overlap 24h] [--json]
                                         a new key; the old one works on for that long
  page-service keys revoke ID_OR_PREFIX [--json]
  page-service users create --workspace NAME --name TEXT --email ADDRESS [--json]
                                         adds a person, whom pages can name
  page-service users list --workspace NAME [--json]
  page-service workspaces list [--json]
  page-service workspaces log --workspace NAME [--json]
                                         what was done to its keys, plan and members
  page-service plans list [--json]
  page-service plans set --workspace NAME --plan PLAN [--limit N] [--json]
  page-service generate --spec FILE --out DIR [--adapters DIR] [--check] [--watch]
                                         types, routes, client and validators from an OpenAPI document

page-service generate --help tells more about that.

Configuration of the service (environment):
  PORT (3000)  HOST (127.0.0.1)  DATA_DIR (./data)  DATABASE_URL (postgres://...: PostgreSQL in place of
  SQLite in DATA_DIR)  REDIS_URL (redis://...: processes share their rate limits)
  BASE_URL (http://localhost:PORT)  APP_URL (BASE_URL)  LOG_LEVEL (info)
`;

/** Each command loads what it needs when it is asked for: none waits for the modules of another. */
async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case "serve":
      return (await import("./cli/serve.js")).serveCommand(rest);
    case "keys":
      return (await import("./cli/keys.js")).keysCommand(rest);
    case "users":
      return (await import("./cli/users.js")).usersCommand(rest);
    case "workspaces":
      return (await import("./cli/workspaces.js")).workspacesCommand(rest);
    case "plans":
      return (await import("./cli/plans.js")).plansCommand(rest);
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

/** What the toolkit's module has for the command line; it reports its users' mistakes by itself. */
interface Toolkit {
  generateCommand(args: string[]): Promise<number>;
}

/** Service and toolkit share a package and nothing else: the one finds the other by its place, when it is asked to. */
async function generate(args: string[]): Promise<number> {
  const script = new URL(`../scripts/generate${path.extname(import.meta.url)}`, import.meta.url);
  if (!existsSync(script)) throw new UsageError("The toolkit is not part of this installation.");
  // The cast: that module is built together with this one.
  const toolkit = (await import(script.href)) as Toolkit;
  return toolkit.generateCommand(args);
}

function packageVersion(): string {
  const inSources = path.extname(import.meta.url) === ".ts";
  const text = readFileSync(new URL(`${inSources ? "" : "../"}../package.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { explain } = await import("./cli/explain.js");
  console.error(explain(error).replace(/^(?! )/gm, "page-service: "));
  process.exitCode = 2;
}

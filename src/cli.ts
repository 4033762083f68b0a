#!/usr/bin/env node
import { existsSync } from "node:fs";
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
  page-service users reset-password ADDRESS [--json]
                                         a link by which somebody with an account chooses a new password
  page-service workspaces list [--json]
  page-service workspaces log --workspace NAME [--json]
                                         what was done to its keys, plan and members
  page-service plans list [--json]
  page-service plans set --workspace NAME --plan PLAN [--limit N] [--json]
  page-service export [--workspace NAME] [--output FILE]
                                         a backup as lines of JSON, of all or of one workspace, while the
                                         service runs; on standard output without --output
  page-service import [--input FILE]     puts an export into an empty database, or one workspace beside others;
                                         from standard input without --input
  page-service generate --spec FILE --out DIR [--adapters DIR] [--check] [--watch]
                                         types, routes, client and validators from an OpenAPI document

page-service COMMAND --help tells of one command.

Configuration of the service (environment):
  PORT (3000)  HOST (127.0.0.1)  DATA_DIR (./data)  DATABASE_URL (postgres://...: PostgreSQL in place of
  SQLite in DATA_DIR)  REDIS_URL (redis://...: processes share their rate limits)
  BASE_URL (http://localhost:PORT)  APP_URL (BASE_URL)  LOG_LEVEL (info)
  TRUSTED_PROXIES (none; such as loopback,10.0.0.0/8: whose X-Forwarded-For is believed)
`;

const MORE: Readonly<Record<string, string>> = {
  export: `The first line tells what the file is, each other one has a row, and the last one the counts, by which a file that was
cut off is known. The database is read as it is when the command begins, while the service runs and writes.

All of it is in the file but who is signed in, and the answers kept for requests that are sent again: pages, databases,
blocks, comments, the trash, users, accounts with the hashes of their passwords, the hashes of API keys, plans and the log.
Whoever has the file can read all of that. API keys work on where it is imported.

With --workspace it is that workspace alone, and the accounts of its members. A file of --output is whole or not there.

  page-service export | gzip > backup.jsonl.gz
  page-service export --workspace Acme --output acme.jsonl`,
  import: `All is imported, or nothing. The file may come from SQLite or PostgreSQL, whichever the database is, and from an earlier
version of this program, for a database without tables. Import before the first start of the service: that makes a workspace.

One workspace is imported beside others, unless it or one of its name is there. People who have an account there already keep
it as it is. While it is imported into SQLite, writes of a service on the same file are refused after some seconds.

  gunzip < backup.jsonl.gz | page-service import
  DATABASE_URL=postgres://... page-service import --input backup.jsonl`,
};

/** Each command loads what it needs when it is asked for: none waits for the modules of another. */
async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  // The toolkit has a text of its own.
  if (command !== undefined && command !== "generate" && rest.some((arg) => /^(-h|--help)$/.test(arg))) {
    console.log(helpOf(command));
    return 0;
  }
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
    case "export":
      return (await import("./cli/export.js")).exportCommand(rest);
    case "import":
      return (await import("./cli/import.js")).importCommand(rest);
    case "generate":
      return generate(rest);
    case "--version":
      console.log((await import("./cli/version.js")).packageVersion());
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

/** What HELP has on one command, and what there is to know besides. */
function helpOf(command: string): string {
  const usage: string[] = [];
  let within = false;
  for (const line of HELP.split("\n")) {
    const named = /^ {2}page-service (\w+)/.exec(line)?.[1];
    within = named === undefined ? within && line.startsWith("   ") : named === command;
    if (within) usage.push(line);
  }
  if (usage.length === 0) throw new UsageError(`There is no command ${JSON.stringify(command)}.`);
  return ["Usage:", ...usage, ...(Object.hasOwn(MORE, command) ? ["", MORE[command]] : [])].join("\n");
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { explain } = await import("./cli/explain.js");
  console.error(explain(error).replace(/^(?! )/gm, "page-service: "));
  process.exitCode = 2;
}

import { Command, CommanderError, Option } from "commander";
import { describeSettings } from "../config.js";
import { PLANS } from "../domain/limits.js";
import { EXPORT_HELP, IMPORT_HELP } from "./help.js";
import { parseDuration, parseLimit } from "./options.js";
import { packageVersion } from "./version.js";

/**
 * Runs a command line.
 *
 * @returns The exit code.
 * @throws CommanderError when the command or an option is unknown, missing or invalid; otherwise what the command throws.
 */
export async function runProgram(args: string[]): Promise<number> {
  const program = createProgram();
  if (args.length === 0) {
    program.outputHelp();
    return 2;
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // A group without a command, such as `keys`. Its help is already on standard error.
    if (error.code === "commander.help") return 2;
    throw error;
  }
  return typeof process.exitCode === "number" ? process.exitCode : 0;
}

/** Declares every command with its options. Actions import their modules when they run. */
function createProgram(): Command {
  const program = new Command("page-service")
    .description("A REST service for pages, databases, blocks, comments and users")
    .version(packageVersion(), "-v, --version")
    // Errors are thrown, and printed in one place. Groups of commands inherit this.
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .addHelpText("after", `\nRun \`page-service COMMAND --help\` for details.\n\n${describeSettings()}`);

  program
    .command("serve")
    .description("run the service")
    .option("--memory", "keep all data in memory and write nothing to the disk")
    .addHelpText("after", `\n${describeSettings()}`)
    .action(async (options: { memory?: true }) => (await import("./serve.js")).serve(options));
  addKeyCommands(program.command("keys").description("create, list, rotate and revoke API keys"));
  addUserCommands(program.command("users").description("add and list people, and reset passwords"));
  addWorkspaceCommands(program.command("workspaces").description("manage workspaces and read their log"));
  addPlanCommands(program.command("plans").description("list plans and change the plan of a workspace"));
  program
    .command("export")
    .description("write a backup of all workspaces or of one, while the service runs")
    .option("--workspace <name>", "export one workspace and the accounts of its members")
    .option("--output <file>", "write to a file instead of standard output")
    .addHelpText("after", EXPORT_HELP)
    .action(async (options: { workspace?: string; output?: string }) =>
      (await import("./export.js")).exportData(options),
    );
  program
    .command("import")
    .description("read a backup into an empty database, or add one workspace to a database")
    .option("--input <file>", "read a file instead of standard input")
    .addHelpText("after", IMPORT_HELP)
    .action(async (options: { input?: string }) => (await import("./import.js")).importData(options));
  return program;
}

function addKeyCommands(keys: Command): void {
  const load = () => import("./keys.js");
  keys
    .command("create")
    .description("create an API key and print it once")
    .requiredOption("--workspace <name>", "workspace that the key belongs to")
    .option("--create-workspace", "create the workspace if it does not exist; implied by --json")
    .addOption(planOption())
    .addOption(limitOption())
    .option("--name <text>", 'name of the key ("API key")')
    .option("--expires <duration>", "expiry such as 30m, 12h or 90d (never)", parseDuration)
    .option("--read-only", "allow only operations that read")
    .addOption(jsonOption())
    .action(async (options) => (await load()).createKey(options));
  keys
    .command("list")
    .description("list keys; their text is not stored")
    .option("--workspace <name>", "list the keys of one workspace")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listKeys(options));
  keys
    .command("rotate")
    .description("replace a key by a new one and print it once")
    .argument("<id-or-prefix>")
    .addOption(
      new Option("--overlap <duration>", "how long the old key keeps working, such as 30m, 12h or 7d")
        .argParser(parseDuration)
        .default(parseDuration("24h"), "24h"),
    )
    .addOption(jsonOption())
    .action(async (idOrPrefix: string, options) => (await load()).rotateKey(idOrPrefix, options));
  keys
    .command("revoke")
    .description("revoke a key; it stops working within a second")
    .argument("<id-or-prefix>")
    .addOption(jsonOption())
    .action(async (idOrPrefix: string, options) => (await load()).revokeKey(idOrPrefix, options));
}

function addUserCommands(users: Command): void {
  const load = () => import("./users.js");
  users
    .command("create")
    .description("add a person whom pages can mention")
    .requiredOption("--workspace <name>", "workspace of the person")
    .requiredOption("--name <text>", "name of the person")
    .requiredOption("--email <address>", "e-mail address of the person")
    .addOption(jsonOption())
    .action(async (options) => (await load()).createUser(options));
  users
    .command("list")
    .description("list the people and bots of a workspace")
    .requiredOption("--workspace <name>", "workspace to list")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listUsers(options));
  users
    .command("invite")
    .description("create a link with which one person can join a workspace")
    .requiredOption("--workspace <name>", "workspace to join")
    .addOption(
      new Option("--role <role>", "role in the workspace").choices(["member", "owner"]).default("member"),
    )
    .addOption(jsonOption())
    .action(async (options) => (await load()).inviteUser(options));
  users
    .command("reset-password")
    .description("create a link for choosing a new password, valid once and for an hour")
    .argument("<email>")
    .addOption(jsonOption())
    .action(async (email: string, options) => (await load()).resetPassword(email, options));
}

function addWorkspaceCommands(workspaces: Command): void {
  const load = () => import("./workspaces.js");
  workspaces
    .command("list")
    .description("list workspaces with their plans")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listWorkspaces(options));
  workspaces
    .command("create")
    .description('create a workspace with a database "Pages"')
    .argument("<name>")
    .addOption(planOption())
    .addOption(limitOption())
    .addOption(jsonOption())
    .action(async (name: string, options) => (await load()).createWorkspace(name, options));
  workspaces
    .command("rename")
    .description("change the name of a workspace")
    .argument("<name>")
    .argument("<new-name>")
    .addOption(jsonOption())
    .action(async (name: string, newName: string, options) =>
      (await load()).renameWorkspace(name, newName, options),
    );
  workspaces
    .command("delete")
    .description("delete a workspace with everything in it")
    .argument("<name>")
    .option("--yes", "confirm; the data cannot be restored")
    .addOption(jsonOption())
    .action(async (name: string, options) => (await load()).deleteWorkspace(name, options));
  workspaces
    .command("jobs")
    .description("show running jobs and their progress")
    .addOption(jsonOption())
    .action(async (options) => (await load()).showJobs(options));
  workspaces
    .command("log")
    .description("show changes to keys, plan and members of a workspace")
    .requiredOption("--workspace <name>", "workspace to show")
    .addOption(jsonOption())
    .action(async (options) => (await load()).showLog(options));
}

function addPlanCommands(plans: Command): void {
  const load = () => import("./plans.js");
  plans
    .command("list")
    .description("list plans with their request limits")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listPlans(options));
  plans
    .command("set")
    .description("change the plan of a workspace")
    .requiredOption("--workspace <name>", "workspace to change")
    .addOption(planOption().makeOptionMandatory())
    .addOption(limitOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).setPlan(options));
}

function planOption(): Option {
  return new Option("--plan <plan>", "plan of the workspace (free)").choices(PLANS);
}

function limitOption(): Option {
  return new Option("--limit <number>", "requests per minute; only for the plan enterprise").argParser(
    parseLimit,
  );
}

function jsonOption(): Option {
  return new Option("--json", "print JSON for programs");
}

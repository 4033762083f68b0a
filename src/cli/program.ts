import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { UserError } from "../errors.js";
import { describeSettings, isSetting } from "../config.js";
import { parseDuration } from "../domain/duration.js";
import { UNLIMITED_REQUESTS_PER_MINUTE, PLANS } from "../domain/plans.js";
import { EXPORT_HELP, IMPORT_HELP } from "./help.js";
import { readPackageVersion } from "./version.js";

/** Runs a command line, and returns the exit code. Throws a UserError for an invalid one, and errors of the command. */
export async function runProgram(args: string[]): Promise<number> {
  const program = createProgram();
  const { command, names, commandLine } = findCommand(program, args);
  if (commandLine.length === 0) {
    program.outputHelp({ error: true });
    return 2;
  }
  try {
    await program.parseAsync(commandLine, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // A group without a command, such as `page-service keys`. Commander has already printed its help to standard error.
    if (error.code === "commander.help") return 2;
    const commands = error.code === "commander.unknownCommand" ? `${listCommands(command)} ` : "";
    const path = [program.name(), ...names].join(" ");
    throw new UserError(`${formatCommanderError(error.message)} ${commands}Run \`${path} --help\`.`);
  }
  return typeof process.exitCode === "number" ? process.exitCode : 0;
}

/**
 * Finds the command that a command line begins with, and replaces `help keys create` and `keys help create` by `keys create --help`.
 * `--help` removes the other arguments, because Commander would take it for the value of an option before it, or first report an
 * invalid value. An unknown command is left without `--help`, so that it is reported, because Commander prints the help of the group
 * instead.
 */
function findCommand(program: Command, args: readonly string[]) {
  const names: string[] = [];
  let command = program;
  let asksForHelp = false;
  let position = 0;
  for (; position < args.length; position += 1) {
    const name = args[position];
    const next = command.commands.find((subcommand) => subcommand.name() === name);
    if (next !== undefined) {
      names.push(next.name());
      command = next;
    } else if (name === "help" && command.commands.length > 0) asksForHelp = true;
    else break;
  }
  const rest = args.slice(position);
  const [unknown] = rest;
  const isUnknown = command.commands.length > 0 && unknown !== undefined && !unknown.startsWith("-");
  if (isUnknown) return { command, names, commandLine: [...names, unknown] };
  asksForHelp ||= rest.includes("--help") || rest.includes("-h");
  return { command, names, commandLine: [...names, ...(asksForHelp ? ["--help"] : rest)] };
}

/** Formats a message such as `error: unknown option '--x'\n(Did you mean --y?)` as sentences on one line. */
function formatCommanderError(message: string): string {
  const option = /unknown option '--([a-z-]+)/.exec(message)?.[1] ?? "";
  const setting = option.toUpperCase().replaceAll("-", "_");
  if (isSetting(setting))
    return `Unknown option '--${option}'. Set the environment variable ${setting} instead.`;
  const text = message
    .replace(/^error: /, "")
    .replace(/\n\((.*)\)$/, ". $1")
    .replace(/([^.?])$/, "$1.");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listCommands(group: Command): string {
  const names = group.commands.map((command) => command.name());
  return `The commands are ${new Intl.ListFormat("en-GB").format(names)}.`;
}

/** Declares every command with its options. Actions import their modules when they run. */
function createProgram(): Command {
  const program = new Command("page-service")
    .description("A REST service for pages, databases, blocks, comments and users")
    .version(readPackageVersion(), "-v, --version")
    // Errors are thrown, and printed in one place. Groups of commands inherit this.
    .exitOverride()
    .configureOutput({
      // The console ignores that a pipe was closed, as by `page-service --help | head -1`.
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      outputError: () => {},
    })
    .showSuggestionAfterError()
    .addHelpText("after", `\nRun \`page-service COMMAND --help\` for details.\n\n${describeSettings()}`);

  program
    .command("serve")
    .description("run the service")
    .option("--memory", "keep all data in memory and write nothing to the disk")
    .addHelpText("after", `\n${describeSettings()}`)
    .action(async (options: { memory?: true }) => (await import("./serve.js")).serve(options));
  addKeyCommands(program.command("keys").description("create, list, rotate and revoke API keys"));
  addUserCommands(program.command("users").description("add, list and invite people, and reset passwords"));
  addWorkspaceCommands(program.command("workspaces").description("manage workspaces and read their log"));
  addPlanCommands(program.command("plans").description("list plans and change the plan of a workspace"));
  for (const group of program.commands) {
    for (const command of group.commands) {
      command.option("--json", "print JSON for programs");
      for (const option of command.options) if (option.mandatory) option.description += " (required)";
    }
  }
  program
    .command("export")
    .description("write a backup of all workspaces or of one, while the service runs")
    .option("--workspace <name>", "export one workspace, by name or id, and the accounts of its members")
    .option("--output <file>", "write to a file instead of standard output", parseFileName)
    .addHelpText("after", EXPORT_HELP)
    .action(async (options: { workspace?: string; output?: string }) =>
      (await import("./export-import.js")).exportData(options),
    );
  program
    .command("import")
    .description("read a backup into an empty database, or add one workspace to a database")
    .option("--input <file>", "read a file instead of standard input", parseFileName)
    .addHelpText("after", IMPORT_HELP)
    .action(async (options: { input?: string }) => (await import("./export-import.js")).importData(options));
  return program;
}

function addKeyCommands(keys: Command): void {
  keys
    .command("create")
    .description("create an API key and print it once")
    .requiredOption("--workspace <name>", "workspace that the key belongs to, by name or id")
    .option("--create-workspace", "create the workspace if it does not exist; implied by --json")
    .addOption(createPlanOption("plan of the workspace, also of an existing one (free)"))
    .addOption(createLimitOption())
    .option("--name <text>", 'name of the key ("API key")')
    .option("--expires <duration>", "expiry such as 30m, 12h or 90d (never)", parseDurationOption)
    .option("--read-only", "allow only operations that read")
    .action(async (options) => (await import("./keys.js")).createKey(options));
  keys
    .command("list")
    .description("list keys, without their secret part")
    .option("--workspace <name>", "list the keys of one workspace, by name or id")
    .action(async (options) => (await import("./keys.js")).listKeys(options));
  keys
    .command("rotate")
    .description("replace a key by a new one and print it once")
    .argument("<key>", "the key as `keys list` shows it, its id, or the whole key")
    .addOption(
      new Option("--overlap <duration>", "how long the old key keeps working, such as 30m, 12h or 7d")
        .argParser(parseDurationOption)
        .default(parseDurationOption("24h"), "24h"),
    )
    .action(async (key: string, options) => (await import("./keys.js")).rotateKey(key, options));
  keys
    .command("revoke")
    .description("revoke a key; it stops working within a second")
    .argument("<key>", "the key as `keys list` shows it, its id, or the whole key")
    .action(async (key: string, options) => (await import("./keys.js")).revokeKey(key, options));
}

function addUserCommands(users: Command): void {
  users
    .command("create")
    .description("add a person whom pages can mention")
    .requiredOption("--workspace <name>", "workspace of the person, by name or id")
    .requiredOption("--name <text>", "name of the person")
    .requiredOption("--email <address>", "e-mail address of the person")
    .action(async (options) => (await import("./users.js")).createUser(options));
  users
    .command("list")
    .description("list the people and bots of a workspace")
    .requiredOption("--workspace <name>", "workspace to list, by name or id")
    .action(async (options) => (await import("./users.js")).listUsers(options));
  users
    .command("invite")
    .description("create a link with which one person can join a workspace")
    .requiredOption("--workspace <name>", "workspace to join, by name or id")
    .addOption(
      new Option("--role <role>", "role in the workspace").choices(["member", "owner"]).default("member"),
    )
    .action(async (options) => (await import("./users.js")).inviteUser(options));
  users
    .command("reset-password")
    .description("create a link for choosing a new password, valid once and for an hour")
    .argument("<email>")
    .action(async (email: string, options) => (await import("./users.js")).resetPassword(email, options));
}

function addWorkspaceCommands(workspaces: Command): void {
  workspaces
    .command("list")
    .description("list workspaces with their plans")
    .action(async (options) => (await import("./workspaces.js")).listWorkspaces(options));
  workspaces
    .command("create")
    .description('create a workspace with a database "Pages"')
    .argument("<name>")
    .addOption(createPlanOption())
    .addOption(createLimitOption())
    .action(async (name: string, options) =>
      (await import("./workspaces.js")).createWorkspace(name, options),
    );
  workspaces
    .command("rename")
    .description("change the name of a workspace")
    .argument("<name>", "name or id of the workspace")
    .argument("<new-name>", "new name of the workspace")
    .action(async (nameOrId: string, newName: string, options) =>
      (await import("./workspaces.js")).renameWorkspace(nameOrId, newName, options),
    );
  workspaces
    .command("delete")
    .description("delete a workspace with everything in it")
    .argument("<name>", "name or id of the workspace")
    .option("--yes", "confirm; the data cannot be restored")
    .action(async (nameOrId: string, options) =>
      (await import("./workspaces.js")).deleteWorkspace(nameOrId, options),
    );
  workspaces
    .command("jobs")
    .description("show running jobs and their progress")
    .action(async (options) => (await import("./workspaces.js")).printJobs(options));
  workspaces
    .command("log")
    .description("show changes to keys, plan and members, and permanent deletions")
    .argument("<name>", "name or id of the workspace")
    .action(async (nameOrId: string, options) =>
      (await import("./workspaces.js")).printAuditLog(nameOrId, options),
    );
}

function addPlanCommands(plans: Command): void {
  plans
    .command("list")
    .description("list plans with their request limits")
    .action(async (options) => (await import("./plans.js")).listPlans(options));
  plans
    .command("set")
    .description("change the plan of a workspace")
    .requiredOption("--workspace <name>", "workspace to change, by name or id")
    .addOption(createPlanOption("new plan").makeOptionMandatory())
    .addOption(createLimitOption())
    .action(async (options) => (await import("./plans.js")).setPlan(options));
}

function createPlanOption(description = "plan of the workspace (free)"): Option {
  return new Option("--plan <plan>", description).choices(PLANS);
}

function createLimitOption(): Option {
  const description = 'requests per minute, or "none"; only for the plan enterprise';
  return new Option("--limit <number>", description).argParser(parseLimit);
}

/** Parses a request limit. Throws InvalidArgumentError unless it is a whole number or "none". */
function parseLimit(text: string): number {
  if (text === "none") return UNLIMITED_REQUESTS_PER_MINUTE;
  if (!/^\d+$/.test(text)) {
    throw new InvalidArgumentError('Use a whole number of requests per minute, or "none".');
  }
  return Number(text);
}

/** Parses the name of a file. Throws InvalidArgumentError when it is empty, as from a shell variable that is not set. */
function parseFileName(text: string): string {
  if (text === "") throw new InvalidArgumentError("Use the name of a file.");
  return text;
}

/** Parses a duration such as 30m, 12h or 90d into milliseconds. Throws InvalidArgumentError for any other text. */
function parseDurationOption(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) {
    throw new InvalidArgumentError(
      "Use up to 6 digits and m, h or d for minutes, hours or days, such as 30m, 12h or 90d.",
    );
  }
  return milliseconds;
}

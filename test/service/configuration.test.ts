import { createServer as createTcpServer } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { formatError } from "../../src/cli/format-error.js";
import { runProgram } from "../../src/cli/program.js";
import { describeSettings, readConfig } from "../../src/config.js";
import { openStore } from "../../src/storage/engine/open-store.js";
import { configurationVariables } from "../support/configuration.js";
import { run, start } from "./command.js";
import { listen } from "../support/ports.js";
import { startServer } from "../support/server.js";
import { runInProcess } from "./run-in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

/** A mistake with its command, its explanation and its environment variables. */
type Mistake = [name: string, command: string, explanation: RegExp, env?: Record<string, string>];

const COMMANDS = "The commands are serve, keys, users, workspaces, plans, export and import\\.";
const UNKNOWN_SERVE = new RegExp(
  `^Unknown command 'sreve'\\. Did you mean serve\\? ${COMMANDS} Run \`page-service --help\`\\.$`,
);
const UNKNOWN_KEY_COMMAND =
  /^Unknown command 'nope'\. The commands are create, list, [a-z, -]+ and [a-z-]+\. Run `page-service keys --help`\.$/;
const NO_DATABASE =
  /^There is no database at \/nowhere\/page-service\.db\. Set DATA_DIR or DATABASE_URL to the value that the service uses\.$/;
const EMPTY_FILE_NAME = /^Option '--(?:out|in)put <file>' argument '' is invalid\. Use the name of a file\./;

const MISTAKES: Mistake[] = [
  ["PORT", "serve", /^PORT must be a whole number from 0 to 65535, not "80a"\.$/, { PORT: "80a" }],
  ["PORT", "serve", /^PORT must be .*"65536"\.$/, { PORT: "65536" }],
  ["PORT", "serve", /^PORT must be .*"-1"\.$/, { PORT: "-1" }],
  ["BASE_URL", "serve", /^BASE_URL must be an http or https address/, { BASE_URL: "pages.example.org" }],
  ["BASE_URL", "serve", /^BASE_URL must be/, { BASE_URL: "file:///etc" }],
  ["APP_URL", "serve", /^APP_URL must be/, { APP_URL: "javascript:alert(1)" }],
  ["a missing slash in APP_URL", "serve", /^APP_URL must be/, { APP_URL: "https:/pages.example.org" }],
  [
    "a query in BASE_URL",
    "serve",
    /^BASE_URL must be an http or https address without a user or a query, such as/,
    { BASE_URL: "https://pages.example.org/?a=1" },
  ],
  [
    "a password in BASE_URL",
    "serve",
    /^BASE_URL must be an http or https address without a user or a query, such as/,
    { BASE_URL: "https://user:password@pages.example.org" },
  ],
  [
    "a path in APP_URL",
    "serve",
    /^APP_URL must be an http or https address without a path, such as/,
    { APP_URL: "https://example.org/pages" },
  ],
  [
    "a space in METRICS_TOKEN",
    "serve",
    /^METRICS_TOKEN must be ASCII characters without spaces\.$/,
    { METRICS_TOKEN: "my secret" },
  ],
  ["LOG_LEVEL", "serve", /^LOG_LEVEL must be one of fatal, .*"loud"\.$/, { LOG_LEVEL: "loud" }],
  [
    "DATABASE_URL",
    "serve",
    /^DATABASE_URL must be the address of a PostgreSQL database such as postgres:/,
    { DATABASE_URL: "mysql://u:secret@h/d" },
  ],
  ["DATABASE_URL", "keys list", /^DATABASE_URL must be/, { DATABASE_URL: "postgres://u:secret@h:x/d" }],
  [
    "an unreachable PostgreSQL server",
    "serve",
    /^PostgreSQL is unavailable: connect ECONNREFUSED 127\.0\.0\.1:1\. Check the address/,
    { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" },
  ],
  [
    "an unreachable PostgreSQL server",
    "export",
    /^PostgreSQL is unavailable: connect ECONNREFUSED 127\.0\.0\.1:1\. Check the address/,
    { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" },
  ],
  ["REDIS_URL", "serve", /^REDIS_URL must be an address/, { REDIS_URL: "http://u:secret@h" }],
  [
    "a name instead of the number of a database of Redis",
    "serve",
    /^REDIS_URL must be an address/,
    { REDIS_URL: "redis://:secret@h/pages" },
  ],
  ["REDIS_URL", "serve", /^REDIS_URL must be an address/, { REDIS_URL: "redis://" }],
  [
    "a % in the password of REDIS_URL",
    "serve",
    /^REDIS_URL must be .*\. Percent-encode special characters of the password\.$/,
    { REDIS_URL: "redis://:secret%b@h" },
  ],
  [
    "a % in DATABASE_URL",
    "serve",
    /^DATABASE_URL must be .*\. Percent-encode special characters of the password\./,
    { DATABASE_URL: "postgres://u:secret@h/100%" },
  ],
  [
    "TRUSTED_PROXIES",
    "serve",
    /^TRUSTED_PROXIES must be addresses and networks .*"loopback, proxy\.example\.org"\.$/,
    { TRUSTED_PROXIES: "loopback, proxy.example.org" },
  ],
  [
    "HOST",
    "serve --memory",
    /^HOST 192\.0\.2\.1 is not an address of this machine\. Use 0\.0\.0\.0 to listen on all its addresses\.$/,
    { HOST: "192.0.2.1", PORT: "0" },
  ],
  [
    "a name in HOST that is unknown",
    "serve --memory",
    /^HOST nowhere\.invalid is not an address of this machine\./,
    { HOST: "nowhere.invalid", PORT: "0" },
  ],
  [
    "a folder in which nothing can be created",
    "serve",
    /^Cannot open the database file \/proc\/page-service\/page-service\.db: no such file or directory\. Set DATA_DIR to a folder in which/,
    { DATA_DIR: "/proc/page-service" },
  ],
  [
    "a file instead of the data folder",
    "serve",
    /^Cannot open the database file .*configuration\.test\.ts\/page-service\.db: not a directory\. Set DATA_DIR to a folder in which this user can create files, or run the program as another user\.$/,
    { DATA_DIR: fileURLToPath(import.meta.url) },
  ],
  [
    "a data folder that cannot be searched",
    "keys list",
    /^Cannot open the database file .*: name too long\. Set DATA_DIR to the folder that the service uses, and /,
    { DATA_DIR: `/${"x".repeat(300)}` },
  ],
  ["no database", "keys list", NO_DATABASE, { DATA_DIR: "/nowhere" }],
  ["no database", "export", NO_DATABASE, { DATA_DIR: "/nowhere" }],
  ["no database", "plans set --workspace A --plan pro", NO_DATABASE, { DATA_DIR: "/nowhere" }],
  ["an unknown command", "sreve", UNKNOWN_SERVE],
  [
    "a setting as an option",
    "serve --data-dir=/tmp",
    /^Unknown option '--data-dir'\. Set the environment variable DATA_DIR instead\. Run `page-service serve --help`\.$/,
  ],
  ["an unknown option", "serve --memmory", /^Unknown option '--memmory'.*`page-service serve --help`\.$/],
  ["an option of another command", "keys revoke ps_nothing --expires 1d", /^Unknown option '--expires'/],
  ["an additional argument", "serve now", /^Too many arguments for 'serve'\. .*--help`\.$/],
  [
    "a missing file",
    "import --input /nowhere/export.jsonl",
    /^Cannot open \/nowhere\/export\.jsonl: no such file or directory\.$/,
  ],
  ["a folder as the input", "import --input /", /^The input is a folder\. Pass a file to --input\.$/],
  ["a folder as the output", "export --output /tmp", /^The output is a folder\. Pass a file to --output\.$/],
  ["an empty file name", "export --output=", EMPTY_FILE_NAME],
  ["an empty file name", "import --input=", EMPTY_FILE_NAME],
  [
    "an unknown workspace, without --create-workspace",
    "keys create --workspace B",
    /^There is no workspace "B"\. Check the name, or add --create-workspace to create it\.$/,
  ],
  ["a plan for an unknown workspace", "plans set --workspace B --plan pro", /^There is no workspace "B"\./],
  [
    "an invalid duration",
    "keys create --workspace A --expires soon",
    /^Option '--expires <duration>' argument 'soon' is invalid\. Use up to 6 digits and m, h or d for minutes, hours or days, such as 30m, 12h or 90d\. Run/,
  ],
  [
    "a duration that is too long",
    "keys create --workspace A --expires 1000000d",
    /^Option '--expires <duration>' argument '1000000d' is invalid\. Use up to 6 digits and m, h or d/,
  ],
  [
    "a key without workspace",
    "keys create",
    /^Required option '--workspace <name>' not specified\. Run `page-service keys create --help`\.$/,
  ],
  [
    "an unknown plan",
    "keys create --workspace A --plan gold",
    /^Option '--plan <plan>' argument 'gold' is invalid\. Allowed choices are free, pro, enterprise\./,
  ],
  [
    "an invalid limit",
    "keys create --workspace A --plan enterprise --limit 1e3",
    /^Option '--limit <number>' argument '1e3' is invalid\. Use a whole number/,
  ],
  [
    "a negative limit",
    "keys create --workspace A --plan enterprise --limit=-1",
    /^Option '--limit <number>' argument '-1' is invalid\. Use a whole number/,
  ],
  ["help for an unknown command", "help nope", new RegExp(`^Unknown command 'nope'\\. ${COMMANDS} Run `)],
  ["help for an unknown command", "nope --help", new RegExp(`^Unknown command 'nope'\\. ${COMMANDS} Run `)],
  ["help for an unknown command", "help keys nope", UNKNOWN_KEY_COMMAND],
  ["help for an unknown command", "keys help nope", UNKNOWN_KEY_COMMAND],
  ["help for an unknown command", "keys nope --help", UNKNOWN_KEY_COMMAND],
  ["help for an unknown command", "keys nope -h", UNKNOWN_KEY_COMMAND],
  ["an unknown command of a group", "keys nope", UNKNOWN_KEY_COMMAND],
  [
    "an unknown key",
    "keys revoke ps_nothing",
    /^There is no key "ps_nothing"\. Give its id, or the key as `/,
  ],
];

test.for(MISTAKES)("a mistake is explained in one line: %s: %s", async ([, command, explanation, env]) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  // Removes BASE_URL of Vite.
  vi.stubEnv("BASE_URL", undefined);
  const DATA_DIR = createTemporaryFolder();
  await (await openStore(path.join(DATA_DIR, "page-service.db"))).close();
  for (const [name, value] of Object.entries({ DATA_DIR, ...env })) vi.stubEnv(name, value);
  const error: unknown = await runProgram(command.split(" ")).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const message = formatError(error);
  expect(message).toMatch(explanation);
  expect(message).not.toMatch(/\n|secret/);
});

test("a mistake ends the process with exit code 2 and one line on standard error", async () => {
  const { code, stdout, stderr } = await run(["serve"], { DATABASE_URL: "mysql://u:secret@h/d" });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^page-service: DATABASE_URL must be [^\n]+\n$/);
  expect(stderr).not.toContain("secret");
});

test("addresses have no slashes at their end, and the default of APP_URL has no path", () => {
  const { baseUrl, appUrl } = readConfig({ BASE_URL: "https://example.org:8443/api//" });
  expect([baseUrl, appUrl]).toEqual(["https://example.org:8443/api", "https://example.org:8443"]);
  expect(readConfig({ APP_URL: "https://example.org/" }).appUrl).toBe("https://example.org");
});

test("secrets are read from files, and every mistake is reported", async () => {
  const folder = createTemporaryFolder();
  const file = path.join(folder, "token");
  writeFileSync(file, "from-a-file\n");
  expect(readConfig({ METRICS_TOKEN_FILE: file }).metricsToken).toBe("from-a-file");
  expect(readConfig({ METRICS_TOKEN: "direct" }).metricsToken).toBe("direct");
  const both = { METRICS_TOKEN: "direct", METRICS_TOKEN_FILE: file };
  expect(() => readConfig(both)).toThrow("Set either METRICS_TOKEN or METRICS_TOKEN_FILE, not both.");
  writeFileSync(file, "\n");
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow("DATABASE_URL_FILE names an empty file.");
  const missing = {
    DATABASE_URL_FILE: path.join(folder, "missing"),
    REGISTRATION: "maybe",
    SHUTDOWN_DELAY: "1h",
  };
  expect(() => readConfig(missing)).toThrow(
    /REGISTRATION must be one of open[^]*DATABASE_URL_FILE names .*missing, which cannot be read: no such file or directory\.\n[^]*SHUTDOWN_DELAY must be a whole number/,
  );
});

test("the defaults in the help are those of the configuration", () => {
  const computed = ["none", "none: this machine only", "http://HOST:PORT", "origin of BASE_URL"];
  const defaults = [...describeSettings().matchAll(/^ {2}(\w+) .*\((.*)\)$/gm)]
    .map(([, name = "", text = ""]) => [name, text] as const)
    .filter(([, text]) => !computed.includes(text));
  expect(defaults.map(([name]) => name)).toContain("PORT");
  for (const [name, text] of defaults) expect(readConfig({ [name]: text }), name).toEqual(readConfig({}));
});

test("the largest port and delay, and Redis with TLS are accepted", () => {
  const redisUrl = "rediss://user:password@host:6380/0";
  const config = readConfig({ PORT: "65535", SHUTDOWN_DELAY: "300", REDIS_URL: redisUrl });
  expect(config).toMatchObject({ port: 65_535, shutdownDelayMs: 300_000, redisUrl });
});

test("spaces around a setting are ignored, and an empty one has its default", () => {
  expect(readConfig({ PORT: " 80 ", BASE_URL: " ", REDIS_URL: "" })).toEqual(readConfig({ PORT: "80" }));
});

test("only secrets are read from files", () => {
  expect(readConfig({ PORT_FILE: "/nowhere" })).toEqual(readConfig({}));
});

test("every configuration mistake is reported on its own line", async () => {
  const env = { PORT: "x", LOG_LEVEL: "y", BASE_URL: "z" };
  const { code, stderr } = await runInProcess(["serve"], env);
  expect(code).toBe(2);
  expect(
    stderr
      .trimEnd()
      .split("\n")
      .map((line) => /(PORT|LOG_LEVEL|BASE_URL)/.exec(line)?.[1]),
  ).toEqual(["PORT", "BASE_URL", "LOG_LEVEL"]);
});

/** Starts a server that responds to the first bytes of each connection, and returns its address as a DATABASE_URL. */
async function startPostgresImitation(response: Buffer | string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.once("data", () => socket.end(response));
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return `postgres://u:secret@127.0.0.1:${port}/d`;
}

test("a login that PostgreSQL refuses is explained", async () => {
  const message = 'SFATAL\0C28P01\0Mpassword authentication failed for user "u"\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + message.length);
  const response = Buffer.concat([Buffer.from("E"), length, Buffer.from(message)]);
  const DATABASE_URL = await startPostgresImitation(response);
  expect(await runInProcess(["keys", "list"], { DATABASE_URL })).toMatchObject({
    code: 2,
    stderr:
      'page-service: PostgreSQL is unavailable: password authentication failed for user "u". ' +
      "Check the user, the password and the database in DATABASE_URL.\n",
  });
});

test.each(["prefer", "require", "verify-ca", "verify-full"])(
  "sslmode=%s requires TLS, without a warning of the driver",
  async (mode) => {
    const emitWarning = vi.spyOn(process, "emitWarning");
    onTestFinished(() => emitWarning.mockRestore());
    // The response of a server without TLS.
    const DATABASE_URL = `${await startPostgresImitation("N")}?sslmode=${mode}&application_name=test`;
    expect(await runInProcess(["keys", "list"], { DATABASE_URL })).toMatchObject({
      code: 2,
      stderr:
        "page-service: PostgreSQL is unavailable: The server does not support SSL connections. " +
        "Check sslmode and sslrootcert in DATABASE_URL.\n",
    });
    expect(emitWarning).not.toHaveBeenCalled();
  },
);

test("a port in use is reported in one line, and a first start does not lose the demo key", async () => {
  const { port } = new URL(await startServer(() => {}));
  const env = { PORT: port, DATA_DIR: createTemporaryFolder() };
  for (const args of [["serve"], ["serve", "--memory"]]) {
    expect(await runInProcess(args, env)).toEqual({
      code: 2,
      stdout: "",
      stderr: `page-service: Port ${port} is in use. Stop the program that uses it, or set PORT to a different port.\n`,
    });
  }
  expect((await runInProcess(["keys", "list"], env)).stdout).toBe("There are no keys.\n");
});

test("an unusable data folder is reported in one line", async () => {
  const folder = createTemporaryFolder();
  writeFileSync(path.join(folder, "file"), "");
  mkdirSync(path.join(folder, "other", "page-service.db"), { recursive: true });
  writeFileSync(path.join(folder, "page-service.db"), "This is no database. ".repeat(100));
  for (const DATA_DIR of [path.join(folder, "file"), path.join(folder, "other"), folder]) {
    const { code, stdout, stderr } = await runInProcess(["serve"], { PORT: "0", DATA_DIR });
    expect(stderr).toMatch(/^page-service: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  }
});

test("help and version go to standard output", async () => {
  for (const args of [["--help"], ["-h"], ["help"]]) {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const part of ["serve", "keys", "users", "workspaces", "plans", "export", "import"]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${part} `, "m"));
    }
  }
  for (const args of [[], ["nothing"]]) expect((await runInProcess(args)).code).toBe(2);
  for (const option of ["--version", "-v"]) {
    expect((await runInProcess([option])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }
});

test("help has reviewed texts, and fits into 80 columns", async () => {
  const { stdout } = await runInProcess(["--help"]);
  const groups = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
  expect(groups).toContain("keys");
  const helps = [stdout];
  for (const group of groups) {
    const { stdout: help } = await runInProcess([group, "--help"]);
    helps.push(help);
    for (const [, command = ""] of help.matchAll(/^ {2}([a-z][a-z-]*) .*[a-z]/gm))
      helps.push((await runInProcess([group, command, "--help"])).stdout);
  }
  const lines = helps.flatMap((help) => help.split("\n"));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  // Review the diff after a change of the texts: `npm test -- --project main test/service/configuration.test.ts -u`.
  await expect([...new Set(helps)].join("\n")).toMatchFileSnapshot("../fixtures/help.txt");
});

test.each([
  "keys create nope --help",
  "keys create --workspace --help",
  "keys create --plan gold --help",
  "help keys create extra",
])("help is shown whatever else is on the command line: %s", async (commandLine) => {
  const { code, stdout } = await runInProcess(commandLine.split(" "));
  expect([code, stdout]).toEqual([0, expect.stringContaining("Usage: page-service keys create ")]);
});

test("a command line without a command gets the help on standard error", async () => {
  for (const args of [[], ["keys"]]) {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: page-service /);
  }
});

test("a reader that closes standard output early causes no error message", async () => {
  const help = start(["--help"]);
  help.process.stdout.destroy();
  expect(await help.ended).toMatchObject({ code: 0, stderr: "" });
});

test("help with the names of a command shows the help of the command", async () => {
  for (const command of [["serve"], ["export"], ["import"], ["keys"], ["keys", "create"]]) {
    const help = await runInProcess([...command, "--help"]);
    expect(help.stdout).toContain(`Usage: page-service ${command.join(" ")} `);
    expect(await runInProcess(["help", ...command])).toEqual(help);
  }
});

test("serve --help lists every environment variable that the configuration reads", async () => {
  const { stdout } = await runInProcess(["serve", "--help"]);
  const names = configurationVariables();
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
});

test("the help of a command marks required options", async () => {
  const { stdout } = await runInProcess(["plans", "set", "--help"]);
  expect(stdout.match(/--\w+ <.*\(required\)/g)).toEqual([
    "--workspace <name>  workspace to change, by name or id (required)",
    "--plan <plan>       new plan (required)",
  ]);
});

test.each([
  ["keys", "create list rotate revoke"],
  ["users", "create list reset-password"],
  ["workspaces", "list create rename delete jobs log"],
  ["plans", "list set"],
])("%s without a command shows its help and fails", async (group, commands) => {
  const { code, stdout, stderr } = await runInProcess([group]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  for (const command of commands.split(" ")) expect(stderr).toMatch(new RegExp(`^ {2}${command} `, "m"));
});

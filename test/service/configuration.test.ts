import { createServer } from "node:http";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run, temporaryFolder } from "./command.js";

test.for<[string, string[], Record<string, string>, RegExp]>([
  ["PORT", ["serve"], { PORT: "80a" }, /^page-service: PORT must be a number from 0 to 65535, not "80a"\.$/],
  ["PORT", ["serve"], { PORT: "65536" }, /^page-service: PORT must be .*"65536"\.$/],
  ["PORT", ["serve"], { PORT: "-1" }, /^page-service: PORT must be .*"-1"\.$/],
  [
    "BASE_URL",
    ["serve"],
    { BASE_URL: "pages.example.org" },
    /^page-service: BASE_URL must be an http or https address/,
  ],
  ["BASE_URL", ["serve"], { BASE_URL: "file:///etc" }, /^page-service: BASE_URL must be/],
  ["APP_URL", ["serve"], { APP_URL: "javascript:alert(1)" }, /^page-service: APP_URL must be/],
  [
    "LOG_LEVEL",
    ["serve"],
    { LOG_LEVEL: "loud" },
    /^page-service: LOG_LEVEL must be one of fatal, .*"loud"\.$/,
  ],
  [
    "DATABASE_URL",
    ["serve"],
    { DATABASE_URL: "mysql://u:secret@h/d" },
    /^page-service: DATABASE_URL must be the address of a PostgreSQL database such as postgres:/,
  ],
  [
    "DATABASE_URL",
    ["keys", "list"],
    { DATABASE_URL: "postgres://u:secret@h:x/d" },
    /^page-service: DATABASE_URL must be/,
  ],
  [
    "a PostgreSQL server that is not there",
    ["serve"],
    { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" },
    /^page-service: PostgreSQL is unavailable: connect ECONNREFUSED 127\.0\.0\.1:1\. Check its address/,
  ],
  ["REDIS_URL", ["serve"], { REDIS_URL: "http://u:secret@h" }, /^page-service: REDIS_URL must be an address/],
  ["REDIS_URL", ["serve"], { REDIS_URL: "redis://" }, /^page-service: REDIS_URL must be an address/],
  [
    "TRUSTED_PROXIES",
    ["serve"],
    { TRUSTED_PROXIES: "loopback, proxy.example.org" },
    /^page-service: TRUSTED_PROXIES must be addresses and networks .*"loopback, proxy\.example\.org"\.$/,
  ],
  [
    "HOST",
    ["serve", "--memory"],
    { HOST: "192.0.2.1", PORT: "0" },
    /^page-service: HOST is no address of this machine\.$/,
  ],
  [
    "an unknown command",
    ["sreve"],
    {},
    /^page-service: There is no command "sreve"\. Run `page-service --help`/,
  ],
  ["an unknown option", ["serve", "--memmory"], {}, /^page-service: Unknown option '--memmory'.*--help`\.$/],
  ["an argument too many", ["serve", "now"], {}, /^page-service: .*'now'.*--help`\.$/],
  ["keys alone", ["keys"], {}, /^page-service: keys can create, list, rotate and revoke\./],
  ["workspaces alone", ["workspaces"], {}, /^page-service: workspaces can list and log\./],
  ["plans alone", ["plans"], {}, /^page-service: plans can list and set\./],
  [
    "a plan for a workspace that is none",
    ["plans", "set", "--workspace", "B", "--plan", "pro"],
    {},
    /^page-service: There is no workspace "B"\./,
  ],
  [
    "a time that is none",
    ["keys", "create", "--workspace", "A", "--expires", "soon"],
    {},
    /^page-service: --expires must be a time such as 30m, 12h or 90d, not "soon"\./,
  ],
  ["a key without workspace", ["keys", "create"], {}, /^page-service: keys create needs --workspace NAME\./],
  [
    "a plan that is none",
    ["keys", "create", "--workspace", "A", "--plan", "gold"],
    {},
    /^page-service: There is no plan "gold"\./,
  ],
  [
    "a limit that is none",
    ["keys", "create", "--workspace", "A", "--plan", "enterprise", "--limit", "1e3"],
    {},
    /^page-service: --limit must be a whole number/,
  ],
  [
    "a key that is none",
    ["keys", "revoke", "ps_nothing"],
    {},
    /^page-service: There is no key with the id or prefix "ps_nothing"\./,
  ],
])("a mistake is told in one line: %s", async ([, args, env, message]) => {
  const { code, stdout, stderr } = await run(args, { DATA_DIR: temporaryFolder(), ...env });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr.trimEnd()).toMatch(message);
  expect(stderr).not.toContain("secret");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("every mistake of the configuration is told, one a line", async () => {
  const env = { PORT: "x", LOG_LEVEL: "y", BASE_URL: "z" };
  const { code, stderr } = await run(["serve"], env);
  expect(code).toBe(2);
  expect(
    stderr
      .trimEnd()
      .split("\n")
      .map((line) => /(PORT|LOG_LEVEL|BASE_URL)/.exec(line)?.[1]),
  ).toEqual(["PORT", "BASE_URL", "LOG_LEVEL"]);
});

test("a port that is taken is told in one line, and nothing else is printed", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  for (const args of [["serve"], ["serve", "--memory"]]) {
    const env = { PORT: String(address.port), DATA_DIR: temporaryFolder() };
    expect(await run(args, env)).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: "page-service: The port is in use already; choose another with PORT.\n",
    });
  }
});

test("a port that was taken at the first start does not cost the demo key", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const DATA_DIR = temporaryFolder();
  await run(["serve"], { PORT: String(address.port), DATA_DIR });
  expect((await run(["keys", "list"], { DATA_DIR })).stdout).toBe("There are no keys.\n");
});

test("a data folder that cannot be used is told in one line", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "file"), "");
  mkdirSync(path.join(folder, "other", "page-service.db"), { recursive: true });
  writeFileSync(path.join(folder, "page-service.db"), "This is no database. ".repeat(100));
  for (const DATA_DIR of [path.join(folder, "file"), path.join(folder, "other"), folder]) {
    const { code, stdout, stderr } = await run(["serve"], { PORT: "0", DATA_DIR });
    expect(stderr).toMatch(/^page-service: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  }
});

test("help and version go to standard output", async () => {
  for (const args of [["--help"], ["-h"], ["help"]]) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const part of [
      "serve",
      "keys create",
      "keys list",
      "keys revoke",
      "generate",
      "PORT",
      "LOG_LEVEL",
    ]) {
      expect(stdout).toContain(part);
    }
  }
  expect((await run([])).code).toBe(2);
  expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

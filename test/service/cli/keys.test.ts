import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { runInProcess } from "../run-in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A key in the output of `keys list --json`. */
interface PrintedKey {
  readonly id: string;
  readonly key: string;
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly replaced_by: string | null;
}

/** Creates a function that runs `page-service keys` on one database and expects success. */
function createKeysCommand(): (...args: string[]) => Promise<string> {
  const DATA_DIR = createTemporaryFolder();
  return async (...args) => {
    // A command that creates the database reports it.
    await (await openStore(path.join(DATA_DIR, "page-service.db"))).close();
    const { code, stdout, stderr } = await runInProcess(["keys", ...args], { DATA_DIR });
    expect([args, code, stderr]).toEqual([args, 0, ""]);
    return stdout;
  };
}

// The cast: the documented format.
const parse = <T>(stdout: string): T => JSON.parse(stdout) as T;

test("--expires accepts minutes, hours and days; by default a key never expires", async () => {
  const keys = createKeysCommand();
  for (const [name, expires] of [
    ["minutes", "90m"],
    ["hours", "36h"],
    ["days", "45d"],
  ] as const) {
    await keys("create", "--create-workspace", "--workspace", "Acme", "--name", name, "--expires", expires);
  }
  await keys("create", "--create-workspace", "--workspace", "Acme", "--name", "never");
  const listed = parse<(PrintedKey & { name: string })[]>(await keys("list", "--json"));
  const getLifetime = (name: string): number => {
    const key = listed.find((each) => each.name === name);
    return Date.parse(key?.expires ?? "") - Date.parse(key?.created ?? "");
  };
  // The command computes the expiry slightly before the time of creation.
  for (const [name, life] of [
    ["minutes", 90 * MINUTE],
    ["hours", 36 * HOUR],
    ["days", 45 * DAY],
  ] as const) {
    expect(getLifetime(name), name).toBeLessThanOrEqual(life);
    expect(getLifetime(name), name).toBeGreaterThan(life - MINUTE);
  }
  expect(listed.find((each) => each.name === "never")?.expires).toBeNull();
});

test("--overlap sets how long the old key works; 24 hours by default", async () => {
  const keys = createKeysCommand();
  for (const [args, overlap] of [
    [["--overlap", "90m"], 90 * MINUTE],
    [["--overlap", "2d"], 2 * DAY],
    [[], 24 * HOUR],
  ] as const) {
    const { key, workspace_id } = parse<{ key: string; workspace_id: string }>(
      await keys("create", "--create-workspace", "--workspace", "Acme", "--json"),
    );
    const rotated = parse<{ id: string; workspace_id: string }>(
      await keys("rotate", key.slice(0, 9), ...args, "--json"),
    );
    expect(rotated.workspace_id).toBe(workspace_id);
    const listed = parse<PrintedKey[]>(await keys("list", "--json"));
    const old = listed.find((each) => each.replaced_by === rotated.id);
    const successor = listed.find((each) => each.id === rotated.id);
    const end = Date.parse(successor?.created ?? "") + overlap;
    expect(Date.parse(old?.expires ?? ""), args.join(" ")).toBe(end);
  }
  // The old key ends before the overlap.
  const { key } = parse<{ key: string }>(
    await keys("create", "--workspace", "Acme", "--expires", "1h", "--json"),
  );
  const printed = await keys("rotate", key.slice(0, 9));
  const [, day, minute] = /keeps working until (\S+) (\S+) UTC\./.exec(printed) ?? [];
  expect(Date.parse(`${day}T${minute}Z`)).toBeLessThanOrEqual(Date.now() + HOUR);
});

test("the printed lines contain the data of --json", async () => {
  const keys = createKeysCommand();
  const text = await keys(
    "create",
    "--create-workspace",
    "--workspace",
    "Acme",
    "--name",
    "Nightly import",
    "--read-only",
  );
  const key = /ps_[0-9A-Za-z]{36}/.exec(text)?.[0] ?? "";
  const again = parse<{ workspace_id: string; root_database_id: string }>(
    await keys(
      "create",
      "--create-workspace",
      "--workspace",
      "Acme",
      "--name",
      "Second",
      "--expires",
      "30d",
      "--json",
    ),
  );
  expect(text).toContain(again.workspace_id);
  expect(text).toContain(again.root_database_id);

  const [first, second] = parse<PrintedKey[]>(await keys("list", "--json"));
  const shown = `${key.slice(0, 9)}…${key.slice(-4)}`;
  const [headings, ...lines] = (await keys("list")).split("\n").map((line) => line.split(/ {2,}/));
  expect(headings).toEqual([
    "KEY",
    "WORKSPACE",
    "NAME",
    "ACCESS",
    "CREATED (UTC)",
    "LAST USED (UTC)",
    "EXPIRES (UTC)",
  ]);
  const toMinute = (time = "?") => time.slice(0, 16).replace("T", " ");
  const created = toMinute(first?.created);
  expect(lines[0]).toEqual([shown, "Acme", "Nightly import", "read-only", created, "never", "never"]);
  expect(lines[1]?.slice(3)).toEqual([
    "full",
    toMinute(second?.created),
    "never",
    toMinute(second?.expires ?? "?"),
  ]);

  await keys("create", "--create-workspace", "--workspace", "Other");
  expect(await keys("list", "--workspace", "Other")).toMatch(/^KEY .*\n\S+ +Other .*\n$/);
  const rotated = await keys("rotate", first?.id ?? "", "--overlap", "12h");
  expect(rotated).toMatch(/ps_[0-9A-Za-z]{36}\nExpires {6}never\n/);
  expect(rotated).toMatch(/The old key keeps working until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
  const ended = await keys("rotate", second?.id ?? "", "--overlap", "0m");
  expect(ended).not.toMatch(/\b0m\b/);
  const revoked = await keys("revoke", first?.id ?? "");
  expect(revoked).toContain(shown);
  expect(revoked).toContain(first?.id);
  // As the list shows it.
  expect(parse(await keys("revoke", shown, "--json"))).toEqual({ id: first?.id, revoked: true });
  // It would also have expired, because it was rotated.
  expect(await keys("list")).toMatch(RegExp(`^${shown} .* revoked$`, "m"));
});

test("keys create prints the new workspace, its plan and its limit", async () => {
  const keys = createKeysCommand();
  const create = ["create", "--workspace", "Acme"];
  const created = await keys(...create, "--create-workspace");
  expect(created).toMatch(/^Created the workspace "Acme"\.\nAPI key {6}ps_/);
  expect(created).toContain(
    "\nPlan         free, 100 requests per minute\nName         API key\nAccess       full\nExpires      never\n",
  );
  const changed = await keys(...create, "--plan", "enterprise", "--limit", "7");
  expect(changed).toContain("\nPlan         enterprise, 7 requests per minute\n");
  const limited = await keys(...create, "--name", "Report", "--read-only", "--expires", "1d");
  expect(limited).toMatch(
    /\nName {9}Report\nAccess {7}read-only\nExpires {6}\d{4}-\d\d-\d\d \d\d:\d\d UTC\n/,
  );
  const [, prefix = ""] = /(ps_\w{6})/.exec(limited) ?? [];
  await keys("rotate", prefix);
  expect(await keys("list")).toMatch(RegExp(`^${prefix}.* Report +read-only .* \\(replaced\\)$`, "m"));
});

test("keys create does not create a database, unless it may create the workspace", async () => {
  const DATA_DIR = path.join(createTemporaryFolder(), "missing");
  const create = ["keys", "create", "--workspace", "Acme"];
  const refused = await runInProcess(create, { DATA_DIR });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("There is no database at");
  expect(existsSync(DATA_DIR)).toBe(false);
  expect((await runInProcess([...create, "--json"], { DATA_DIR })).code).toBe(0);
});

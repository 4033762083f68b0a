import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Visitor } from "../support/visitor.js";
import { serve } from "./command.js";
import { runInProcess } from "./run-in-process.js";
import { getApiStatus } from "./web/visitors.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

test("the first start prints a curl line that creates a page", async () => {
  const DATA_DIR = createTemporaryFolder();
  const { welcome, url, process: child, ended, output } = await serve({ DATA_DIR });
  const line = /^ {2}(curl .*)$/m.exec(welcome)?.[1];
  if (line === undefined) throw new Error(`The output contains no curl line:\n${welcome}`);
  const made: unknown = JSON.parse(execFileSync("sh", ["-c", `${line} -s`], { encoding: "utf8" }));
  expect(made).toMatchObject({ object: "page", properties: { Title: { title: [{ plain_text: "Hello" }] } } });
  for (const address of ["/docs", "/openapi.json", "/settings/api", "/livez", "/readyz", "/metrics"]) {
    expect(welcome).toContain(`${url.replace("127.0.0.1", "localhost")}${address}`);
  }

  const key = /ps_[0-9A-Za-z]{36}/.exec(welcome)?.[0];
  if (key === undefined) throw new Error(`The output contains no key:\n${welcome}`);
  await getApiStatus(url, key);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);

  // The key is printed once on standard output, and in no log line and no file.
  expect(output().stdout.split(key)).toHaveLength(2);
  expect(output().stderr).not.toContain(key);
  const files = readdirSync(DATA_DIR);
  expect(files).toContain("page-service.db");
  for (const file of files) expect(readFileSync(path.join(DATA_DIR, file)).includes(key), file).toBe(false);

  const second = await serve({ DATA_DIR });
  expect(second.welcome).not.toMatch(/ps_|Demo/);
  expect(await getApiStatus(second.url, key)).toBe(404);
  const keys: unknown = JSON.parse((await runInProcess(["keys", "list", "--json"], { DATA_DIR })).stdout);
  expect(keys).toMatchObject([{ workspace: "Demo" }]);
});

test("serve --memory writes no files", async () => {
  const DATA_DIR = path.join(createTemporaryFolder(), "data");
  const { welcome, url, process: child, ended } = await serve({ DATA_DIR }, ["--memory"]);
  const key = /ps_[0-9A-Za-z]{36}/.exec(welcome)?.[0] ?? "";
  expect(await getApiStatus(url, key)).toBe(404);
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("keys create --json prints the documented fields, and the key works at once in a running process", async () => {
  const DATA_DIR = createTemporaryFolder();
  const { url, output, process: child, ended } = await serve({ DATA_DIR });
  const args = ["keys", "create", "--workspace", "Acme", "--plan", "enterprise", "--limit", "7", "--json"];
  const { code, stdout, stderr } = await runInProcess(args, { DATA_DIR });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const made: { key: string } = JSON.parse(stdout);
  expect(made).toEqual({
    key: expect.stringMatching(/^ps_[0-9A-Za-z]{36}$/),
    workspace_id: expect.stringMatching(uuid),
    root_database_id: expect.stringMatching(uuid),
  });
  expect(stdout).toBe(`${JSON.stringify(made)}\n`);
  const response = await fetch(`${url}/v1/pages/00000000-0000-7000-8000-000000000000`, {
    headers: { authorization: `Bearer ${made.key}` },
  });
  expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([404, "7"]);

  // Another key of the same workspace has the same database.
  const again: unknown = JSON.parse(
    (await runInProcess(["keys", "create", "--workspace", "Acme", "--json"], { DATA_DIR })).stdout,
  );
  const { key: _, ...same } = JSON.parse(stdout);
  expect(again).toMatchObject(same);

  child.kill("SIGTERM");
  await ended;
  expect(output().stdout).not.toContain(made.key);
  for (const file of readdirSync(DATA_DIR)) {
    expect(readFileSync(path.join(DATA_DIR, file)).includes(made.key), file).toBe(false);
  }
});

test("users reset-password prints a link that works at once", async () => {
  const env = { DATA_DIR: createTemporaryFolder(), APP_URL: "https://pages.example.org" };
  const { url, welcome } = await serve(env);
  const none = await runInProcess(["users", "reset-password", "ada@example.org"], env);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("No account has the e-mail address")]);
  expect(await runInProcess(["users", "reset-password"], env)).toMatchObject({ code: 2 });
  await new Visitor(url).signUp("Ada", /\/join\/[\w-]{43}/.exec(welcome)?.[0]);
  const { stdout } = await runInProcess(["users", "reset-password", "ada@example.org"], env);
  const link = /^Link {2}https:\/\/pages\.example\.org(\/reset\/[\w-]{43})$/m.exec(stdout)?.[1] ?? "";
  const visitor = new Visitor(url);
  expect((await visitor.submit(link, link, { password: "staple battery horse" })).status).toBe(303);
  expect((await visitor.get("/settings/api")).status).toBe(200);
  const again = await runInProcess(["users", "reset-password", "ada@example.org", "--json"], env);
  expect(JSON.parse(again.stdout)).toEqual({ link: expect.stringMatching(/\/reset\/[\w-]{43}$/) });
});

test("workspaces are created, renamed and deleted with all their data, and others are kept", async () => {
  const env = { DATA_DIR: createTemporaryFolder() };
  const { url } = await serve(env);
  const made = await runInProcess(["keys", "create", "--workspace", "Other", "--json"], env);
  const other: { key: string } = JSON.parse(made.stdout);
  expect((await runInProcess(["workspaces", "create", "Acme", "--plan", "pro"], env)).stdout).toMatch(
    /^Created the workspace "Acme"/,
  );
  expect((await runInProcess(["workspaces", "create", "Acme"], env)).stderr).toContain(
    'There is a workspace "Acme" already',
  );
  const { stdout } = await runInProcess(["keys", "create", "--workspace", "Acme", "--json"], env);
  const { key, root_database_id: database_id }: { key: string; root_database_id: string } =
    JSON.parse(stdout);
  const response = await fetch(`${url}/v1/pages`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ parent: { database_id }, properties: {} }),
  });
  expect(response.status).toBe(200);
  expect((await runInProcess(["workspaces", "rename", "Acme", "Other"], env)).code).toBe(2);
  expect((await runInProcess(["workspaces", "rename", "Acme", "Acme & Sons"], env)).code).toBe(0);
  expect((await runInProcess(["workspaces", "delete", "Nope"], env)).stderr).toContain(
    'There is no workspace "Nope".',
  );
  expect((await runInProcess(["workspaces", "delete", "Acme & Sons"], env)).stderr).toContain(
    "Add --yes to confirm.",
  );
  expect((await runInProcess(["workspaces", "delete", "Acme & Sons", "--yes"], env)).stderr).toBe("");
  await sleep(1000);
  expect([await getApiStatus(url, key), await getApiStatus(url, other.key)]).toEqual([401, 404]);
  expect((await runInProcess(["workspaces", "list"], env)).stdout).not.toContain("Acme");
});

test("on SIGTERM /readyz returns 503 for SHUTDOWN_DELAY while requests are still served", async () => {
  const { url, process: child, ended, printed } = await serve({ SHUTDOWN_DELAY: "5" }, ["--memory"]);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  child.kill("SIGTERM");
  await printed("stopping");
  for (const [path, status] of [
    ["/readyz", 503],
    ["/livez", 200],
    ["/v1/users/me", 401],
  ] as const) {
    const response = await fetch(`${url}${path}`);
    expect([response.status, response.headers.get("connection")]).toEqual([status, "close"]);
  }
  expect((await ended).code).toBe(0);
});

test("without a loopback address, prints a setup link instead of a demo key", async () => {
  expect((await serve({ HOST: "localhost" }, ["--memory"])).welcome).toMatch(/ps_/);
  const { welcome } = await serve({ HOST: "0.0.0.0" }, ["--memory"]);
  expect(welcome).not.toMatch(/ps_/);
  expect(welcome).toMatch(/Setup +\S+\/join\/[\w-]{43}\n/);
});

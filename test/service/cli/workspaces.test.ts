import path from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { runInProcess } from "../run-in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test("workspaces list shows plan, limit and time of creation, and plans set changes plan and limit", async () => {
  const DATA_DIR = createTemporaryFolder();
  await (await openStore(path.join(DATA_DIR, "page-service.db"))).close();
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess([...args, "--json"], { DATA_DIR });
    expect([args, code, stderr]).toEqual([args, 0, ""]);
    return JSON.parse(stdout);
  };
  expect((await runInProcess(["workspaces", "list"], { DATA_DIR })).stdout).toBe(
    "There are no workspaces.\n",
  );
  const started = Date.now();
  const { id } = await command("workspaces", "create", "Acme", "--plan", "enterprise", "--limit", "7");
  const ended = Date.now();
  const [listed, ...others] = await command("workspaces", "list");
  expect(others).toEqual([]);
  expect(listed).toEqual({
    id,
    name: "Acme",
    plan: "enterprise",
    limit: 7,
    stored_bytes: 0,
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
  });
  expect(Date.parse(listed.created)).toBeGreaterThanOrEqual(started);
  expect(Date.parse(listed.created)).toBeLessThanOrEqual(ended);
  expect(await command("workspaces", "rename", "Acme", "Ada & Co")).toEqual({ id, name: "Ada & Co" });
  expect(await command("workspaces", "rename", "Ada & Co", "Acme")).toEqual({ id, name: "Acme" });
  const change = ["plans", "set", "--workspace", "Acme", "--plan"];
  expect(await command(...change, "enterprise", "--limit", "8")).toEqual({
    workspace_id: id,
    plan: "enterprise",
    limit: 8,
  });
  const store = await openStore(path.join(DATA_DIR, "page-service.db"));
  await store.writeServiceWide((tx) => tx.updateTable("workspaces").set({ counted_bytes: 1500 }).execute());
  await store.close();
  listed.stored_bytes = 1500;
  expect(await command("workspaces", "list")).toEqual([{ ...listed, limit: 8 }]);
  // Zero is not the absence of a limit.
  expect(await runInProcess([...change, "enterprise", "--limit", "0"], { DATA_DIR })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("from 1 to 2147483647"),
  });
  expect(await command(...change, "free")).toEqual({ workspace_id: id, plan: "free", limit: 100 });
  const unlimited = { workspace_id: id, plan: "enterprise", limit: null };
  expect(await command(...change, "enterprise")).toEqual(unlimited);
  expect(await command("workspaces", "list")).toEqual([{ ...listed, limit: null }]);
  await command(...change, "enterprise", "--limit", "8");
  // The limit stays unless another one is given.
  expect(await command(...change, "enterprise")).toMatchObject({ limit: 8 });
  expect(await command(...change, "enterprise", "--limit", "none")).toEqual(unlimited);
  const [{ detail }] = await command("workspaces", "log", "Acme");
  expect(detail).toBe("from enterprise with 8 requests per minute to enterprise");
  expect((await command("plans", "list")).at(-1)).toEqual({
    plan: "enterprise",
    limit: null,
    storage_bytes: null,
  });
  expect(await command("workspaces", "delete", "Acme", "--yes")).toEqual({ id, deleted: true });
});

test("the commands for workspaces and plans print lines of text", async () => {
  const DATA_DIR = createTemporaryFolder();
  const run = async (...args: string[]) => {
    const { code, stdout } = await runInProcess(args, { DATA_DIR });
    expect([args, code]).toEqual([args, 0]);
    return stdout
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
      .replaceAll(/\d{4}(-\d\d){2} \d\d:\d\d/g, "TIME")
      .replaceAll(/ +/g, " ");
  };
  await run("workspaces", "create", "Teas", "--plan", "enterprise");
  expect(await run("workspaces", "rename", "Teas", "Acme")).toBe('Renamed the workspace "Teas" to "Acme".\n');
  expect(await run("workspaces", "list")).toBe(
    "ID NAME PLAN REQUESTS STORED CREATED (UTC)\nID Acme enterprise no limit 0 MB TIME\n",
  );
  expect(await run("plans", "set", "--workspace", "Acme", "--plan", "pro")).toBe(
    '"Acme" is on the plan pro: 1,000 requests per minute.\n',
  );
  expect(await run("workspaces", "log", "Acme")).toBe(
    "TIME (UTC) BY ACTION SUBJECT DETAILS\n" +
      "TIME Operator plan.changed Acme from enterprise to pro\n" +
      "TIME Operator workspace.renamed Teas to Acme\n",
  );
  expect(await run("workspaces", "delete", "Acme", "--yes")).toBe('Deleted the workspace "Acme" (ID).\n');
  expect(await run("plans", "list")).toBe(
    "PLAN REQUESTS STORAGE\n" +
      "free 100 requests per minute 1 GB\n" +
      "pro 1,000 requests per minute 20 GB\n" +
      "enterprise no limit, or the one set with --limit no limit\n",
  );
});

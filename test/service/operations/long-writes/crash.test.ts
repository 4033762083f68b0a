import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator } from "../../../../src/access/keys/authenticate.js";
import { createKeyAsOperator } from "../../../../src/access/keys/operator-keys.js";
import { listWorkspaces } from "../../../../src/access/workspaces/workspaces.js";
import { listTrash } from "../../../../src/operations/views/list-trash.js";
import { updateBlock } from "../../../../src/operations/update-block.js";
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { findDatabase } from "../../../../src/storage/databases/databases.js";
import { TABLE_METADATA } from "../../../../src/storage/tables.js";
import { readScope, runUseCaseWithJobs } from "../../../support/scope.js";
import { sharedStores } from "../../../support/stores.js";
import { createProjectFolder } from "../../../toolkit/generate/generated.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages, finishJobs, listStoredPropertyIds } from "./filled-service.js";

const PAGES = 1500;

// Bundled once, because tsx takes three times the processor time for each process.
const folder = createProjectFolder();
beforeAll(async () => {
  await build({
    entryPoints: ["change-database", "delete-permanently", "delete-workspace"].map((name) =>
      path.join(import.meta.dirname, `${name}.ts`),
    ),
    outdir: folder,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program next to this file, which kills its process during its work. */
async function runKilled(name: string, ...args: string[]): Promise<void> {
  const file = path.join(folder, `${name}.js`);
  const killed = spawn(process.execPath, [file, ...args], { stdio: "inherit" });
  expect(await once(killed, "close")).toEqual([null, "SIGKILL"]);
}

/** Changes a database in another process, which is killed during the change. */
async function changeAndKill(
  location: string,
  { workspaceId, databaseId }: { workspaceId: string; databaseId: string },
  input: object,
): Promise<void> {
  await runKilled("change-database", location, workspaceId, databaseId, JSON.stringify(input));
}

describe.each(sharedStores)("a process that is killed in %s", (_, newLocation) => {
  test("while it converts values keeps the old values, and leaves none of the new ones", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const { workspaceId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, PAGES);
    const before = await findDatabase({ db: store.read, workspaceId }, databaseId);
    const input = { properties: { Code: { number: {} }, Number: { unique_id: {} } } } as const;
    await changeAndKill(location, { workspaceId, databaseId }, input);

    expect((await findDatabase({ db: store.read, workspaceId }, databaseId))?.schema).toEqual(before?.schema);
    expect((await listStoredPropertyIds(store, databaseId)).length).toBeGreaterThan(3);
    const change = () =>
      runUseCaseWithJobs(store, workspaceId, (scope) => updateDatabase(scope, databaseId, input));
    await expect(change()).rejects.toMatchObject({ kind: "conflict" });
    await finishJobs(store);
    expect(await findDatabase({ db: store.read, workspaceId }, databaseId)).toEqual(before);
    expect(await listStoredPropertyIds(store, databaseId)).toEqual(["code", "pnts", "title"]);
    expect((await change()).properties.Code).toMatchObject({ type: "number" });
    await finishJobs(store);
    expect(await listStoredPropertyIds(store, databaseId)).toHaveLength(4);
  });

  test("while it moves a database to the trash or back leaves the rest of the move to another process", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const { workspaceId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, PAGES);
    const count = async (trashRoot: string | null): Promise<number> => {
      const rows = await store.read
        .selectFrom("pages")
        .select("id")
        .where("parent_id", "=", databaseId)
        .where("trash_root", trashRoot === null ? "is" : "=", trashRoot)
        .execute();
      return rows.length;
    };
    for (const inTrash of [true, false]) {
      await changeAndKill(location, { workspaceId, databaseId }, { in_trash: inTrash });
      expect((await findDatabase({ db: store.read, workspaceId }, databaseId))?.inTrash).toBe(inTrash);
      const moved = await count(inTrash ? databaseId : null);
      expect(moved).toBeGreaterThan(0);
      expect(moved).toBeLessThan(PAGES);
      await finishJobs(store);
      expect(await count(inTrash ? databaseId : null)).toBe(PAGES);
    }
  });

  test("while it deletes a database permanently leaves the rest to another process", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const { workspaceId, databaseId: keptId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, PAGES);
    const kept = await fillPages(store, workspaceId, 10);
    await runUseCaseWithJobs(store, workspaceId, (scope) =>
      updateDatabase(scope, databaseId, { in_trash: true }),
    );
    const countPages = async () => (await store.read.selectFrom("pages").select("id").execute()).length;
    await runKilled("delete-permanently", location, workspaceId, databaseId);

    expect(await countPages()).toBeLessThan(PAGES);
    expect(await countPages()).toBeGreaterThan(kept.pageIds.length);
    // The database is neither listed nor restored any more.
    const listed = await listTrash(readScope(store, workspaceId), { size: 10, cursor: undefined });
    expect(listed.results).toEqual([]);
    const restored = runUseCaseWithJobs(store, workspaceId, (scope) =>
      updateBlock(scope, databaseId, { in_trash: false }),
    );
    await expect(restored).rejects.toMatchObject({ kind: "not_found" });
    await finishJobs(store);
    expect(await countPages()).toBe(kept.pageIds.length);
    for (const table of ["property_values", "pages"] as const) {
      const column = table === "pages" ? "parent_id" : "database_id";
      const left = await store.read.selectFrom(table).selectAll().where(column, "=", databaseId).execute();
      expect([table, left]).toEqual([table, []]);
    }
    const databases = await store.read.selectFrom("databases").select("id").execute();
    expect(databases.map(({ id }) => id).sort()).toEqual([keptId, kept.databaseId].sort());
  });

  test("while it deletes a workspace leaves it unusable, and another process deletes its rows", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const { key, workspaceId } = await createKeyAsOperator(store, { workspaceName: "Deleted" });
    const kept = await createKeyAsOperator(store, { workspaceName: "Kept" });
    await fillPages(store, workspaceId, PAGES);
    const pages = await fillPages(store, kept.workspaceId, 10);
    const countPages = async () => (await store.read.selectFrom("pages").select("id").execute()).length;
    await runKilled("delete-workspace", location, "Deleted");

    const authenticate = createAuthenticator(store);
    expect(await authenticate(`Bearer ${key}`)).toBeUndefined();
    expect((await listWorkspaces(store)).map(({ name }) => name)).toEqual(["Kept"]);
    const again = await createKeyAsOperator(store, { workspaceName: "Deleted" });
    expect(again.createdWorkspace).toBe(true);
    expect(await countPages()).toBeGreaterThan(pages.pageIds.length);
    await finishJobs(store);
    expect(await countPages()).toBe(pages.pageIds.length);
    for (const [table, { primaryKey }] of Object.entries(TABLE_METADATA)) {
      if (primaryKey[0] !== "workspace_id") continue;
      const left = await sql`select 1 from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(
        store.read,
      );
      expect([table, left.rows]).toEqual([table, []]);
    }
    const workspaces = await store.read.selectFrom("workspaces").select("id").execute();
    expect(workspaces.map(({ id }) => id).sort()).toEqual([kept.workspaceId, again.workspaceId].sort());
  });
});

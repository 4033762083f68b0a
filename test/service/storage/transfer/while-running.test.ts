import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWorkspaceDeletion } from "../../../../src/access/workspaces/workspaces.js";
import { createClient } from "../../../../src/client/index.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { deleteWorkspaceRows } from "../../../../src/storage/delete-workspace-rows.js";
import { createEnvironment, run } from "../../command.js";
import { failTest } from "../../operations/long-writes/filled-service.js";
import { paragraph } from "../../../support/blocks.js";
import { title } from "../../../support/contract.js";
import { startService } from "../../../support/service.js";
import { addDatabase, addNestedBlocks } from "../fixtures.js";
import { openTestStore } from "../open.js";
import { exportDatabase, importInto, createSqliteLocation, kinds } from "./command.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

test.each(kinds)(
  "an export of %s is consistent while the service writes, and does not block writes",
  async (_, newLocation) => {
    const location = await newLocation();
    const running = await startService({ database: location });
    const client = createClient({ baseUrl: running.baseUrl, apiKey: running.key });
    const stop = new AbortController();
    let written = 0;
    // Each page has rows in three tables, which must be exported together.
    const write = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await client.createPage({
          body: {
            parent: { database_id: running.rootDatabaseId },
            properties: { Title: title(`Page ${written}`) },
            children: [paragraph("Text")],
          },
        });
        written += 1;
      }
    };
    const writers = Array.from({ length: 8 }, write);
    const rows = (text: string, table: string): number => text.split(`{"table":"${table}"`).length - 1;
    try {
      for (let round = 0; round < 3; round += 1) {
        const before = written;
        const { code, stdout: text } = await run(["export"], createEnvironment(location));
        expect(code).toBe(0);
        expect(written).toBeGreaterThan(before);
        expect(rows(text, "pages")).toBeGreaterThanOrEqual(before);
        expect(rows(text, "blocks")).toBe(rows(text, "pages"));
        expect(rows(text, "property_values")).toBe(rows(text, "pages"));
        const file = path.join(createTemporaryFolder(), "backup.jsonl");
        writeFileSync(file, text);
        await importInto(createSqliteLocation(), file);
      }
    } finally {
      stop.abort();
      await Promise.all(writers);
      await running.service.close();
    }
  },
);

test.each(kinds)(
  "an export of %s during the deletion of a workspace can be imported, and the deletion then continues",
  async (_, newLocation) => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const { workspaceId, workspaceName, databaseId } = await addDatabase(store);
    const levels = 400;
    await addNestedBlocks(store, workspaceId, databaseId, levels);
    await startWorkspaceDeletion(store, workspaceName);
    // A clock that advances 2 ms per reading, so that the transaction reaches its time limit among the blocks.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 2));
    onTestFinished(() => clock.mockRestore());
    await store.write(workspaceId, deleteWorkspaceRows);
    clock.mockRestore();
    const { length } = await store.read.selectFrom("blocks").select("id").execute();
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(levels);

    const file = path.join(createTemporaryFolder(), "backup.jsonl");
    writeFileSync(file, await exportDatabase(location));
    const importedLocation = await newLocation();
    await importInto(importedLocation, file);
    const imported = await openTestStore(importedLocation);
    await imported.writeServiceWide((tx) => tx.updateTable("jobs").set({ lease_time: 0 }).execute());
    await runDueJobs(imported, { isForeground: false, isStopped: () => false, onError: failTest });
    expect(await imported.read.selectFrom("workspaces").select("id").execute()).toEqual([]);
  },
);

import Database from "libsql";
import { expect, test, vi } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { findCommentSizesAfter, findFirstComment } from "../../../src/storage/comments.js";
import { SqliteConnection } from "../../../src/storage/engine/sqlite.js";
import { deleteExpiredResponses } from "../../../src/storage/idempotency.js";
import { deleteAccountSessions, deleteOldestSessions } from "../../../src/storage/access/sessions.js";
import type { StorageScope } from "../../../src/storage/tables.js";
import { searchTitles } from "../../../src/storage/query/search.js";
import {
  chooseDeletionTime,
  findTrashedObjects,
  findTrashRoots,
} from "../../../src/storage/trash/trash-roots.js";
import { addDatabase } from "./fixtures.js";
import { createTemporaryPath, openTestStore } from "./open.js";

/** Runs `use` in a transaction, and returns what SQLite plans to do for each of its statements. */
async function explain(use: (scope: StorageScope) => Promise<unknown>): Promise<string> {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const { workspaceId } = await addDatabase(store);
  const execute = vi.spyOn(SqliteConnection.prototype, "executeQuery");
  await store.write(workspaceId, use);
  const statements = execute.mock.calls.map(([query]) => query.sql);
  execute.mockRestore();
  const database = new Database(file);
  try {
    return statements.map((statement) => readPlan(database, statement)).join("\n");
  } finally {
    database.close();
  }
}

function readPlan(database: Database.Database, statement: string): string {
  // Safe cast: the result of EXPLAIN QUERY PLAN has this column.
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all() as { detail: string }[];
  return steps.map(({ detail }) => detail).join("\n");
}

const search = { text: "", descending: true, after: undefined, limit: 10 };

// Without its index, each of these statements reads all rows of the table, or all of the workspace.
test.each<[index: string, use: (scope: StorageScope) => Promise<unknown>]>([
  ["blocks_trash_roots", (scope) => findTrashRoots(scope, 0, 10)],
  ["pages_trash_roots", (scope) => findTrashedObjects(scope, undefined, 10)],
  ["databases_trash_roots", (scope) => findTrashedObjects(scope, undefined, 10)],
  ["pages_by_edit", (scope) => chooseDeletionTime(scope, 0)],
  ["databases_by_edit", (scope) => chooseDeletionTime(scope, 0)],
  ["pages_by_edit", (scope) => searchTitles({ ...scope, scanScope: scope }, search)],
  ["databases_by_edit", (scope) => searchTitles({ ...scope, scanScope: scope }, search)],
  ["sessions_by_account", ({ db }) => deleteAccountSessions(db, newId())],
  ["sessions_by_account", ({ db }) => deleteOldestSessions(db, newId(), 10)],
  ["idempotency_keys_by_time", (scope) => deleteExpiredResponses(scope, 0, 10)],
  ["comments_by_parent_id", (scope) => findCommentSizesAfter(scope, newId(), "", 10)],
  ["comments_by_discussion_id", (scope) => findFirstComment(scope, newId())],
])("index %s is used", async (index, use) => {
  expect(await explain(use)).toContain(` INDEX ${index} `);
});

import path from "node:path";
import { queryObjects } from "node:v8";
import Database from "libsql";
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { SqliteConnection } from "../../../../src/storage/engine/sqlite.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

test("a connection keeps short statements, but no long ones", async () => {
  const connection = new SqliteConnection(path.join(createTemporaryFolder(), "page-service.db"));
  onTestFinished(() => connection.close());
  const statement: object = new Database(":memory:").prepare("select 1");
  const countStatements = () => queryObjects(statement.constructor, { format: "count" });
  const select = (text: string) => connection.executeQuery(CompiledQuery.raw(`select '${text}' as text`));
  const before = countStatements();
  await select("x");
  expect(countStatements()).toBe(before + 1);
  const text = "x".repeat(5000);
  expect((await select(text)).rows).toEqual([{ text }]);
  expect(countStatements()).toBe(before + 1);
});

import type { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { queryPages } from "../../../../src/operations/load/query-pages.js";
import { type Connection, getConnection, openSqlite } from "../../../../src/storage/engine/dialect.js";
import type { Tables } from "../../../../src/storage/tables.js";
import { Random, takeSeed } from "../../../support/random.js";
import { readScope } from "../../../support/scope.js";
import { openTestStore } from "../open.js";
import { randomFilter, randomSorts } from "./random-query.js";
import { createWorld, NOW } from "./world.js";

const QUERIES = 200;

test("SQLite never reads all property values of a workspace", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const store = await openTestStore();
  const world = await createWorld(store, random, 10);
  const connection = getConnection(store.read);
  if (connection === undefined) throw new Error("The store has no connection.");
  const queries = new Map<string, CompiledQuery>();
  const recorder: Connection = {
    executeQuery: (query) => {
      queries.set(query.sql, query);
      return connection.executeQuery(query);
    },
  };
  const db = openSqlite<Tables>(recorder);
  const scope = { ...readScope(store, world.workspaceId), db, scan: db };
  for (let count = 0; count < QUERIES; count += 1) {
    const filter = randomFilter(random, world);
    const sorts = randomSorts(random, world);
    await queryPages(scope, world.main, { filter, sorts, pageSize: 10, inTrash: false, now: NOW });
  }
  const slow: string[] = [];
  for (const query of queries.values()) {
    if (!query.sql.includes("property_values")) continue;
    const plan = await connection.executeQuery<{ detail: string }>({
      ...query,
      sql: `explain query plan ${query.sql}`,
    });
    const reads = plan.rows.filter(({ detail }) => /USING PRIMARY KEY \(workspace_id=\?\)/.test(detail));
    if (reads.length > 0) slow.push(query.sql);
  }
  expect(queries.size).toBeGreaterThan(QUERIES);
  expect(slow, `SEED=${seed}`).toEqual([]);
});

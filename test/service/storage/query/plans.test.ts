import { expect, test } from "vitest";
import { queryPages } from "../../../../src/operations/load/query-pages.js";
import {
  type Connection,
  getConnection,
  openPostgres,
  openSqlite,
} from "../../../../src/storage/engine/dialect.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import type { Tables } from "../../../../src/storage/tables.js";
import { Random, takeSeed } from "../../../support/random.js";
import { testUnless } from "../../../support/requirements.js";
import { readScope } from "../../../support/scope.js";
import { newPostgresDatabase, NO_POSTGRES, openSecondConnection } from "../../../support/stores.js";
import { openTestStore } from "../open.js";
import { randomFilter, randomSorts } from "./random-query.js";
import { createWorld, NOW, type World } from "./world.js";

const QUERIES = 200;

/**
 * Runs random queries of a world.
 *
 * @param open opens Kysely on a connection of the store
 * @returns the plans of their statements that read property values, by the text of the statement
 */
async function collectPlans(
  store: Store,
  world: World,
  random: Random,
  explain: string,
  open: typeof openSqlite<Tables>,
): Promise<Map<string, string>> {
  const connection = getConnection(store.read);
  if (connection === undefined) throw new Error("The store has no connection.");
  const plans = new Map<string, string>();
  const recorder: Connection = {
    executeQuery: async (query) => {
      if (query.sql.includes("property_values") && !plans.has(query.sql)) {
        const { rows } = await connection.executeQuery({ ...query, sql: `${explain} ${query.sql}` });
        plans.set(query.sql, JSON.stringify(rows));
      }
      return connection.executeQuery(query);
    },
  };
  const db = open(recorder);
  const { workspaceId } = world;
  const scope = { ...readScope(store, workspaceId), db, scanScope: { db, workspaceId } };
  for (let count = 0; count < QUERIES; count += 1) {
    const filter = randomFilter(random, world);
    const sorts = randomSorts(random, world);
    await queryPages(scope, world.main, { filter, sorts, pageSize: 10, inTrash: false, now: NOW });
  }
  return plans;
}

function findPlans(plans: Map<string, string>, pattern: RegExp): string[] {
  return [...plans].filter(([, plan]) => pattern.test(plan)).map((pair) => pair.join("\n"));
}

test("SQLite never reads all property values of a workspace", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const store = await openTestStore();
  const world = await createWorld(store, random, 10);
  const plans = await collectPlans(store, world, random, "explain query plan", openSqlite);
  expect(plans.size).toBeGreaterThan(QUERIES / 2);
  expect(findPlans(plans, /USING PRIMARY KEY \(workspace_id=\?\)/), `SEED=${seed}`).toEqual([]);
});

testUnless(NO_POSTGRES)("PostgreSQL without statistics finds the page of each value by its id", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const location = await newPostgresDatabase();
  const store = await openTestStore(location);
  const runSql = await openSecondConnection(location);
  // Without statistics PostgreSQL expects one row from each index, and takes any of them.
  for (const table of ["pages", "property_values"]) {
    await runSql(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  const world = await createWorld(store, random, 300);
  const plans = await collectPlans(store, world, random, "explain", openPostgres);
  expect(plans.size).toBeGreaterThan(QUERIES / 2);
  // The filter of a join compares every row of one side with every row of the other.
  expect(findPlans(plans, /Join Filter/), `SEED=${seed}`).toEqual([]);
});

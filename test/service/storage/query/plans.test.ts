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
import { describeUnless, testUnless } from "../../../support/requirements.js";
import { readScope } from "../../../support/scope.js";
import { newPostgresDatabase, NO_POSTGRES, openSecondConnection } from "../../../support/stores.js";
import { openTestStore } from "../open.js";
import { randomFilter, randomSorts } from "./random-query.js";
import { createWorld, NOW, type World } from "./world.js";

const QUERIES = 200;

type QueryInput = Pick<Parameters<typeof queryPages>[2], "filter" | "sorts">;

/**
 * Runs queries of a world.
 *
 * @param open opens Kysely on a connection of the store
 * @returns the plans of their statements that read a table, by the text of the statement
 */
async function collectPlans(
  store: Store,
  world: World,
  queries: readonly QueryInput[],
  { table, explain, open }: { table: string; explain: string; open: typeof openSqlite<Tables> },
): Promise<Map<string, string>> {
  const connection = getConnection(store.read);
  if (connection === undefined) throw new Error("The store has no connection.");
  const plans = new Map<string, string>();
  const recorder: Connection = {
    executeQuery: async (query) => {
      if (query.sql.includes(table) && !plans.has(query.sql)) {
        const { rows } = await connection.executeQuery({ ...query, sql: `${explain} ${query.sql}` });
        plans.set(query.sql, JSON.stringify(rows));
      }
      return connection.executeQuery(query);
    },
  };
  const db = open(recorder);
  const { workspaceId } = world;
  const scope = { ...readScope(store, workspaceId), db, scanScope: { db, workspaceId } };
  for (const query of queries) {
    const page = { ...query, pageSize: 10, inTrash: false, now: NOW };
    const { nextCursor } = await queryPages(scope, world.main, page);
    if (nextCursor !== null) await queryPages(scope, world.main, { ...page, cursor: nextCursor });
  }
  return plans;
}

/** Creates a world on PostgreSQL, adds `copies` of each page, and keeps the server from collecting statistics of pages. */
async function createWorldWithoutStatistics(copies: number) {
  const location = await newPostgresDatabase();
  const store = await openTestStore(location);
  const runSql = await openSecondConnection(location);
  await runSql("ALTER TABLE pages SET (autovacuum_enabled = false)");
  const world = await createWorld(store, new Random(1), 10);
  await runSql(`INSERT INTO pages
    SELECT (json_populate_record(p, json_build_object('id', gen_random_uuid()))).*
    FROM pages AS p, generate_series(1, ${copies})`);
  return { store, world, runSql };
}

function createRandomQueries(random: Random, world: World): QueryInput[] {
  return Array.from({ length: QUERIES }, () => ({
    filter: randomFilter(random, world),
    sorts: randomSorts(random, world),
  }));
}

function findPlans(plans: Map<string, string>, pattern: RegExp): string[] {
  return [...plans].filter(([, plan]) => pattern.test(plan)).map((pair) => pair.join("\n"));
}

test("SQLite never reads all property values of a workspace", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const store = await openTestStore();
  const world = await createWorld(store, random, 10);
  const plans = await collectPlans(store, world, createRandomQueries(random, world), {
    table: "property_values",
    explain: "explain query plan",
    open: openSqlite,
  });
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
  const plans = await collectPlans(store, world, createRandomQueries(random, world), {
    table: "property_values",
    explain: "explain",
    open: openPostgres,
  });
  expect(plans.size).toBeGreaterThan(QUERIES / 2);
  // The filter of a join compares every row of one side with every row of the other.
  expect(findPlans(plans, /Join Filter/), `SEED=${seed}`).toEqual([]);
});

describeUnless(NO_POSTGRES)(
  "PostgreSQL that expects few pages reads a list in the order of its index",
  () => {
    test.each([
      { index: "pages_by_parent", sorts: undefined },
      {
        index: "pages_by_created_time",
        sorts: [{ timestamp: "created_time", direction: "ascending" }],
      },
      {
        index: "pages_by_last_edited_time",
        sorts: [{ timestamp: "last_edited_time", direction: "descending" }],
      },
    ] as const)("$index", async ({ index, sorts }) => {
      const { store, world, runSql } = await createWorldWithoutStatistics(150);
      // Raises the cost of the index above that of the others, as the number of its rows does by chance.
      await runSql(`ALTER INDEX ${index} SET (fillfactor = 10)`);
      await runSql(`REINDEX INDEX ${index}`);
      for (const prepare of ["SELECT 1", "ANALYZE"]) {
        await runSql(prepare);
        const queries = [{ filter: undefined, sorts: sorts && [...sorts] }];
        const plans = await collectPlans(store, world, queries, {
          table: "limit",
          explain: "explain",
          open: openPostgres,
        });
        expect(findPlans(plans, /Sort/), prepare).toEqual([]);
        // The first pages and the next ones.
        expect(findPlans(plans, new RegExp(`using ${index} on pages`)), prepare).toHaveLength(2);
      }
    });
  },
);

testUnless(NO_POSTGRES)(
  "PostgreSQL without statistics finds pages by a time in the index of this time",
  async () => {
    const { store, world } = await createWorldWithoutStatistics(15);
    const before = { before: "2000-01-01" };
    const filters = [
      { timestamp: "created_time", created_time: before },
      { timestamp: "last_edited_time", last_edited_time: before },
    ] as const;
    for (const filter of filters) {
      const plans = await collectPlans(store, world, [{ filter, sorts: undefined }], {
        table: "from pages",
        explain: "explain",
        open: openPostgres,
      });
      expect(plans.size).toBe(2);
      expect(findPlans(plans, new RegExp(`using pages_by_${filter.timestamp} on pages`))).toHaveLength(2);
    }
  },
);

import { describe, expect, test } from "vitest";
import { queryPages, type PageQuery } from "../../../../src/operations/load/query-pages.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { readScope } from "../../../support/scope.js";
import { recordReads } from "../../../support/statements.js";
import { findUnrestrictedTables } from "../../../support/workspace-conditions.js";
import { openTestStore } from "../open.js";
import { openSecondConnection, stores } from "../../../support/stores.js";
import { Oracle } from "./oracle.js";
import { Random, takeSeed } from "../../../support/random.js";
import { randomPropertyCondition, randomFilter, randomSorts } from "./random-query.js";
import { createWorld, NOW, type World } from "./world.js";

const WORLDS = 3;
const QUERIES = 100;

/** Reads all pages of a query's results. */
async function findAll(store: Store, world: World, query: Partial<PageQuery>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  const scope = readScope(store, world.workspaceId);
  const statements = recordReads(scope);
  do {
    const result = await queryPages(scope, world.main, {
      pageSize: 100,
      inTrash: false,
      now: NOW,
      ...query,
      cursor,
    });
    found.push(...result.elements.map((page) => page.id));
    cursor = result.nextCursor ?? undefined;
  } while (cursor !== undefined && found.length < 10_000);
  expect(statements.filter((sql) => findUnrestrictedTables(sql).length > 0)).toEqual([]);
  return found;
}

describe.each(stores.filter(([name]) => name !== "memory"))("queries of %s", (_, newLocation) => {
  test("return the same pages in the same order as a scan of all pages", async () => {
    const seed = takeSeed();
    const location = await newLocation();
    const store = await openTestStore(location);
    // Runs now, because PostgreSQL does so only after a while.
    const analyze = await openSecondConnection(location);
    for (let each = 0; each < WORLDS; each += 1) {
      const random = new Random(seed + each);
      const world = await createWorld(store, random, 60);
      await analyze("ANALYZE");
      const oracle = new Oracle(world);
      for (let count = 0; count < QUERIES; count += 1) {
        const filter = randomFilter(random, world);
        const sorts = randomSorts(random, world);
        const inTrash = random.chance(0.1);
        const pageSize = random.pick([3, 10, 100]);
        const found = await findAll(store, world, { filter, sorts, inTrash, pageSize });
        const description = `SEED=${seed} world ${each} query ${count}: ${JSON.stringify({ filter, sorts, inTrash, pageSize })}`;
        expect(found, description).toEqual(oracle.query(filter, sorts, inTrash));
      }
    }
  });

  test("return the same pages as a scan of all pages, for each property", async () => {
    const seed = takeSeed();
    const random = new Random(seed);
    const location = await newLocation();
    const store = await openTestStore(location);
    const world = await createWorld(store, random, 60);
    await (
      await openSecondConnection(location)
    )("ANALYZE");
    const oracle = new Oracle(world);
    for (const property of world.main.schema.definitions) {
      for (const direction of ["ascending", "descending"] as const) {
        const sorts = [{ property: property.name, direction }];
        expect(await findAll(store, world, { sorts, pageSize: 7 }), JSON.stringify(sorts)).toEqual(
          oracle.query(undefined, sorts, false),
        );
      }
      for (let count = 0; count < 20; count += 1) {
        const filter = randomPropertyCondition(random, property, world);
        const description = `SEED=${seed}: ${JSON.stringify(filter)}`;
        expect(await findAll(store, world, { filter }), description).toEqual(oracle.query(filter, [], false));
      }
      // Scans in the order of a property use its conditions.
      for (let count = 0; count < 10; count += 1) {
        const members = [1, 2].map(() => randomPropertyCondition(random, property, world));
        const filter = { [random.pick(["and", "or"])]: members };
        const direction = random.pick(["ascending", "descending"] as const);
        const sorts = [{ property: property.name, direction }];
        const description = `SEED=${seed}: ${JSON.stringify({ filter, direction })}`;
        const found = await findAll(store, world, { filter, sorts, pageSize: 7 });
        expect(found, description).toEqual(oracle.query(filter, sorts, false));
      }
    }
  });
});

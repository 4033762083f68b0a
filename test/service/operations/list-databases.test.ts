import { expect, onTestFinished, test } from "vitest";
import { MAX_READ_BYTES } from "../../../src/budgets.js";
import { createSchema } from "../../../src/domain/schema.js";
import { listDatabases } from "../../../src/operations/databases.js";
import type { ReadScope } from "../../../src/operations/execution/scope.js";
import { search } from "../../../src/operations/search.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { emptyDatabase, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { countTurns } from "../../support/turns.js";
import { addDatabase, addPages } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const COUNT = 8;

const reads: Record<string, (scope: ReadScope) => Promise<readonly unknown[]>> = {
  list: async (scope) => (await listDatabases(scope, { size: 100 })).results,
  search: async (scope) => {
    const filter = { property: "object", value: "database" } as const;
    return (await search(scope, { filter }, { size: 100 })).results.toJSON();
  },
};

/** Creates a scope with COUNT databases that have large schemas. */
async function createScope(): Promise<ReadScope> {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const title = plainProperty("title", "Title", "title");
  const schema = createSchema([{ ...title, description: "x".repeat(200_000) }]);
  await store.write(workspaceId, async (scope) => {
    for (let number = 0; number < COUNT; number += 1) await insertDatabase(scope, emptyDatabase({ schema }));
  });
  return readScope(store, workspaceId);
}

test.each(Object.entries(reads))(
  "large databases of a %s are converted in several turns of the event loop",
  async (_, read) => {
    const scope = await createScope();
    const turns = countTurns();
    onTestFinished(turns.end);
    const start = turns.current;
    const results = await read(scope);
    expect(results.length).toBeGreaterThanOrEqual(COUNT);
    expect(turns.current - start).toBeGreaterThanOrEqual(COUNT - 1);
  },
);

test("the schema of a database counts once towards the bytes of a search, although several pages need it", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const title = plainProperty("title", "Title", "title");
  const description = "x".repeat((2 * MAX_READ_BYTES) / COUNT);
  const database = emptyDatabase({ schema: createSchema([{ ...title, description }]) });
  await store.write(workspaceId, (scope) => insertDatabase(scope, database));
  await addPages(store, workspaceId, database.id, COUNT);
  const filter = { property: "object", value: "page" } as const;
  const { results } = await search(readScope(store, workspaceId), { filter }, { size: 100 });
  expect(results.toJSON()).toHaveLength(COUNT);
});

test("lists of one workspace end one after another, so that their results do not take memory at the same time", async () => {
  const scope = await createScope();
  const turns = countTurns();
  onTestFinished(turns.end);
  const ends = await Promise.all(
    Array.from({ length: 3 }, async () => {
      await listDatabases(scope, { size: 100 });
      return turns.current;
    }),
  );
  const [first = 0, second = 0, third = 0] = ends;
  for (const wait of [second - first, third - second]) expect(wait).toBeGreaterThanOrEqual(COUNT - 2);
});

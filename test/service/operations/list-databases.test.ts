import { expect, onTestFinished, test } from "vitest";
import { createSchema } from "../../../src/domain/schema.js";
import { listDatabases } from "../../../src/operations/list-databases.js";
import type { ReadScope } from "../../../src/operations/scope.js";
import { search } from "../../../src/operations/search.js";
import { insertDatabase } from "../../../src/storage/databases.js";
import { emptyDatabase, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { countTurns } from "../../support/turns.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const COUNT = 8;

const reads: Record<string, (scope: ReadScope) => Promise<{ results: readonly unknown[] }>> = {
  list: (scope) => listDatabases(scope, { size: 100 }),
  search: (scope) => search(scope, { filter: { property: "object", value: "database" } }, { size: 100 }),
};

test.each(Object.entries(reads))(
  "large databases of a %s are converted in several turns of the event loop",
  async (_, read) => {
    const store = await openTestStore(":memory:");
    const { workspaceId } = await addDatabase(store);
    const title = plainProperty("title", "Title", "title");
    const schema = createSchema([{ ...title, description: "x".repeat(200_000) }]);
    await store.write(workspaceId, async (scope) => {
      for (let number = 0; number < COUNT; number += 1)
        await insertDatabase(scope, emptyDatabase({ schema }));
    });
    const turns = countTurns();
    onTestFinished(turns.end);
    const start = turns.current;
    const { results } = await read(readScope(store, workspaceId));
    expect(results.length).toBeGreaterThanOrEqual(COUNT);
    expect(turns.current - start).toBeGreaterThanOrEqual(3 * (COUNT - 1));
  },
);

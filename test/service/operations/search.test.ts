import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { search } from "../../../src/operations/search.js";
import { readScope } from "../../support/scope.js";
import { addDatabase, addPages } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test("a search waits for the database twice after it has found pages, because each wait takes turns with other workspaces", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  await addPages(store, workspaceId, databaseId, 3);
  // Without the statement that finds the pages, whose text plugins do not see.
  const pending = new Set<object>();
  let waits = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (pending.size === 0) waits += 1;
      pending.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      pending.delete(queryId);
      return result;
    },
  };
  const scope = readScope(store, workspaceId);
  const counted = Object.assign(scope, { db: scope.db.withPlugin(counter) });
  const { results } = await search(counted, {}, { size: 100 });
  expect(results.toJSON()).toHaveLength(4);
  expect(waits).toBe(2);
});

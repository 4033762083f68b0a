import { expect, onTestFinished, test, vi } from "vitest";
import { MAX_TURN_MS } from "../../../../src/budgets.js";
import { EncodedJson } from "../../../../src/http/responses/encoded-json.js";
import { requireDatabase } from "../../../../src/operations/load/pages-and-databases.js";
import { viewDatabase } from "../../../../src/operations/views/view-database.js";
import { readScope } from "../../../support/scope.js";
import { countTurns } from "../../../support/turns.js";
import { addDatabase, addPages } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("the rows of a table are decoded in several turns of the event loop, because they can have 10 MB together", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  await addPages(store, workspaceId, databaseId, 4);
  const scope = readScope(store, workspaceId);
  const database = await requireDatabase(scope, databaseId);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = countTurns();
  onTestFinished(turns.end);
  const turnOfRow: number[] = [];
  const { toJSON } = EncodedJson.prototype;
  const spy = vi.spyOn(EncodedJson.prototype, "toJSON").mockImplementation(function (
    this: EncodedJson<unknown>,
  ) {
    turnOfRow.push(turns.current);
    vi.advanceTimersByTime(MAX_TURN_MS);
    return toJSON.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  const { rows } = await viewDatabase(scope, database, {}, { size: 100 });
  expect(rows).toHaveLength(4);
  expect(new Set(turnOfRow).size).toBe(4);
});

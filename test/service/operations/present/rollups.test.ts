import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { MAX_TURN_MS } from "../../../../src/budgets.js";
import type { Page } from "../../../../src/domain/page.js";
import type { DefinitionOf, RollupFunction } from "../../../../src/domain/schema.js";
import { awaitEventLoopTurn } from "../../../../src/operations/execution/event-loop-turns.js";
import { presentUserId } from "../../../../src/operations/present/object.js";
import { computeRollups, presentRollup } from "../../../../src/operations/present/rollups.js";
import { emptyPage } from "../../../support/objects.js";
import { countTurns } from "../../../support/turns.js";

const RELATION: DefinitionOf<"relation"> = {
  id: "relation",
  name: "Relation",
  description: null,
  type: "relation",
  databaseId: "database",
  syncedPropertyId: null,
};
const TARGET: DefinitionOf<"checkbox"> = { id: "done", name: "Done", description: null, type: "checkbox" };
const AUTHOR: DefinitionOf<"created_by"> = {
  id: "author",
  name: "Author",
  description: null,
  type: "created_by",
};
const SCOPE = { waitForTurn: () => awaitEventLoopTurn("workspace") };

function createRollup(id: string, name: RollupFunction): DefinitionOf<"rollup"> {
  const { id: relationId } = RELATION;
  return {
    id,
    name: id,
    description: null,
    type: "rollup",
    relationId,
    propertyId: TARGET.id,
    function: name,
  };
}

function createSources(
  rollups: readonly DefinitionOf<"rollup">[],
  target: DefinitionOf<"checkbox" | "created_by"> = TARGET,
) {
  const sources = rollups.map((rollup) => [rollup.id, { rollup, relation: RELATION, target }] as const);
  return { byRollupId: new Map(sources), incompleteIds: new Set<string>() };
}

/** Creates the data of two pages, of which the page `one` links to `linkedPages`. */
function createData(linkedPages: readonly Page[]) {
  const pageIds = linkedPages.map(({ id }) => id);
  return {
    completePageIds: new Set(["one", "other"]),
    links: new Map([["one", new Map([[RELATION.id, { pageIds, hasMore: false }]])]]),
    linkedPages: new Map(linkedPages.map((page) => [page.id, page])),
    linksOfLinkedPages: new Map(),
  };
}

test("rollups of a page with the same relation, property and function are computed once", async () => {
  const rollups = [
    createRollup("a", "checked"),
    createRollup("b", "checked"),
    createRollup("c", "unchecked"),
  ];
  const sources = createSources(rollups);
  const data = createData([emptyPage("database", { properties: { done: true } })]);
  const results = await computeRollups(SCOPE, sources, data, presentUserId);
  const present = (pageId: string) =>
    rollups.map((rollup) => presentRollup(rollup, sources, pageId, results));
  const [first, second, third] = present("one");
  expect(first).toEqual({ type: "number", number: 1, function: "checked" });
  expect(second).toBe(first);
  expect(third).toEqual({ type: "number", number: 0, function: "unchecked" });
  expect(present("other")[0]).toEqual({ type: "number", number: 0, function: "checked" });
});

test("rollups of many pages are computed in several turns of the event loop", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = countTurns();
  onTestFinished(turns.end);
  const turnOfUser: number[] = [];
  const getUser = (id: string) => {
    turnOfUser.push(turns.current);
    vi.advanceTimersByTime(MAX_TURN_MS / 250);
    return presentUserId(id);
  };
  const rollup = createRollup("authors", "count_values");
  const sources = createSources([rollup], AUTHOR);
  const data = createData(Array.from({ length: 1000 }, () => emptyPage("database")));
  const results = await computeRollups(SCOPE, sources, data, getUser);
  expect(new Set(turnOfUser).size).toBe(4);
  expect(presentRollup(rollup, sources, "one", results)).toMatchObject({ number: 1000 });

  // A transaction, for which other writes wait, continues in the next turn.
  turnOfUser.length = 0;
  await computeRollups(
    { waitForTurn: setImmediate },
    sources,
    createData([...data.linkedPages.values()]),
    getUser,
  );
  expect(new Set(turnOfUser).size).toBe(4);
});

import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { MAX_PRESENTED_BYTES_PER_TURN, MAX_READ_BYTES } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { createSchema, type PropertyDefinition } from "../../../src/domain/schema.js";
import { runAsLongList } from "../../../src/operations/execution/event-loop-turns.js";
import type { ReadScope } from "../../../src/operations/execution/scope.js";
import { presentDatabase } from "../../../src/operations/present/database.js";
import { queryDatabase } from "../../../src/operations/query-database.js";
import { updateDatabase } from "../../../src/operations/update-database.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { measureHeap } from "../../support/heap.js";
import { emptyDatabase, emptyPage, plainProperty, plainRun } from "../../support/objects.js";
import { readScope, runUseCase } from "../../support/scope.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const SCHEMA_BYTES = 240_000;
const COUNT = Math.ceil(MAX_READ_BYTES / SCHEMA_BYTES) + 2;
const COMMON = { description: null };

/** Creates a database with two-way relations to large databases, and rollups of them that count one page. */
async function addRelatedDatabases(createSignal?: () => AbortSignal) {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const id = newId();
  const targets = Array.from({ length: COUNT }, (_, index) => {
    const synced = {
      ...COMMON,
      id: `s${index}`,
      name: "Back",
      databaseId: id,
      syncedPropertyId: `r${index}`,
    };
    return emptyDatabase({
      schema: createSchema([
        plainProperty("title", "Title", "title"),
        plainProperty("long", "x".repeat(SCHEMA_BYTES), "number"),
        { ...synced, type: "relation" },
      ]),
    });
  });
  const definitions = targets.flatMap((target, index): PropertyDefinition[] => [
    {
      ...COMMON,
      id: `r${index}`,
      name: `Relation ${index}`,
      type: "relation",
      databaseId: target.id,
      syncedPropertyId: `s${index}`,
    },
    {
      ...COMMON,
      id: `c${index}`,
      name: `Count ${index}`,
      type: "rollup",
      relationId: `r${index}`,
      propertyId: "title",
      function: "count",
    },
  ]);
  const schema = createSchema([plainProperty("title", "Title", "title"), ...definitions]);
  const database = emptyDatabase({ id, schema });
  await store.write(workspaceId, async (scope) => {
    for (const each of [database, ...targets]) await insertDatabase(scope, each);
    const title = [plainRun("x".repeat(MAX_PRESENTED_BYTES_PER_TURN))];
    await insertPage(scope, emptyPage(id, { properties: { title } }));
  });
  const scope = readScope(store, workspaceId, createSignal);
  const query = (input: Parameters<typeof queryDatabase>[2]) => queryDatabase(scope, id, input, { size: 1 });
  const update = (properties: Parameters<typeof updateDatabase>[2]["properties"]) =>
    runUseCase(store, workspaceId, (writeScope) => updateDatabase(writeScope, id, { properties }));
  return { scope, database, query, update };
}

test("two-way relations to databases that are too large to read together are shown without names", async () => {
  const { scope, database } = await addRelatedDatabases();
  const { properties } = await presentDatabase(scope, database);
  const synced = Object.values(properties).flatMap((property) =>
    property.type === "relation" && property.relation.type === "dual_property"
      ? [property.relation.dual_property]
      : [],
  );
  const ids = synced.map(({ synced_property_id: id }) => id);
  expect(ids).toEqual(Array.from({ length: COUNT }, (_, index) => `s${index}`));
  expect(new Set(synced.map(({ synced_property_name: name }) => name))).toEqual(new Set(["Back", ""]));
});

test("rollups of databases that are too large to read together are incomplete, and queries cannot use them", async () => {
  const { query } = await addRelatedDatabases();
  const { results } = await query({});
  const [page] = results.toJSON();
  const types = new Map<string, string[]>();
  for (const [name, value] of Object.entries(page?.properties ?? {})) {
    if (value.type === "rollup")
      types.set(value.rollup.type, [...(types.get(value.rollup.type) ?? []), name]);
  }
  expect([...types.keys()].toSorted()).toEqual(["incomplete", "number"]);
  const filterBy = (type: string) =>
    query({ filter: { property: types.get(type)?.[0] ?? "", rollup: { number: { equals: 0 } } } });
  expect((await filterBy("number")).results.toJSON()).toHaveLength(1);
  await expect(filterBy("incomplete")).rejects.toThrow(`more than ${MAX_READ_BYTES} bytes of properties`);
});

test("a change of a property reads the schemas of existing relations only if it configures a rollup", async () => {
  const { update } = await addRelatedDatabases();
  const { properties } = await update({
    "Relation 0": { description: "Changed" },
    "Count 0": { name: "Sum" },
  });
  expect(properties).toMatchObject({ "Relation 0": { description: "Changed" }, Sum: {} });
  const rollup = {
    relation_property_name: "Relation 0",
    rollup_property_name: "Title",
    function: "count",
  } as const;
  await expect(update({ Sum: { rollup } })).rejects.toThrow("The databases that the relations lead to have");
});

test("a database that waits for turns is not read further when its client disconnects", async () => {
  const { scope, database } = await addRelatedDatabases(() => AbortSignal.abort(new Error("disconnected")));
  await expect(presentDatabase(scope, database)).rejects.toThrow("disconnected");
});

type Related = Awaited<ReturnType<typeof addRelatedDatabases>>;

const REQUESTS = {
  "a retrieved database": ({ scope, database }: Related) => presentDatabase(scope, database),
  "the rollups of a page": ({ query }: Related) => query({}),
  "a filter by a rollup": ({ query }: Related) =>
    query({ filter: { property: "Count 0", rollup: { number: { equals: 1 } } } }),
};

test.each(Object.entries(REQUESTS))(
  "%s keeps little of the related schemas while it waits for turns",
  async (_, request) => {
    const related = await addRelatedDatabases();
    const parts = 30;
    let waitCount = 0;
    let heapBytes = NaN;
    vi.spyOn(related.scope, "waitForTurn").mockImplementation(async () => {
      waitCount += 1;
      if (waitCount === parts) heapBytes = measureHeap();
      await setImmediate();
    });
    const before = measureHeap();
    await request(related);
    // Some schemas are in the cache.
    expect(heapBytes - before).toBeLessThan((parts * SCHEMA_BYTES) / 3);
  },
);

/** Runs work that others of the workspace wait for. */
type Run = (scope: ReadScope, work: () => Promise<void>) => Promise<void>;

const runRelatedReads: Run = (scope, work) => scope.runRelatedReads(work);

test.each<[string, Run, (related: Related) => Promise<unknown>]>([
  ["a retrieved database", runRelatedReads, REQUESTS["a retrieved database"]],
  ["a filter by a rollup", runRelatedReads, REQUESTS["a filter by a rollup"]],
  ["the rollups of a page", runRelatedReads, REQUESTS["the rollups of a page"]],
  ["a long list", runAsLongList, REQUESTS["the rollups of a page"]],
])("%s waits for others before it reads related schemas", async (_, run, request) => {
  const related = await addRelatedDatabases();
  let endOthers = (): void => {};
  const others = run(related.scope, () => new Promise<void>((resolve) => (endOthers = resolve)));
  const waitForTurn = vi.spyOn(related.scope, "waitForTurn");
  // The time stands still, so that on a busy machine no work before the wait counts as long.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = request(related);
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(waitForTurn).not.toHaveBeenCalled();
  vi.useRealTimers();
  endOthers();
  await Promise.all([others, waiting]);
  expect(waitForTurn).toHaveBeenCalled();
});

import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Schemas } from "../../../../src/domain/api-schemas.js";
import { queryDatabase } from "../../../../src/operations/query-database.js";
import { MAX_BATCH_PAGES, MAX_TURN_MS } from "../../../../src/budgets.js";
import {
  ConversionJob,
  ConversionNeededError,
} from "../../../../src/operations/conversion/conversion-job.js";
import { PageConverter } from "../../../../src/operations/conversion/page-converter.js";
import { requireDatabase } from "../../../../src/operations/load/pages-and-databases.js";
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { updatePage } from "../../../../src/operations/update-page.js";
import type { WriteScope } from "../../../../src/operations/execution/scope.js";
import { findAllJobs } from "../../../../src/storage/jobs.js";
import { countTurns } from "../../../support/turns.js";
import { createPrincipal, readScope, runUseCase, runUseCaseWithJobs } from "../../../support/scope.js";
import { addDatabase, addPages } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages } from "../long-writes/filled-service.js";
import { STORAGE_LIMIT_BYTES } from "../../../../src/domain/plans.js";
import { newId } from "../../../../src/domain/ids.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { emptyDatabase, emptyPage, plainProperty, plainRun } from "../../../support/objects.js";

const HUNDRED_NAMES = Array.from({ length: 100 }, (_, index) => index).join(",");

/** Changes the type of properties of a database, and returns the number of transactions, and the error if there is one. */
async function convertPages(
  pages: number,
  propertyCount: number,
  text: string,
  type: "number" | "multi_select" = "number",
) {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const ids = Array.from({ length: propertyCount }, (_, index) => `p${index}`);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    ...ids.map((id) => plainProperty(id, id, "rich_text")),
  ]);
  const database = emptyDatabase({ schema });
  const properties = Object.fromEntries(ids.map((id) => [id, [plainRun(text)]]));
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (let count = 0; count < pages; count += 1) {
      await insertPage(scope, emptyPage(database.id, { properties }));
    }
  });
  let writes = 0;
  const { write } = store;
  store.write = (id, run) => {
    writes += 1;
    return write(id, run);
  };
  const error = await runUseCaseWithJobs(store, workspaceId, (scope) =>
    updateDatabase(scope, database.id, {
      properties: Object.fromEntries(ids.map((id) => [id, { [type]: {} }])),
    }),
  ).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { writes, error };
}

test.each([
  ["few short values", 20, 2, "7", 1],
  // The attempt, the begin, two batches, an empty one, one of changed pages, the change of the schema, and a look at the job.
  ["pages of many bytes", 3, 2, "x".repeat(30_000), 8],
  ["pages of many values", 20, 110, "7", 8],
  ["pages of many options", 2, 11, HUNDRED_NAMES, 8, "multi_select"],
  ["a page of more options than a batch", 1, 21, HUNDRED_NAMES, 1, "multi_select"],
] as const)(
  "%s are converted in one transaction unless they exceed a batch",
  async (_, pages, count, text, writes, type = undefined) => {
    expect(await convertPages(pages, count, text, type)).toEqual({ writes, error: undefined });
  },
);

/** Adds a database whose pages have the given texts as `Code`, in their order, and returns functions that change and query it. */
async function withCodes(codes: readonly string[]) {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("code", "Code", "rich_text"),
  ]);
  const database = emptyDatabase({ schema });
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (const code of codes) {
      await insertPage(scope, emptyPage(database.id, { properties: { code: [plainRun(code)] } }));
    }
  });
  const changeType = (Code: Schemas["DatabasePropertyInput"]) =>
    runUseCaseWithJobs(store, workspaceId, (scope) =>
      updateDatabase(scope, database.id, { properties: { Code } }),
    );
  return { store, databaseId: database.id, scope: readScope(store, workspaceId), changeType };
}

test("repeated conversions of many properties leave one job, whose row does not grow", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `Property ${index}`);
  const { store, databaseId } = await withCodes(["7"]);
  const { workspace_id: workspaceId } = await store.read
    .selectFrom("databases")
    .select("workspace_id")
    .where("id", "=", databaseId)
    .executeTakeFirstOrThrow();
  for (const type of ["number", "rich_text", "number", "rich_text"]) {
    const properties = Object.fromEntries(names.map((name) => [name, { [type]: {} }]));
    await runUseCaseWithJobs(store, workspaceId, (scope) =>
      updateDatabase(scope, databaseId, { properties }),
    );
  }
  expect(await findAllJobs(store.read)).toMatchObject([{ kind: "remove_values", propertyIds: [] }]);
});

test("pages of the second batch are found by options that it created", async () => {
  const codes = [...Array.from({ length: MAX_BATCH_PAGES }, () => "A"), "B", "B"];
  const { databaseId, scope, changeType } = await withCodes(codes);
  await changeType({ select: {} });
  const filter = { property: "Code", select: { equals: "B" } };
  const found = await queryDatabase(scope, databaseId, { filter }, { size: 10 });
  expect(found.results.toJSON()).toHaveLength(2);
});

test("a page that changes while others get their numbers keeps its number", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const { databaseId, pageIds } = await fillPages(store, workspaceId, 2 * MAX_BATCH_PAGES);
  const [first = ""] = pageIds;
  const { write } = store;
  let changesLeft = 1;
  store.write = async (id, run) => {
    const result = await write(id, run);
    // The first batch has given the page a number.
    if (changesLeft > 0 && (await readValues(first)).length > 3) {
      changesLeft -= 1;
      await runUseCase(store, workspaceId, (scope) =>
        updatePage(scope, first, { properties: { Points: { number: 1000 } } }),
      );
    }
    return result;
  };
  const readValues = async (id: string): Promise<unknown[]> => {
    const row = await store.read
      .selectFrom("pages")
      .select("properties")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return Object.values(JSON.parse(row.properties));
  };
  await runUseCaseWithJobs(store, workspaceId, (scope) =>
    updateDatabase(scope, databaseId, { properties: { Number: { unique_id: {} } } }),
  );
  expect(changesLeft).toBe(0);
  const numbers = await Promise.all(pageIds.map(async (id) => (await readValues(id)).at(-1)));
  expect(numbers).toEqual(pageIds.map((_, index) => index + 1));
});

test("a conversion starts over when a page gets a new option meanwhile, and includes the option", async () => {
  const { store, databaseId, scope, changeType } = await withCodes(
    Array.from({ length: 2 * MAX_BATCH_PAGES }, () => "A"),
  );
  await changeType({ select: {} });
  const { id } = await store.read.selectFrom("pages").select("id").limit(1).executeTakeFirstOrThrow();
  const { write } = store;
  let writes = 0;
  store.write = async (workspaceId, run) => {
    const result = await write(workspaceId, run);
    writes += 1;
    // The conversion has begun, and has converted its first batch.
    if (writes === 2) {
      const properties = { Code: { select: { name: "New" } } };
      await runUseCase(store, workspaceId, (scope) => updatePage(scope, id, { properties }));
    }
    return result;
  };
  await changeType({ multi_select: {} });
  const filter = { property: "Code", multi_select: { contains: "New" } };
  const { results } = await queryDatabase(scope, databaseId, { filter }, { size: 10 });
  expect(results.toJSON()).toHaveLength(1);
});

/** The second number is more than one transaction converts. */
describe.each([1, 120])("a database with %i pages", (pages) => {
  async function changeProperties(
    getProperties: (databaseId: string) => Parameters<typeof updateDatabase>[2]["properties"],
  ) {
    const store = await openTestStore();
    const { workspaceId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, pages);
    await runUseCaseWithJobs(store, workspaceId, (scope) =>
      updateDatabase(scope, databaseId, { properties: getProperties(databaseId) }),
    );
    return findAllJobs(store.read);
  }

  test("gets new properties without leaving a job", async () => {
    const properties = { Tags: { multi_select: {} }, Number: { unique_id: {} } };
    expect(await changeProperties(() => properties)).toEqual([]);
  });

  test("loses a property at once, and leaves the removal of its values to a job", async () => {
    const jobs = await changeProperties(() => ({ Code: null }));
    expect(jobs).toMatchObject([{ kind: "remove_values" }]);
  });

  test("gets properties without stored values at once, and leaves the removal of old values to a job", async () => {
    const jobs = await changeProperties((databaseId) => ({
      Code: { relation: { database_id: databaseId, single_property: {} } },
      Points: { created_time: {} },
    }));
    expect(jobs).toMatchObject([{ kind: "remove_values" }]);
  });

  test("leaves the removal of values to a job when numbers of pages are no longer shown, but not for computed values", async () => {
    const store = await openTestStore();
    const { workspaceId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, pages);
    const change = async (type: "unique_id" | "created_time" | "last_edited_time" | "created_by") => {
      await runUseCaseWithJobs(store, workspaceId, (scope) =>
        updateDatabase(scope, databaseId, { properties: { Computed: { [type]: {} } } }),
      );
      return (await findAllJobs(store.read)).map(({ kind }) => kind);
    };
    expect(await change("created_time")).toEqual([]);
    expect(await change("last_edited_time")).toEqual([]);
    expect(await change("unique_id")).toEqual([]);
    expect(await change("created_by")).toEqual(["remove_values"]);
    // It waits for the removal of all values.
    expect(await change("unique_id")).toEqual(["remove_values"]);
    expect(await change("created_by")).toEqual(["remove_values"]);
  });
});

test("a conversion is undone if the next attempt of its request does not need it", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const { databaseId } = await fillPages(store, workspaceId, 120);
  let attempts = 0;
  const change = async (scope: WriteScope): Promise<void> => {
    attempts += 1;
    // Like a write whose Idempotency-Key has a stored response since its first attempt.
    if (attempts === 1) await updateDatabase(scope, databaseId, { properties: { Code: { number: {} } } });
  };
  await runUseCaseWithJobs(store, workspaceId, change);
  // Writes of a workspace run one after another.
  await store.write(workspaceId, async () => {});
  expect([attempts, (await findAllJobs(store.read)).map(({ kind }) => kind)]).toEqual([2, ["remove_values"]]);
  await runUseCaseWithJobs(store, workspaceId, (scope) =>
    updateDatabase(scope, databaseId, { properties: { Code: null } }),
  );
});

test("a conversion does not begin while another one runs", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  for (const [id, count] of [
    [databaseId, 2],
    [newId(), 1],
  ] as const)
    await addPages(store, workspaceId, id, count);
  const needed = new ConversionNeededError(databaseId, { conversions: [], newUniqueId: null });
  const begin = () => ConversionJob.begin(store, workspaceId, needed, () => {});
  const running = await begin();
  expect(running.job.totalCount).toBe(2);
  await expect(begin()).rejects.toMatchObject({ kind: "conflict" });
  await running.abandon();
  await (await begin()).abandon();
});

test("a page keeps no values from before an earlier change, although the job that removes them has not run", async () => {
  const { store, databaseId, changeType } = await withCodes(["7"]);
  for (const type of [{ number: {} }, { rich_text: {} }, { number: {} }]) await changeType(type);
  const { properties } = await store.read
    .selectFrom("pages")
    .select("properties")
    .where("parent_id", "=", databaseId)
    .executeTakeFirstOrThrow();
  // The value before the last change, and the one after it.
  expect(Object.values(JSON.parse(properties))).toEqual([[plainRun("7")], 7]);
});

test("the values of a page are converted in several turns of the event loop", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const ids = ["a", "b", "c", "d"];
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    ...ids.map((id) => plainProperty(id, id, "rich_text")),
  ]);
  const stored = emptyDatabase({ schema });
  const page = emptyPage(stored.id, {
    properties: Object.fromEntries(ids.map((id) => [id, [plainRun("7")]])),
  });
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, stored);
    await insertPage(scope, page);
  });
  const database = await requireDatabase(readScope(store, workspaceId), stored.id);
  const conversions = ids.map((id) => ({
    from: plainProperty(id, id, "rich_text"),
    to: plainProperty(`new-${id}`, id, "checkbox"),
  }));
  const converter = new PageConverter(database, { conversions, newUniqueId: null });
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = countTurns();
  onTestFinished(turns.end);
  const turnOfValue: number[] = [];
  // Each conversion of a value takes longer than a turn may take.
  const properties = new Proxy(page.properties, {
    get(values, id, receiver) {
      turnOfValue.push(turns.current);
      vi.advanceTimersByTime(MAX_TURN_MS);
      return Reflect.get(values, id, receiver);
    },
  });
  await store.write(workspaceId, (scope) =>
    converter.convertPages(scope, [{ ...page, properties, json: JSON.stringify(page.properties) }], {
      mustFit: false,
    }),
  );
  expect(new Set(turnOfValue).size).toBe(ids.length);
});

test("too many options are refused before pages get them", async () => {
  const { writes, error } = await convertPages(10, 40, HUNDRED_NAMES, "multi_select");
  expect(error).toMatchObject({ kind: "validation" });
  // The attempt, the begin, the first of two batches, and the end of the job.
  expect(writes).toBe(4);
});

test("conversions in progress together stop when their values exceed the storage of the workspace", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const ids = Array.from({ length: 100 }, (_, index) => `p${index}`);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    ...ids.map((id) => plainProperty(id, id, "created_time")),
  ]);
  const databases = [emptyDatabase({ schema }), emptyDatabase({ schema })] as const;
  await store.write(workspaceId, async (scope) => {
    for (const database of databases) {
      await insertDatabase(scope, database);
      // More than a batch.
      for (let count = 0; count < 25; count += 1) await insertPage(scope, emptyPage(database.id));
    }
  });
  // A database gets 2,500 values, of 800 to 900 bytes each.
  const countedBytes = 1.25 * STORAGE_LIMIT_BYTES.free - 3_000_000;
  const principal = { ...createPrincipal(workspaceId), countedBytes };
  const properties = Object.fromEntries(ids.map((name) => [name, { rich_text: {} }]));
  const convert = ({ id }: { readonly id: string }) =>
    runUseCaseWithJobs(store, workspaceId, (scope) => updateDatabase(scope, id, { properties }), principal);

  const results = await Promise.allSettled(databases.map(convert));
  const refused = results.find((result) => result.status === "rejected");
  expect(refused?.reason).toMatchObject({ kind: "restricted" });
  const database = databases.find((_, index) => results[index] === refused);
  expect((await convert(database ?? databases[0])).properties["p0"]?.type).toBe("rich_text");
});

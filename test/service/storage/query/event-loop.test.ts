import { sql } from "kysely";
import { expect, test } from "vitest";
import { type PageQuery, queryPages } from "../../../../src/operations/load/query-pages.js";
import { type Connection, getConnection, openSqlite } from "../../../../src/storage/engine/dialect.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import type { Db, Tables } from "../../../../src/storage/tables.js";
import { MAX_KEY_LENGTH } from "../../../../src/domain/properties/index-rows.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { expectCpuRatioBelow } from "../../../support/cpu-time.js";
import { emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { Random, takeSeed } from "../../../support/random.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";
import { createWorld, NOW, type World } from "./world.js";

/** Wraps a connection, and remembers the statements with a text: by default those that select pages of the result. */
function record(db: Db, text = "p.version"): { readonly db: Db; readonly statements: string[] } {
  const connection = getConnection(db);
  if (connection === undefined) throw new Error("The store has no connection.");
  const statements: string[] = [];
  const recorder: Connection = {
    executeQuery: (query) => {
      if (query.sql.includes(text)) statements.push(query.sql);
      return connection.executeQuery(query);
    },
  };
  return { db: openSqlite<Tables>(recorder), statements };
}

/** Runs a query, and returns where the pages were selected: in the event loop, or in a scan, which has a time limit. */
async function findPlace(
  store: Store,
  { workspaceId, main }: World,
  query: Pick<PageQuery, "filter" | "sorts">,
): Promise<string> {
  const scope = readScope(store, workspaceId);
  const [inLoop, inScan] = [record(store.read), record(scope.scanScope.db)];
  const reads = { ...scope, db: inLoop.db, scanScope: { ...scope.scanScope, db: inScan.db } };
  await queryPages(reads, main, { ...query, pageSize: 10, inTrash: false, now: NOW });
  return [
    ...(inLoop.statements.length > 0 ? ["loop"] : []),
    ...(inScan.statements.length > 0 ? ["scan"] : []),
  ].join();
}

const ticked = { property: "Tick", checkbox: { equals: true } };
const contains = { property: "Text", rich_text: { contains: "xyz" } };
const differs = { property: "Text", rich_text: { does_not_equal: "x" } };
const ascending = { direction: "ascending" } as const;

test("queries that can read many rows for each page do not block the event loop", async () => {
  const store = await openTestStore();
  const world = await createWorld(store, new Random(takeSeed()), 50);
  const place = (filter: PageQuery["filter"], ...sorts: NonNullable<PageQuery["sorts"]>) =>
    findPlace(store, world, { filter, sorts });
  const byNumber = { property: "Number", ...ascending };

  expect(await place(undefined)).toBe("loop");
  expect(await place(undefined, byNumber)).toBe("loop");
  expect(await place(ticked)).toBe("loop");
  expect(await place({ and: [ticked, differs] })).toBe("loop");
  expect(await place({ and: [ticked, differs] }, byNumber)).toBe("loop");

  expect(await place({ and: [ticked, contains] })).toBe("scan");
  expect(
    await place({ and: [ticked, { property: "Text", rich_text: { does_not_equal: "x".repeat(200) } }] }),
  ).toBe("scan");
  expect(await place(differs)).toBe("scan");
  // Any number of longer texts can have the same key.
  expect(await place({ property: "Text", rich_text: { equals: "x".repeat(MAX_KEY_LENGTH) } })).toBe("scan");
});

test("queries that look up many values do not block the event loop", async () => {
  const store = await openTestStore();
  const world = await createWorld(store, new Random(takeSeed()), 700);
  const place = (count: number) =>
    findPlace(store, world, {
      filter: { and: [ticked, { or: Array.from({ length: count }, () => differs) }] },
    });
  expect(await place(1)).toBe("loop");
  expect(await place(18)).toBe("scan");
  expect(await place(30)).toBe("scan");
});

test("queries that skip many pages with a value do not block the event loop", async () => {
  const store = await openTestStore();
  const world = await createWorld(store, new Random(takeSeed()), 1100);
  const { workspaceId, main } = world;
  const tickId = main.schema.definitions.find(({ name }) => name === "Tick")?.id;
  const pages = store.read.selectFrom("pages").select("id").where("parent_id", "=", main.id).orderBy("id");
  const ids = (await pages.execute()).map(({ id }) => id);
  await store.write(workspaceId, async ({ db: tx }) => {
    await sql`update pages set in_trash = 0`.execute(tx);
    await sql`delete from property_values where property_id = ${tickId}`.execute(tx);
    // All but the last one are ticked.
    await sql`
      insert into property_values (workspace_id, page_id, property_id, ordinal, database_id, number_key)
      select workspace_id, id, ${tickId}, 0, parent_id, 1 from pages where parent_id = ${main.id} and id <> ${ids.at(-1)}
    `.execute(tx);
  });
  const sorts = [{ property: "Tick", ...ascending }];
  expect(await findPlace(store, world, { sorts })).toBe("loop,scan");
  const query = { sorts, pageSize: 3, inTrash: false, now: NOW };
  const { elements } = await queryPages(readScope(store, workspaceId), main, query);
  expect(elements.map(({ id }) => id)).toEqual([ids.at(-1), ids[0], ids[1]]);
  // The lookup of ticked pages was counted before, and finds too many.
  const scope = readScope(store, workspaceId);
  const lookups = record(scope.scanScope.db, "h.page_id");
  const reads = { ...scope, scanScope: { ...scope.scanScope, db: lookups.db } };
  await queryPages(reads, main, { ...query, filter: { and: [ticked, differs] }, sorts: [] });
  expect(lookups.statements).toEqual([]);
});

test("queries that skip many pages of the trash do not block the event loop", async () => {
  const store = await openTestStore();
  const world = await createWorld(store, new Random(takeSeed()), 1100);
  await store.write(world.workspaceId, ({ db: tx }) =>
    tx.updateTable("pages").set({ in_trash: 1 }).where("parent_id", "=", world.main.id).execute(),
  );
  expect(await findPlace(store, world, {})).toBe("loop");
  expect(await findPlace(store, world, { filter: ticked })).toBe("scan");
  expect(await findPlace(store, world, { sorts: [{ property: "Number", ...ascending }] })).toBe("scan");
});

/** Adds 200 pages that have a text of the given length, and returns a function that queries them ten times. */
async function addLongTexts(textLength: number): Promise<() => Promise<void>> {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("text", "Text", "rich_text"),
    plainProperty("tick", "Tick", "checkbox"),
    plainProperty("numb", "Number", "number"),
  ]);
  await store.write(workspaceId, async (scope) => {
    for (let numb = 0; numb < 200; numb += 1) {
      const page = emptyPage(databaseId);
      await insertPage(scope, page);
      const properties = { text: [plainRun("x".repeat(textLength))], tick: true, numb };
      await insertPropertyValues(scope, [{ id: page.id, databaseId, properties }], schema.definitions);
    }
  });
  const query = {
    filter: { and: [ticked, differs] },
    sorts: [{ property: "Number", ...ascending }],
    pageSize: 10,
    inTrash: false,
    now: NOW,
  };
  const run = async () => {
    for (let count = 0; count < 10; count += 1)
      await queryPages(readScope(store, workspaceId), { id: databaseId, schema }, query);
  };
  // Compiles the functions and prepares the statements.
  await run();
  return run;
}

test("queries take as long with long texts that they do not compare", async () => {
  await expectCpuRatioBelow(5, await addLongTexts(250_000), await addLongTexts(1));
});

test("the statement of a later page grows in proportion to the number of sorts", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const properties = Array.from({ length: 100 }, (_, index) =>
    plainProperty(`n${index}`, `N${index}`, "number"),
  );
  const schema = createSchema([plainProperty("title", "Title", "title"), ...properties]);
  const pages = [emptyPage(databaseId), emptyPage(databaseId)];
  const values = Object.fromEntries(properties.map(({ id }) => [id, 1]));
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) {
      await insertPage(scope, page);
      await insertPropertyValues(
        scope,
        [{ id: page.id, databaseId, properties: values }],
        schema.definitions,
      );
    }
  });
  const scope = readScope(store, workspaceId);
  const measureLength = async (sortCount: number): Promise<number> => {
    const { db, statements } = record(store.read);
    const sorts = properties.slice(0, sortCount).map(({ name }) => ({ property: name, ...ascending }));
    const query = {
      sorts,
      filter: { property: "N0", number: { equals: 1 } },
      pageSize: 1,
      inTrash: false,
      now: NOW,
    };
    const read = (cursor?: string) =>
      queryPages(
        { ...scope, db, scanScope: scope.scanScope },
        { id: databaseId, schema },
        { ...query, cursor },
      );
    const first = await read();
    const second = await read(first.nextCursor ?? undefined);
    expect([...first.elements, ...second.elements].map(({ id }) => id)).toEqual(pages.map(({ id }) => id));
    return statements.at(-1)?.length ?? NaN;
  };
  expect(await measureLength(100)).toBeLessThan(15 * (await measureLength(10)));
});

import { expect, test } from "vitest";
import { sql } from "kysely";
import { MAX_BATCH_BYTES, MAX_VALUES_OF_LINKED_PAGE } from "../../../../src/budgets.js";
import { newId } from "../../../../src/domain/ids.js";
import { createSchema, type DefinitionOf } from "../../../../src/domain/schema.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { findPageVersions, insertPage } from "../../../../src/storage/pages/pages.js";
import { cleanFullPages, type Link, replaceLinks } from "../../../../src/storage/pages/relations.js";
import { addReverseLinks } from "../../../../src/storage/pages/reverse-links.js";
import { MAX_IDS } from "../../../../src/storage/sql-helpers.js";
import { expectCpuRatioBelow } from "../../../support/cpu-time.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../../support/objects.js";
import { addDatabase, addPages } from "../fixtures.js";
import { openTestStore } from "../open.js";

test("links to large pages are reversed one after another", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const [first = "", second = "", third = ""] = await addPages(store, workspaceId, databaseId, 3);
  const relation = { id: "rela", name: "Links", description: null, type: "relation", databaseId } as const;
  const oneWay: DefinitionOf<"relation"> = { ...relation, syncedPropertyId: null };
  const twoWay: DefinitionOf<"relation"> = { ...relation, syncedPropertyId: "back" };
  await store.write(workspaceId, async (scope) => {
    await replaceLinks(scope, { id: third, databaseId }, oneWay, [first, second]);
    const properties = JSON.stringify({ removed: "x".repeat(MAX_BATCH_BYTES) });
    await scope.db.updateTable("pages").set({ properties }).execute();
  });
  const reverse = (after?: Link) =>
    store.write(workspaceId, (scope) => addReverseLinks(scope, databaseId, twoWay, after));
  const readVersion = async (id: string) =>
    (await findPageVersions({ db: store.read, workspaceId }, id))?.version ?? 0;
  const versions = await Promise.all([readVersion(first), readVersion(second)]);
  const afterFirst = await reverse();
  expect(afterFirst).toEqual({ pageId: third, targetId: first });
  const rows = await store.read
    .selectFrom("property_values")
    .select("page_id")
    .where("property_id", "=", "back")
    .execute();
  expect(rows).toEqual([{ page_id: first }]);
  expect(await readVersion(first)).toBe(versions[0] + 1);
  expect(await readVersion(second)).toBe(versions[1]);
  expect(await reverse(afterFirst)).toBeUndefined();
});

test("links back are added and removed without reading all links of the linked pages", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const [first = "", ...ids] = await addPages(store, workspaceId, databaseId, 101);
  const fewLinks = ids.slice(0, 50);
  const manyLinks = ids.slice(50);
  const relation = { id: "rela", name: "Links", description: null, type: "relation", databaseId } as const;
  const twoWay: DefinitionOf<"relation"> = { ...relation, syncedPropertyId: "back" };
  const setLinks = (targetIds: readonly string[]) =>
    store.write(workspaceId, (scope) => replaceLinks(scope, { id: first, databaseId }, twoWay, targetIds));
  const readLastOrdinals = () =>
    store.read
      .selectFrom("property_values")
      .select((eb) => eb.fn.max("ordinal").as("last"))
      .where("property_id", "=", "back")
      .groupBy("page_id")
      .execute();
  const changeLinks = async (targetIds: readonly string[]) => {
    await setLinks(targetIds);
    await setLinks([]);
  };
  await changeLinks(fewLinks);
  expect(await readLastOrdinals()).toEqual([]);
  await store.write(workspaceId, async ({ db }) => {
    await sql`
      insert into property_values (workspace_id, page_id, database_id, property_id, ordinal, text_key)
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 3999)
      select ${workspaceId}, pages.id, ${databaseId}, 'back', n, 'page ' || n from pages, numbers
      where pages.workspace_id = ${workspaceId} and pages.id in (${sql.join(manyLinks)})`.execute(db);
  });
  // About the same time, instead of five times as long when each link back is found among all links of its page.
  await expectCpuRatioBelow(
    3,
    () => changeLinks(manyLinks),
    () => changeLinks(fewLinks),
  );
  await setLinks(manyLinks);
  expect(await readLastOrdinals()).toEqual(manyLinks.map(() => ({ last: 4000 })));
});

test("hidden links to pages in the trash are kept up to the limit of values of their page", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const [first = "", shown = ""] = await addPages(store, workspaceId, databaseId, 2);
  const common = { name: "Links", description: null, type: "relation", databaseId } as const;
  const hidden = newId();
  const counts = await store.write(workspaceId, async (scope) => {
    await insertPage(scope, emptyPage(databaseId, { id: hidden, inTrash: true, trashRoot: hidden }));
    const countLinks = async (id: string, targetIds: readonly string[]) => {
      await replaceLinks(
        scope,
        { id: first, databaseId },
        { ...common, id, syncedPropertyId: null },
        targetIds,
      );
      return (await scope.db.selectFrom("property_values").select("ordinal").execute()).length;
    };
    const setHidden = (id: string, count: number) =>
      countLinks(
        id,
        Array.from({ length: count }, () => hidden),
      );
    return [
      await setHidden("one", MAX_VALUES_OF_LINKED_PAGE - 5),
      await setHidden("two", 10),
      // Four of these links are kept.
      await countLinks("two", [shown]),
      await setHidden("three", 10),
      await countLinks("three", []),
      await countLinks("one", [shown]),
    ];
  });
  const max = MAX_VALUES_OF_LINKED_PAGE;
  expect(counts).toEqual([max - 5, max + 5, max, max + 10, max, max]);
});

test("a link that exists already is not added a second time from the other side", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const [from = "", to = ""] = await addPages(store, workspaceId, databaseId, 2);
  const common = { name: "Links", description: null, type: "relation", databaseId } as const;
  const links = await store.write(workspaceId, async (scope) => {
    const set = (id: string, pageId: string, syncedPropertyId: string | null, targetId: string) =>
      replaceLinks(scope, { id: pageId, databaseId }, { ...common, id, syncedPropertyId }, [targetId]);
    await set("rela", from, null, to);
    await set("back", to, "rela", from);
    return scope.db.selectFrom("property_values").select(["property_id", "page_id", "text_key"]).execute();
  });
  expect(links).toEqual([
    { property_id: "rela", page_id: from, text_key: to },
    { property_id: "back", page_id: to, text_key: from },
  ]);
});

test("links back are added and removed for more pages than one statement can name", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const [first = "", ...ids] = await addPages(store, workspaceId, databaseId, 2 * MAX_IDS + 2);
  const relation = { id: "rela", name: "Links", description: null, type: "relation", databaseId } as const;
  const twoWay: DefinitionOf<"relation"> = { ...relation, syncedPropertyId: "back" };
  for (const targetIds of [ids, ids.slice(0, 1), []]) {
    await store.write(workspaceId, (scope) =>
      replaceLinks(scope, { id: first, databaseId }, twoWay, targetIds),
    );
    for (const [relationId, from, to] of [
      ["rela", [first], targetIds],
      ["back", targetIds, [first]],
    ] as const) {
      const rows = await store.read
        .selectFrom("property_values")
        .select(["page_id", "text_key"])
        .where("property_id", "=", relationId)
        .execute();
      expect(new Set(rows.map(({ page_id }) => page_id))).toEqual(new Set(targetIds.length > 0 ? from : []));
      expect(new Set(rows.map(({ text_key }) => text_key))).toEqual(new Set(targetIds.length > 0 ? to : []));
    }
  }
});

test("links to deleted pages do not fill the pages of any database", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const pages = ["one", "two"].map((id) => {
    const options = { name: "Links", description: null, syncedPropertyId: null } as const;
    const relation = { ...options, id, type: "relation", databaseId: newId() } as const;
    const schema = createSchema([plainProperty("title", "Title", "title"), relation]);
    return { id: newId(), relation, database: emptyDatabase({ schema }) };
  });
  const full = await store.write(workspaceId, async (scope) => {
    for (const { id, relation, database } of pages) {
      await insertDatabase(scope, database);
      await insertPage(scope, emptyPage(database.id, { id }));
      await replaceLinks(scope, { id, databaseId: database.id }, relation, [newId()]);
    }
    const indexed = pages.map(({ id, database }) => ({ id, databaseId: database.id }));
    return cleanFullPages(scope, indexed, 1).next();
  });
  expect(full.done).toBe(true);
});

test("pages after the first one that stays full are not cleaned", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const common = { name: "Links", description: null, syncedPropertyId: null } as const;
  const relation = { ...common, id: "rela", type: "relation", databaseId: newId() } as const;
  const database = emptyDatabase({
    schema: createSchema([plainProperty("title", "Title", "title"), relation]),
  });
  const pages = [newId(), newId()].map((id) => ({ id, databaseId: database.id }));
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (const page of pages) {
      await insertPage(scope, emptyPage(database.id, { id: page.id }));
      // A link to itself, which stays, and one to a deleted page.
      await replaceLinks(scope, page, relation, [page.id, newId()]);
    }
    const { value: fullId } = await cleanFullPages(scope, pages, 1).next();
    const rows = await scope.db.selectFrom("property_values").select("page_id").execute();
    const cleaned = pages.filter(({ id }) => rows.filter(({ page_id }) => page_id === id).length === 1);
    expect(cleaned.map(({ id }) => id)).toEqual([fullId]);
  });
});

import { expect, test } from "vitest";
import { newId } from "../../src/domain/ids.js";
import { MAX_CLEANED_LINKS, MAX_RELATIONS, MAX_VALUES_OF_LINKED_PAGE } from "../../src/budgets.js";
import { chunk } from "../../src/lists.js";
import { addPages } from "../service/storage/fixtures.js";
import { expectCpuRatioBelow } from "../support/cpu-time.js";
import { addPage, type Connected, connect, getError, title } from "../support/contract.js";

const RELATIONS = 60;
const LINKS = 100;
/** Pages with 6,000 links each: ten have more than a response may load. */
const PAGES = 10;

/** Adds a database with relations and pages with links in each of them. Requests with as many links take a second each. */
async function addLinkedPages(connected: Connected) {
  const { client, service, workspaceId, rootDatabaseId } = connected;
  const relation = { database_id: rootDatabaseId, type: "single_property", single_property: {} } as const;
  const names = Array.from({ length: RELATIONS }, (_, index) => `r${index}`);
  const targets = await addPages(service.store, workspaceId, rootDatabaseId, LINKS);
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: targets[0] ?? "" },
      properties: { Title: { title: {} }, ...Object.fromEntries(names.map((name) => [name, { relation }])) },
    },
  });
  const pageIds = await addPages(service.store, workspaceId, database.id, PAGES);
  const rows = pageIds.flatMap((pageId) =>
    names.flatMap((name) =>
      targets.map((target, ordinal) => ({
        workspace_id: workspaceId,
        page_id: pageId,
        database_id: database.id,
        property_id: decodeURIComponent(database.properties[name]?.id ?? ""),
        ordinal,
        text_key: target,
      })),
    ),
  );
  await service.store.write(workspaceId, async ({ db: tx }) => {
    for (const part of chunk(rows, 2000)) await tx.insertInto("property_values").values(part).execute();
  });
  return { databaseId: database.id, pageIds };
}

test("lists and rollups load a limited number of links", async () => {
  const connected = await connect();
  const { client } = connected;
  const { databaseId, pageIds } = await addLinkedPages(connected);

  const { body: list } = await client.queryDatabase({ path: { database_id: databaseId }, body: {} });
  expect(list.results).toHaveLength(8);
  expect(list.has_more).toBe(true);
  const titles = { path: { database_id: databaseId }, query: { filter_properties: ["title"] }, body: {} };
  expect((await client.queryDatabase(titles)).body.results).toHaveLength(PAGES);
  const { body: found } = await client.search({
    body: { filter: { property: "object", value: "page" }, sort: newest },
  });
  expect(found.results).toHaveLength(8);

  const addSummary = async (
    ids: readonly string[],
    rollups: readonly object[] = Array.from({ length: RELATIONS }, (_, index) => rollup(index)),
  ): Promise<string | undefined> => {
    const { body: summary } = await client.createDatabase({
      body: {
        parent: { page_id: pageIds[0] ?? "" },
        properties: {
          Title: { title: {} },
          Pages: { relation: { database_id: databaseId, type: "single_property", single_property: {} } },
          ...Object.fromEntries(rollups.map((each, index) => [`u${index}`, each])),
        },
      },
    });
    const relation = ids.map((id) => ({ id }));
    const { body: created } = await client.createPage({
      body: {
        parent: { database_id: summary.id },
        properties: { Title: title(newId()), Pages: { relation } },
      },
    });
    // Other writes wait for the response of a write, so its rollups read less.
    expect(created).toMatchObject({ properties: { u0: { rollup: { type: "incomplete" } } } });
    const { body } = await client.retrievePage({ path: { page_id: created.id } });
    const shown = "properties" in body ? body.properties.u0 : undefined;
    return shown?.type === "rollup" ? shown.rollup.type : undefined;
  };
  expect(await addSummary(pageIds.slice(0, 8))).toBe("array");
  expect(await addSummary(pageIds)).toBe("incomplete");
  // Each rollup reads the links of the linked pages again.
  const readFirst = (count: number) =>
    addSummary(
      pageIds.slice(0, 8),
      Array.from({ length: count }, () => rollup(0)),
    );
  expect([await readFirst(60), await readFirst(70)]).toEqual(["array", "incomplete"]);
});

const newest = { direction: "descending", timestamp: "last_edited_time" } as const;

function rollup(index: number) {
  return {
    rollup: {
      relation_property_name: "Pages",
      rollup_property_name: `r${index}`,
      function: "show_original",
    },
  } as const;
}

test("a page gets no link from others when it has 10,000 values and links", async () => {
  const { client, service, workspaceId, rootDatabaseId } = await connect();
  const target = await addPage({ client, rootDatabaseId });
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: target },
      properties: {
        Title: { title: {} },
        Two: { relation: { database_id: rootDatabaseId, type: "dual_property", dual_property: {} } },
        One: { relation: { database_id: rootDatabaseId, type: "single_property", single_property: {} } },
        Other: { relation: { database_id: rootDatabaseId, type: "single_property", single_property: {} } },
      },
    },
  });
  const add = (name: string) =>
    client.createPage({
      body: { parent: { database_id: database.id }, properties: { [name]: { relation: [{ id: target }] } } },
    });
  const countValues = async (): Promise<number> => {
    const { read } = service.store;
    const rows = await read
      .selectFrom("property_values")
      .select("property_id")
      .where("workspace_id", "=", workspaceId)
      .where("page_id", "=", target)
      .execute();
    return rows.length;
  };
  const { body: first } = await add("Two");
  const { body: linked } = await client.retrieveDatabase({ path: { database_id: database.id } });
  const two = linked.properties["Two"];
  if (two?.type !== "relation" || two.relation.type !== "dual_property") throw new Error("Not two-way.");
  const { synced_property_id } = two.relation.dual_property;
  /** Adds links back until the target has one value or link less than the limit. */
  const fill = async (newPageId: () => string): Promise<void> => {
    const rows = Array.from(
      { length: MAX_VALUES_OF_LINKED_PAGE - 1 - (await countValues()) },
      (_, index) => ({
        workspace_id: workspaceId,
        page_id: target,
        database_id: rootDatabaseId,
        property_id: decodeURIComponent(synced_property_id),
        ordinal: index + 1,
        text_key: newPageId(),
      }),
    );
    await service.store.write(workspaceId, async ({ db: tx }) => {
      for (const part of chunk(rows, 2000)) await tx.insertInto("property_values").values(part).execute();
    });
  };

  // Links from deleted pages do not count.
  await fill(newId);
  await add("Two");
  await add("Two");
  const cleanedCount = MAX_VALUES_OF_LINKED_PAGE + 1 - MAX_CLEANED_LINKS;
  expect(await countValues()).toBe(cleanedCount);

  await service.store.write(workspaceId, ({ db: tx }) =>
    tx.deleteFrom("property_values").where("page_id", "=", target).execute(),
  );
  await fill(() => first.id);
  await add("Two");
  const { status, message } = await getError(add("Two"));
  expect([status, message]).toEqual([
    400,
    `Two: the page ${target} has 10000 values and links, so that no other page can add a link. ` +
      "Remove links from it first, delete linked pages in the trash permanently, or link fewer such pages in one request.",
  ]);
  expect(await countValues()).toBe(MAX_VALUES_OF_LINKED_PAGE);
  // A link that exists can be written again, and links of one-way relations do not count.
  const values = { Two: { relation: [{ id: target }] }, Title: title("Same") };
  await client.updatePage({ path: { page_id: first.id }, body: { properties: values } });
  await add("One");
  await add("Other");

  const makeTwoWay = (name: string) =>
    client.updateDatabase({
      path: { database_id: database.id },
      body: { properties: { [name]: { relation: { database_id: rootDatabaseId, dual_property: {} } } } },
    });
  await makeTwoWay("One");
  expect(await countValues()).toBe(MAX_VALUES_OF_LINKED_PAGE);
  await service.store.write(workspaceId, ({ db: tx }) =>
    tx.updateTable("property_values").set({ text_key: newId() }).where("text_key", "=", first.id).execute(),
  );
  await makeTwoWay("Other");
  expect(await countValues()).toBe(cleanedCount);
});

test("links of pages with more than 20 MB of values together change in the version of their database", async () => {
  const { client, send, service, workspaceId, rootDatabaseId } = await connect();
  const relation = { database_id: rootDatabaseId, type: "dual_property", dual_property: {} } as const;
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: await addPage({ client, rootDatabaseId }) },
      properties: { Title: { title: {} }, A: { relation }, B: { relation } },
    },
  });
  const ids = await addPages(service.store, workspaceId, rootDatabaseId, 12);
  const large = ids.slice(0, 11);
  const properties = JSON.stringify({ removed: "x".repeat(1_900_000) });
  await service.store.write(workspaceId, async ({ db: tx }) => {
    await tx.updateTable("pages").set({ properties }).where("id", "in", large).execute();
  });
  const link = (pageIds: readonly string[]) => ({ relation: pageIds.map((id) => ({ id })) });
  // One after another, because the reads of large pages wait for each other.
  const readTags = async () => {
    const tags: string[] = [];
    for (const id of ids) tags.push((await client.retrievePage({ path: { page_id: id } })).headers.ETag);
    return tags;
  };
  /** Versions in the rows of the pages. A new one rewrites the row on SQLite. */
  const readRowVersions = async (): Promise<number[]> => {
    const query = service.store.read.selectFrom("pages").select("version").where("id", "in", ids);
    return (await query.execute()).map(({ version }) => version).toSorted();
  };
  const unlinked = await readTags();
  const few = link(large.slice(0, 10));
  const create = (links: typeof few) =>
    client.createPage({ body: { parent: { database_id: database.id }, properties: { A: links, B: links } } });
  const { body: page } = await create(few);
  const [first, ...others] = await readTags();
  // Counted once, although the page got two links.
  expect([unlinked[0], first]).toEqual([expect.stringMatching(/^"0-/), expect.stringMatching(/^"1-/)]);
  expect(others.slice(-2)).toEqual(unlinked.slice(-2));
  const rowVersions = await readRowVersions();
  expect(rowVersions).toEqual([0, 0, ...few.relation.map(() => 1)]);

  const update = (values: Record<string, ReturnType<typeof link>>) =>
    client.updatePage({ path: { page_id: page.id }, body: { properties: values } });
  // Only the eleventh link is new.
  await update({ A: link(large) });
  expect((await readTags())[0]).toBe(first);
  let linked = await readTags();
  const linkedVersions = await readRowVersions();
  for (const pageIds of [[], large]) {
    await update({ A: link([]), B: link(pageIds) });
    const changed = await readTags();
    for (const [index, tag] of changed.entries()) expect(linked[index]).not.toBe(tag);
    expect(await readRowVersions()).toEqual(linkedVersions);
    const headers = { "If-Match": linked[0] ?? "" };
    expect((await send("PATCH", `/v1/pages/${large[0]}`, { properties: {} }, headers)).status).toBe(409);
    linked = changed;
  }
});

test("the ETag of a page that links to many large pages of its own database is current", async () => {
  const { client, send, service, workspaceId, rootDatabaseId } = await connect();
  const relation = { database_id: rootDatabaseId, type: "dual_property", dual_property: {} } as const;
  await client.updateDatabase({
    path: { database_id: rootDatabaseId },
    body: { properties: { Linked: { relation } } },
  });
  const ids = await addPages(service.store, workspaceId, rootDatabaseId, 11);
  const properties = JSON.stringify({ removed: "x".repeat(1_900_000) });
  await service.store.write(workspaceId, async ({ db: tx }) => {
    await tx.updateTable("pages").set({ properties }).where("id", "in", ids).execute();
  });
  const links = ids.map((id) => ({ id }));
  const few = links.slice(0, 10);
  const { body: page, headers } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Linked: { relation: few } } },
  });
  let tag = headers.ETag;
  for (const relation of [links, [], few, links]) {
    expect((await client.retrievePage({ path: { page_id: page.id } })).headers.ETag).toBe(tag);
    const body = { properties: { Linked: { relation } } };
    const response = await send("PATCH", `/v1/pages/${page.id}`, body, { "If-Match": tag });
    expect(response.status).toBe(200);
    tag = response.headers.get("ETag") ?? "";
  }
  const { body: other, headers: created } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: {} },
  });
  expect((await client.retrievePage({ path: { page_id: other.id } })).headers.ETag).toBe(created.ETag);
});

test("the links of linked pages are counted once for all relations of a write", async () => {
  const { client, service, workspaceId, rootDatabaseId } = await connect();
  const names = Array.from({ length: MAX_RELATIONS }, (_, index) => `r${index}`);
  const relation = { database_id: rootDatabaseId, type: "dual_property", dual_property: {} } as const;
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: await addPage({ client, rootDatabaseId }) },
      properties: { Title: { title: {} }, ...Object.fromEntries(names.map((name) => [name, { relation }])) },
    },
  });
  const fewLinks = await addPages(service.store, workspaceId, rootDatabaseId, PAGES);
  const manyLinks = await addPages(service.store, workspaceId, rootDatabaseId, PAGES);
  const rows = manyLinks.flatMap((pageId) =>
    Array.from({ length: MAX_VALUES_OF_LINKED_PAGE - 1000 }, (_, ordinal) => ({
      workspace_id: workspaceId,
      page_id: pageId,
      database_id: rootDatabaseId,
      property_id: "old",
      ordinal,
      text_key: newId(),
    })),
  );
  await service.store.write(workspaceId, async ({ db: tx }) => {
    for (const part of chunk(rows, 2000)) await tx.insertInto("property_values").values(part).execute();
  });
  const link = (ids: readonly string[]) =>
    client.createPage({
      body: {
        parent: { database_id: database.id },
        properties: Object.fromEntries(names.map((name) => [name, { relation: ids.map((id) => ({ id })) }])),
      },
    });
  await link(fewLinks);
  // The same time and a tenth, instead of ten times as long when each relation counted the links.
  await expectCpuRatioBelow(
    4,
    () => link(manyLinks),
    () => link(fewLinks),
  );
});

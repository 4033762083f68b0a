import { expect, test } from "vitest";
import { deletePermanently } from "../../src/operations/delete-permanently.js";
import { emptyTrash } from "../../src/operations/empty-trash.js";
import type { WriteScope } from "../../src/operations/execution/scope.js";
import { readRowBytes } from "../../src/storage/row-sizes.js";
import type { Store } from "../../src/storage/engine/store.js";
import { appendIds, childrenOf, paragraph, toggle } from "../support/blocks.js";
import { addPage, type Connected, connect, getError, title, text } from "../support/contract.js";
import { runUseCaseWithJobs } from "../support/scope.js";

const ACTOR = { type: "account", id: null, name: "Ada" } as const;

/** Runs a use case in the workspace of a service. */
function run<T>(
  { service, workspaceId }: Pick<Connected, "service" | "workspaceId">,
  useCase: (scope: WriteScope) => Promise<T>,
): Promise<T> {
  const { store } = service;
  return runUseCaseWithJobs(store, workspaceId, useCase);
}

/** Counts the rows of each table with content. */
async function countRows({ read }: Store): Promise<Record<string, number>> {
  const tables = ["databases", "pages", "blocks", "property_values", "page_texts", "comments"] as const;
  const counts = await Promise.all(
    tables.map(async (table) => {
      const row = await read
        .selectFrom(table)
        .select((select) => select.fn.countAll().as("count"))
        .executeTakeFirst();
      return [table, Number(row?.count)];
    }),
  );
  return Object.fromEntries(counts);
}

async function sumRowBytes({ service, workspaceId }: Connected): Promise<number> {
  let sum = 0;
  for await (const bytes of readRowBytes({ db: service.store.read, workspaceId })) sum += bytes;
  return sum;
}

/** Reads the last count of a workspace, without the bytes that were written since. */
async function readCountedBytes({ service, workspaceId }: Connected): Promise<number> {
  const row = await service.store.read
    .selectFrom("workspaces")
    .select("counted_bytes")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return row.counted_bytes;
}

/** Makes the stored bytes of a workspace exact, as a count does. */
async function countBytes(connected: Connected): Promise<void> {
  const { service, workspaceId } = connected;
  const counted_bytes = await sumRowBytes(connected);
  await service.store.writeServiceWide((tx) =>
    tx
      .updateTable("workspaces")
      .set({ counted_bytes, written_bytes: 0 })
      .where("id", "=", workspaceId)
      .execute(),
  );
}

/** Creates a page with blocks, comments, a page and a database in it. Returns the ids of all objects. */
async function addTree(
  { client }: Connected,
  databaseId: string,
): Promise<{ pageId: string; ids: string[] }> {
  const { body: page } = await client.createPage({
    body: {
      parent: { database_id: databaseId },
      properties: { Title: title("Tree"), Points: { number: 1 } },
    },
  });
  const tree = toggle("Outer", [toggle("Inner", [{ divider: {} }])]);
  const blocks = await appendIds(client, page.id, [tree, paragraph("Text")]);
  const inner = await childrenOf(client, blocks[0] ?? "");
  const { body: child } = await client.createPage({
    body: { parent: { page_id: page.id }, properties: { title: title("Child") } },
  });
  const { body: database } = await client.createDatabase({
    body: { parent: { page_id: child.id }, title: text("Inside"), properties: { Title: { title: {} } } },
  });
  const row = await client.createPage({
    body: { parent: { database_id: database.id }, properties: { Title: title("Row") } },
  });
  for (const parent of [{ page_id: page.id }, { page_id: child.id }])
    await client.createComment({ body: { parent, rich_text: text("Comment") } });
  const ids = [page.id, ...blocks, child.id, database.id, row.body.id];
  return { pageId: page.id, ids: [...ids, ...inner.map(({ id }) => id)] };
}

test("deletes a page of the trash with everything in it, and frees its storage at once", async () => {
  const connected = await connect();
  const { client, service, rootDatabaseId } = connected;
  await addPage(connected, "Kept");
  const before = await countRows(service.store);
  const { pageId, ids } = await addTree(connected, rootDatabaseId);
  // Cached, so that a cached response cannot outlive the page.
  await client.retrievePage({ path: { page_id: pageId } });
  await client.listBlockChildren({ path: { block_id: pageId } });
  await client.updatePage({ path: { page_id: pageId }, body: { in_trash: true } });
  await countBytes(connected);
  const usedBytes = await readCountedBytes(connected);

  expect(await run(connected, (scope) => deletePermanently(scope, pageId, ACTOR))).toBe(true);

  expect(await countRows(service.store)).toEqual(before);
  for (const id of ids) {
    for (const call of [
      () => client.retrieveBlock({ path: { block_id: id } }),
      () => client.retrievePage({ path: { page_id: id } }),
      () => client.retrieveDatabase({ path: { database_id: id } }),
      () => client.listBlockChildren({ path: { block_id: id } }),
      () => client.updateBlock({ path: { block_id: id }, body: { in_trash: false } }),
      () => client.listComments({ query: { block_id: id } }),
    ]) {
      expect(await getError(call())).toMatchObject({ status: 404, code: "object_not_found" });
    }
  }
  const events = await service.store.read.selectFrom("audit_events").selectAll().execute();
  expect(events.at(-1)).toMatchObject({
    action: "page.deleted",
    actor_name: "Ada",
    subject_id: pageId,
    subject_name: "Tree",
  });
  await service.store.writeServiceWide((tx) =>
    tx.deleteFrom("audit_events").where("action", "=", "page.deleted").execute(),
  );
  const remainingBytes = await readCountedBytes(connected);
  expect(remainingBytes).toBeLessThan(usedBytes);
  expect(remainingBytes).toBe(await sumRowBytes(connected));
});

test("refuses objects outside of the trash, objects in one of the trash, and those of another workspace", async () => {
  const connected = await connect();
  const { client, service, rootDatabaseId } = connected;
  const { pageId, ids } = await addTree(connected, rootDatabaseId);
  const remove = (id: string, workspaceId = connected.workspaceId) =>
    run({ service, workspaceId }, (scope) => deletePermanently(scope, id, ACTOR));
  const refuse = { kind: "validation" };
  await expect(remove(pageId)).rejects.toMatchObject(refuse);
  await expect(remove(rootDatabaseId)).rejects.toMatchObject(refuse);
  await client.updatePage({ path: { page_id: pageId }, body: { in_trash: true } });
  const [, block = "", , child = "", database = ""] = ids;
  await expect(remove(child)).rejects.toMatchObject(refuse);
  await expect(remove(database)).rejects.toMatchObject(refuse);
  await expect(remove(block)).rejects.toMatchObject({ kind: "not_found" });
  const other = await connected.connect();
  await expect(remove(pageId, other.workspaceId)).rejects.toMatchObject({ kind: "not_found" });
  await run({ service, workspaceId: other.workspaceId }, (scope) => emptyTrash(scope, ACTOR));
  expect((await client.retrievePage({ path: { page_id: pageId } })).body.in_trash).toBe(true);
  expect(await remove(pageId)).toBe(true);
  await expect(remove(pageId)).rejects.toMatchObject({ kind: "not_found" });
});

test("an object that was moved to the trash before the object that contains it is deleted with it", async () => {
  const connected = await connect();
  const { client, service, rootDatabaseId } = connected;
  const before = await countRows(service.store);
  const { pageId, ids } = await addTree(connected, rootDatabaseId);
  const [, block = "", , child = ""] = ids;
  await client.deleteBlock({ path: { block_id: block } });
  await client.updatePage({ path: { page_id: child }, body: { in_trash: true } });
  await client.updatePage({ path: { page_id: pageId }, body: { in_trash: true } });
  // The inner page can be deleted by itself, and the rest restored.
  expect(await run(connected, (scope) => deletePermanently(scope, child, ACTOR))).toBe(true);
  await client.updatePage({ path: { page_id: pageId }, body: { in_trash: false } });
  await client.updatePage({ path: { page_id: pageId }, body: { in_trash: true } });
  expect(await run(connected, (scope) => deletePermanently(scope, pageId, ACTOR))).toBe(true);
  expect(await countRows(service.store)).toEqual(before);
});

test("the trash is emptied of pages, databases and blocks, and nothing else is deleted", async () => {
  const connected = await connect();
  const { client, service, rootDatabaseId } = connected;
  const kept = await addTree(connected, rootDatabaseId);
  const before = await countRows(service.store);
  const { pageId } = await addTree(connected, rootDatabaseId);
  const { body: database } = await client.createDatabase({
    body: { parent: { page_id: kept.pageId }, properties: { Title: { title: {} } } },
  });
  const [block_id = ""] = await appendIds(client, kept.pageId, [toggle("Block", [{ divider: {} }])]);
  await client.deleteBlock({ path: { block_id } });
  await client.updatePage({ path: { page_id: pageId }, body: { in_trash: true } });
  await client.updateDatabase({ path: { database_id: database.id }, body: { in_trash: true } });
  expect(await run(connected, (scope) => emptyTrash(scope, ACTOR))).toBe(true);
  expect(await countRows(service.store)).toEqual(before);
  for (const id of kept.ids) await client.retrieveBlock({ path: { block_id: id } });
  const listEvents = () =>
    service.store.read.selectFrom("audit_events").select(["action", "subject_id"]).execute();
  expect((await listEvents()).at(-1)).toEqual({
    action: "trash.emptied",
    subject_id: connected.workspaceId,
  });
  const count = (await listEvents()).length;
  // An empty trash gets no entry.
  expect(await run(connected, (scope) => emptyTrash(scope, ACTOR))).toBe(true);
  expect(await listEvents()).toHaveLength(count);
});

test("the children of a deleted block are not found, although they were listed while it was in the trash", async () => {
  const connected = await connect();
  const { client } = connected;
  const [block_id = ""] = await appendIds(client, await addPage(connected), [toggle("A", [paragraph("B")])]);
  await client.deleteBlock({ path: { block_id } });
  expect(await childrenOf(client, block_id)).toEqual([]);
  await run(connected, (scope) => emptyTrash(scope, ACTOR));
  expect((await getError(childrenOf(client, block_id))).code).toBe("object_not_found");
});

test("references to deleted pages and databases stay valid, and show what they show for the trash", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const create = async (name: string, properties: object) => {
    const body = {
      parent: { database_id: rootDatabaseId },
      properties: { Title: title(name), ...properties },
    };
    return (await client.createPage({ body })).body;
  };
  const { body: projects } = await client.createDatabase({
    body: {
      parent: { page_id: (await create("Home", {})).id },
      title: text("Projects"),
      properties: { Name: { title: {} }, Cost: { number: {} } },
    },
  });
  const path = { database_id: rootDatabaseId };
  await client.updateDatabase({
    path,
    body: {
      properties: {
        Project: { relation: { database_id: projects.id, dual_property: { synced_property_name: "Tasks" } } },
        Cost: {
          rollup: { relation_property_name: "Project", rollup_property_name: "Cost", function: "sum" },
        },
      },
    },
  });
  const addProject = async (name: string) =>
    (
      await client.createPage({
        body: {
          parent: { database_id: projects.id },
          properties: { Name: title(name), Cost: { number: 2 } },
        },
      })
    ).body.id;
  const [red, blue] = [await addProject("Red"), await addProject("Blue")];
  const links = (...ids: string[]) => ({ relation: ids.map((id) => ({ id })) });
  const task = await create("Task", { Project: links(red, blue) });
  await client.appendBlockChildren({
    path: { block_id: task.id },
    body: {
      children: [
        { paragraph: { rich_text: [{ mention: { page: { id: red } } }] } },
        { link_to_page: { type: "page_id", page_id: red } },
        { link_to_page: { type: "database_id", database_id: projects.id } },
      ],
    },
  });
  const read = async () => {
    const { body } = await client.retrievePage({ path: { page_id: task.id } });
    const items = await client.retrievePageProperty({
      path: { page_id: task.id, property_id: body.properties["Project"]?.id ?? "" },
    });
    const { body: found } = await client.queryDatabase({
      path,
      body: { filter: { property: "Project", relation: { contains: red } } },
    });
    const { body: empty } = await client.queryDatabase({
      path,
      body: { filter: { property: "Project", relation: { is_empty: true } } },
    });
    const { body: children } = await client.listBlockChildren({ path: { block_id: task.id } });
    const { request_id: _, ...item } = items.body as { request_id?: string };
    return {
      properties: body.properties,
      item,
      found: found.results.length,
      empty: empty.results.length,
      children,
    };
  };
  await client.updatePage({ path: { page_id: red }, body: { in_trash: true } });
  const inTrash = await read();
  expect(inTrash.properties).toMatchObject({ Project: links(blue), Cost: { rollup: { number: 2 } } });
  await run(connected, (scope) => deletePermanently(scope, red, ACTOR));
  const deleted = await read();
  const [paragraph, ...others] = deleted.children.results;
  expect(paragraph).toMatchObject({ paragraph: { rich_text: [{ plain_text: "Untitled" }] } });
  expect(others).toEqual(inTrash.children.results.slice(1));
  expect({ ...deleted, children: null }).toEqual({ ...inTrash, children: null });
  // Values with a link to a deleted page can be written again.
  await client.updatePage({ path: { page_id: task.id }, body: { properties: { Project: links(blue) } } });
  expect(
    (
      await getError(
        client.updatePage({ path: { page_id: task.id }, body: { properties: { Project: links(red) } } }),
      )
    ).code,
  ).toBe("object_not_found");

  await client.updateDatabase({ path: { database_id: projects.id }, body: { in_trash: true } });
  await run(connected, (scope) => deletePermanently(scope, projects.id, ACTOR));
  const { read: db } = connected.service.store;
  const events = await db.selectFrom("audit_events").select("action").orderBy("id").execute();
  expect(events.at(-1)).toEqual({ action: "database.deleted" });
  const gone = await read();
  expect(gone.properties).toMatchObject({ Project: links(), Cost: { rollup: { number: 0 } } });
  const { body: database } = await client.retrieveDatabase({ path });
  expect(database.properties["Project"]).toMatchObject({
    relation: { database_id: projects.id, type: "single_property" },
  });
  await client.updateDatabase({ path, body: { properties: { Cost: null, Project: null } } });
});

test("a relation becomes two-way although it has links to deleted pages", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const path = { database_id: rootDatabaseId };
  const relate = (sides: object) =>
    client.updateDatabase({
      path,
      body: { properties: { Related: { relation: { database_id: rootDatabaseId, ...sides } } } },
    });
  await relate({ single_property: {} });
  const [one, other] = [await addPage(connected, "One"), await addPage(connected, "Other")];
  const relation = [{ id: one }, { id: other }];
  const linking = await addPage(connected, "Linking");
  await client.updatePage({ path: { page_id: linking }, body: { properties: { Related: { relation } } } });
  await client.updatePage({ path: { page_id: one }, body: { in_trash: true } });
  await run(connected, (scope) => deletePermanently(scope, one, ACTOR));
  await relate({ dual_property: { synced_property_name: "Back" } });
  const { body } = await client.retrievePage({ path: { page_id: other } });
  expect(body.properties).toMatchObject({ Back: { relation: [{ id: linking }] } });
});

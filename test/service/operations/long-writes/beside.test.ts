import { describe, expect, test } from "vitest";
import { paginate, sort, type UpdateDatabaseRequest } from "../../../../src/client/index.js";
import { emptyTrash } from "../../../../src/operations/empty-trash.js";
import { getError } from "../../../support/contract.js";
import { runUseCaseWithJobs } from "../../../support/scope.js";
import { sharedStores } from "../../../support/stores.js";
import {
  connectFilled,
  countPages,
  listStoredPropertyIds,
  MIN_WRITES,
  waitForJobs,
  workBeside,
} from "./filled-service.js";

const PAGES = 1800;

describe.each(sharedStores)("while a large database changes in %s", (_, newLocation) => {
  test("other workspaces read and write, and every page gets its new values", async () => {
    const service = await connectFilled(await newLocation(), PAGES);
    const { client, databaseId, pageIds } = service;
    const { store } = service.service;
    const path = { database_id: databaseId };
    const change = async (body: UpdateDatabaseRequest["body"]): Promise<void> => {
      const { result, writes, reads } = await workBeside(service, () =>
        client.updateDatabase({ path, body }),
      );
      expect(result.body.id).toBe(databaseId);
      expect(writes).toBeGreaterThanOrEqual(MIN_WRITES);
      expect(reads).toBeGreaterThanOrEqual(MIN_WRITES);
    };
    const findPropertyId = async (name: string): Promise<string | undefined> =>
      (await client.retrieveDatabase({ path })).body.properties[name]?.id;

    const readEntityTag = async (): Promise<string | undefined> =>
      (await client.retrievePage({ path: { page_id: pageIds[0] ?? "" } })).headers.ETag;

    const codeId = await findPropertyId("Code");
    const entityTag = await readEntityTag();
    await change({ properties: { Code: { number: {} } } });
    expect(await findPropertyId("Code")).toBe(codeId);
    expect(await readEntityTag()).not.toBe(entityTag);
    const equals = { filter: { property: "Code", number: { equals: 1321 } } };
    const found = await client.queryDatabase({ path, body: equals });
    expect(found.body.results.map(({ id }) => id)).toEqual([pageIds[1321]]);
    const filter = { property: "Code", number: { greater_than_or_equal_to: 500 } };
    const request = { path, body: { filter, sorts: [sort.ascending("Code")] } };
    const codes: unknown[] = [];
    for await (const { properties } of paginate(client.queryDatabase, request))
      codes.push(properties.Code?.type === "number" ? properties.Code.number : properties.Code);
    expect(codes).toEqual(Array.from({ length: PAGES - 500 }, (_, index) => 500 + index));

    await change({ properties: { Number: { unique_id: { prefix: "P" } } } });
    const { body: page } = await client.retrievePage({ path: { page_id: pageIds[1321] ?? "" } });
    expect(page.properties).toMatchObject({
      Code: { number: 1321 },
      Number: { unique_id: { number: 1322 } },
    });
    const added = await client.createPage({
      body: { parent: { database_id: databaseId }, properties: {} },
    });
    expect(added.body.properties).toMatchObject({ Number: { unique_id: { number: PAGES + 1 } } });

    await client.updateDatabase({ path, body: { properties: { Points: null } } });
    await waitForJobs(store);
    const { body: database } = await client.retrieveDatabase({ path });
    expect(Object.keys(database.properties)).toEqual(["Title", "Code", "Number"]);
    expect(await listStoredPropertyIds(store, databaseId)).toHaveLength(3);

    await change({ in_trash: true });
    expect(await countPages(client, databaseId)).toBe(0);
    expect(await countPages(client, databaseId, { in_trash: true })).toBe(PAGES + 1);
    await change({ in_trash: false });
    expect(await countPages(client, databaseId)).toBe(PAGES + 1);
  });

  test("other workspaces read and write while it is deleted permanently", async () => {
    const service = await connectFilled(await newLocation(), PAGES);
    const { client, databaseId, workspaceId, rootDatabaseId } = service;
    const { store } = service.service;
    const path = { database_id: databaseId };
    await client.updateDatabase({ path, body: { in_trash: true } });
    const actor = { type: "account", id: null, name: "Ada" } as const;
    const { result, writes, reads } = await workBeside(service, async () => {
      const isDone = await runUseCaseWithJobs(store, workspaceId, (scope) => emptyTrash(scope, actor));
      // Moved to the trash after it was emptied.
      const { body } = await client.createPage({
        body: { parent: { database_id: rootDatabaseId }, properties: {} },
      });
      await client.updatePage({ path: { page_id: body.id }, body: { in_trash: true } });
      await waitForJobs(store);
      return { isDone, pageId: body.id };
    });
    expect(result.isDone).toBe(false);
    expect(writes).toBeGreaterThanOrEqual(MIN_WRITES);
    expect(reads).toBeGreaterThanOrEqual(MIN_WRITES);
    expect((await getError(client.retrieveDatabase({ path }))).code).toBe("object_not_found");
    const pages = await store.read
      .selectFrom("pages")
      .select("id")
      .where("parent_id", "=", databaseId)
      .execute();
    expect(pages).toEqual([]);
    expect((await client.retrievePage({ path: { page_id: result.pageId } })).body.in_trash).toBe(true);
  });

  test("its own workspace changes and adds pages, which are converted", async () => {
    const service = await connectFilled(await newLocation(), PAGES);
    const { client, databaseId, pageIds } = service;
    const text = (content: string) => ({ Code: { rich_text: [{ text: { content } }] } });
    const job = { isOver: false };
    const conversion = client
      .updateDatabase({
        path: { database_id: databaseId },
        body: { properties: { Code: { number: {} }, Number: { unique_id: {} } } },
      })
      .finally(() => (job.isOver = true));
    const expected = new Map<string, number>();
    for (let index = 0; !job.isOver; index += 1) {
      const properties = text(String(1_000_000 + index));
      const request =
        index % 2 === 0
          ? client.updatePage({
              path: { page_id: pageIds[(index * 37) % PAGES] ?? "" },
              body: { properties },
            })
          : client.createPage({ body: { parent: { database_id: databaseId }, properties } });
      const id = await request.then(
        ({ body }) => body.id,
        // Fails when the property has its new type.
        () => undefined,
      );
      if (id !== undefined) expected.set(id, 1_000_000 + index);
    }
    await conversion;
    expect(expected.size).toBeGreaterThanOrEqual(MIN_WRITES);
    const numbers = new Set<number | null>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { body } = await client.queryDatabase({
        path: { database_id: databaseId },
        body: cursor === undefined ? {} : { start_cursor: cursor },
      });
      for (const page of body.results) {
        if (!("properties" in page)) continue;
        const { Code, Number: number } = page.properties;
        const wanted = expected.get(page.id) ?? pageIds.indexOf(page.id);
        expect(Code).toMatchObject({ number: wanted });
        if (number?.type === "unique_id") numbers.add(number.unique_id.number);
        pages += 1;
      }
      cursor = body.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(numbers.has(null)).toBe(false);
    expect(numbers.size).toBe(pages);
  });

  test("a second change of its properties is refused, and so are moves in or around a move", async () => {
    const service = await connectFilled(await newLocation(), PAGES);
    const { client, databaseId, pageIds, send } = service;
    const path = { database_id: databaseId };
    const body = { properties: { Code: { number: {} } } };
    const both = await Promise.all([
      send("PATCH", `/v1/databases/${databaseId}`, body),
      send("PATCH", `/v1/databases/${databaseId}`, body),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({
      code: "conflict_error",
      message:
        "Another request is changing the properties of this database. Send this request again when that one is done.",
    });

    const page = await client.createPage({
      body: { parent: { database_id: service.rootDatabaseId }, properties: {} },
    });
    let isOver = false;
    const move = client.updateDatabase({ path, body: { in_trash: true } }).finally(() => (isOver = true));
    while ((await client.retrieveDatabase({ path })).body.in_trash !== true) expect(isOver).toBe(false);
    // At once, so that the move is in progress for all of them.
    const [inside, outside, back] = await Promise.all([
      send("PATCH", `/v1/pages/${pageIds.at(-1)}`, { in_trash: true }),
      send("PATCH", `/v1/pages/${page.body.id}`, { in_trash: true }),
      send("PATCH", `/v1/databases/${databaseId}`, { in_trash: false }),
    ]);
    expect([inside.status, outside.status, back.status]).toEqual([409, 200, 409]);
    expect(await back.json()).toMatchObject({
      code: "conflict_error",
      message: expect.stringContaining("is moving this object"),
    });
    await move;
    expect(await countPages(client, databaseId, { in_trash: true })).toBe(PAGES);
  });
});

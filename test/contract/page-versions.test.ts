import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { append, paragraph } from "../support/blocks.js";
import { addPage, connect, type Connected, readError, title } from "../support/contract.js";
import { newLocation } from "../support/stores.js";

const CONFLICT = {
  status: 409,
  code: "conflict_error",
  message: "The page has another version than If-Match says. Retrieve it, and send the update with its ETag.",
};

function update(connected: Connected, id: string, body: object, headers?: Record<string, string>) {
  return connected.send("PATCH", `/v1/pages/${id}`, body, headers);
}

function createPoints(number: number): object {
  return { properties: { Points: { number } } };
}

async function readTag(connected: Connected, id: string): Promise<string> {
  const { headers } = await connected.client.retrievePage({ path: { page_id: id } });
  return headers.ETag;
}

test("the ETag of a page changes only with the page and its blocks", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const parent = { database_id: rootDatabaseId };
  const created = await client.createPage({ body: { parent, properties: {} } });
  const id = created.body.id;
  const seen = [created.headers.ETag];
  const change = async (made: Promise<Response>): Promise<Response> => {
    const response = await made;
    expect(response.status).toBe(200);
    const tag = await readTag(connected, id);
    // The ETag of an update is the precondition of the next update. A page that is created inside has its own.
    const isUpdate = response.url.endsWith(id);
    if (isUpdate) expect(response.headers.get("ETag")).toBe(tag);
    expect(await readTag(connected, id)).toBe(tag);
    expect(seen).not.toContain(tag);
    seen.push(tag);
    return response;
  };
  expect(await readTag(connected, id)).toBe(created.headers.ETag);
  await change(update(connected, id, createPoints(1)));
  await change(update(connected, id, { icon: { emoji: "🧭" } }));
  await change(update(connected, id, { in_trash: true }));
  await change(update(connected, id, { in_trash: false, ...createPoints(2) }));
  const children = [{ paragraph: { rich_text: [] } }];
  await change(connected.send("PATCH", `/v1/blocks/${id}/children`, { children }));
  const { body: blocks } = await client.listBlockChildren({ path: { block_id: id } });
  const blockPath = `/v1/blocks/${blocks.results[0]?.id}`;
  await change(connected.send("PATCH", blockPath, { paragraph: { rich_text: [], color: "red" } }));
  await change(connected.send("DELETE", blockPath));
  const inside = { parent: { page_id: id } };
  await change(connected.send("POST", "/v1/pages", { ...inside, properties: {} }));
  await change(connected.send("POST", "/v1/databases", { ...inside, properties: { Name: { title: {} } } }));
  // An empty update changes nothing.
  expect((await update(connected, id, {})).headers.get("ETag")).toBe(seen.at(-1));

  // The page that links to itself changes once.
  const relation = { database_id: rootDatabaseId, dual_property: { synced_property_name: "Whole" } };
  const path = { database_id: rootDatabaseId };
  await client.updateDatabase({ path, body: { properties: { Parts: { relation } } } });
  await change(update(connected, id, { properties: { Parts: { relation: [{ id }] } } }));

  const withBlocks = await client.createPage({
    body: { parent, properties: {}, children: [{ type: "paragraph", paragraph: { rich_text: [] } }] },
  });
  expect(await readTag(connected, withBlocks.body.id)).toBe(withBlocks.headers.ETag);
});

test("a block in a page inside of another page changes only the ETag of the inner one", async () => {
  const connected = await connect();
  const { client } = connected;
  const outer = await addPage(connected);
  const { body: inner } = await client.createPage({ body: { parent: { page_id: outer }, properties: {} } });
  const readTags = async () => [await readTag(connected, outer), await readTag(connected, inner.id)];
  const before = await readTags();
  await append(client, inner.id, [paragraph("a")]);
  const after = await readTags();
  expect(after.map((tag, index) => tag === before[index])).toEqual([true, false]);
});

test("a conversion of values changes the ETag, also of a page that a query has cached", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const id = await addPage(connected);
  const path = { database_id: rootDatabaseId };
  const seen: string[] = [await readTag(connected, id)];
  const relation = { database_id: rootDatabaseId, type: "single_property" as const, single_property: {} };
  for (const Points of [{ rich_text: {} }, { number: {} }, { relation }, { rich_text: {} }]) {
    await client.updateDatabase({ path, body: { properties: { Points } } });
    await client.queryDatabase({ path, body: {} });
    const tag = await readTag(connected, id);
    expect(seen).not.toContain(tag);
    expect((await update(connected, id, {})).headers.get("ETag")).toBe(tag);
    seen.push(tag);
  }
});

test("after a conversion of values, a query returns pages that have changed since they were cached", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const id = await addPage(connected);
  const path = { database_id: rootDatabaseId };
  await client.updateDatabase({ path, body: { properties: { Points: { rich_text: {} } } } });
  for (const count of [1, 2, 3]) {
    await readTag(connected, id);
    for (let index = 1; index <= count; index += 1)
      await update(connected, id, { properties: { Title: title(`Update ${index} of ${count}`) } });
    const { body } = await client.queryDatabase({ path, body: {} });
    expect(JSON.stringify(body)).toContain(`Update ${count} of ${count}`);
  }
});

test("an update with a current If-Match succeeds; otherwise it gets 409 and changes nothing", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const first = await readTag(connected, id);
  const done = await update(connected, id, createPoints(1), { "If-Match": first });
  expect(done.status).toBe(200);
  const second = done.headers.get("ETag") ?? "";
  for (const [ifMatch, body] of [
    [first, createPoints(2)],
    [`${first}, "0-0"`, { icon: { emoji: "🧭" } }],
    [`W/${first}`, { in_trash: true }],
    // RFC 9110, section 13.1.1: a weak tag never matches, even with the current version.
    [`W/${second}`, createPoints(2)],
    [`"0-0", W/${second}`, createPoints(2)],
  ] as const) {
    expect(await readError(await update(connected, id, body, { "If-Match": ifMatch }))).toMatchObject(
      CONFLICT,
    );
  }
  expect(await readTag(connected, id)).toBe(second);

  let tag = second;
  for (const ifMatch of [(now: string) => `"0-0", ${now}`, (now: string) => `W/"0-0",${now}`, () => "*"]) {
    const response = await update(connected, id, createPoints(3), { "If-Match": ifMatch(tag) });
    expect(response.status).toBe(200);
    tag = response.headers.get("ETag") ?? "";
  }
});

test.each(["", "3-1777886013120", '"3', 'W/"3" "4"', '"3",'])(
  "an If-Match of %j is refused",
  async (ifMatch) => {
    const connected = await connect();
    const id = await addPage(connected);
    const error = await readError(await update(connected, id, createPoints(1), { "If-Match": ifMatch }));
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain('headers["If-Match"] should be an ETag in double quotes');
  },
);

test("a replayed conditional update gets the stored response including its ETag", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const headers = { "If-Match": await readTag(connected, id), "Idempotency-Key": randomUUID() };
  const once = await update(connected, id, createPoints(1), headers);
  expect(once.status).toBe(200);
  const again = await update(connected, id, createPoints(1), headers);
  expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
  expect(again.headers.get("ETag")).toBe(once.headers.get("ETag"));
  expect(await again.text()).toBe(await once.text());
});

test("of 50 concurrent updates of one version through two services on one database, one succeeds and 49 get 409", async () => {
  const database = await newLocation();
  const services = [await connect({ database }), await connect({ database })] as const;
  const [first] = services;
  const id = await addPage(first);
  for (let round = 0; round < 5; round += 1) {
    const tag = await readTag(first, id);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        update(services[index % 2 === 0 ? 0 : 1], id, createPoints(round * 100 + index), { "If-Match": tag }),
      ),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const refused = responses.filter(({ status }) => status !== 200);
    for (const response of refused) expect(await readError(response)).toMatchObject(CONFLICT);
    expect(refused).toHaveLength(49);
    const { body, headers } = await first.client.retrievePage({ path: { page_id: id } });
    expect(headers.ETag).toBe(winners[0]?.headers.get("ETag"));
    expect(await winners[0]?.json()).toEqual(body);
  }
});

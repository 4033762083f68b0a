import { expect, test } from "vitest";
import { MAX_RELATIONS } from "../../../src/budgets.js";
import { getError } from "../../support/contract.js";
import { type TestDatabase, withDatabase } from "./fixture.js";

const links = (...ids: string[]) => ({ relation: ids.map((id) => ({ id })) });

/** Creates a database with a two-way relation to itself: Parent, with the synced property Parts. */
async function withParts(): Promise<TestDatabase> {
  const database = await withDatabase({ Name: { title: {} } });
  const dual_property = { synced_property_name: "Parts" };
  await database.changeProperties({
    Parent: { relation: { database_id: database.databaseId, dual_property } },
  });
  return database;
}

test("synced properties of one request get different names, which must not be empty", async () => {
  const { addDatabase, changeProperties, readProperties } = await withDatabase({ Name: { title: {} } });
  const otherId = await addDatabase({ Title: { title: {} } });
  const relate = (synced_property_name: string) => ({
    relation: { database_id: otherId, dual_property: { synced_property_name } },
  });
  expect(await getError(changeProperties({ First: relate(" ") }))).toMatchObject({
    status: 400,
    message: "The name of a property must not be empty.",
  });
  await changeProperties({ First: relate("Links"), Second: relate("Links") });
  expect(Object.keys(await readProperties(otherId))).toEqual(["Title", "Links", "Links 1"]);
  expect(await readProperties()).toMatchObject({
    First: { relation: { dual_property: { synced_property_name: "Links" } } },
    Second: { relation: { dual_property: { synced_property_name: "Links 1" } } },
  });
});

test("the synced property counts as a relation of the other database", async () => {
  const { databaseId, addDatabase, changeProperties } = await withDatabase({ Name: { title: {} } });
  const relation = { database_id: databaseId, single_property: {} };
  const names = Array.from({ length: MAX_RELATIONS }, (_, index) => `Link ${index}`);
  const full = Object.fromEntries(names.map((name) => [name, { relation }]));
  const otherId = await addDatabase({ Title: { title: {} }, ...full });
  const dual = { relation: { database_id: otherId, dual_property: {} } };
  expect(await getError(changeProperties({ Dual: dual }))).toMatchObject({
    status: 400,
    message: expect.stringContaining(`at most ${MAX_RELATIONS} relations`),
  });
});

test("a request can replace a two-way relation by another one with the same synced name", async () => {
  const { addDatabase, changeProperties, readProperties } = await withDatabase({ Name: { title: {} } });
  const otherId = await addDatabase({ Title: { title: {} } });
  const relation = { database_id: otherId, dual_property: { synced_property_name: "Links" } };
  await changeProperties({ First: { relation } });
  await changeProperties({ First: null, Second: { relation } });
  expect(await readProperties(otherId)).toMatchObject({
    Links: { relation: { type: "single_property" } },
    "Links 1": { relation: { type: "dual_property" } },
  });
});

test("a request can change both sides of a relation of a database to itself", async () => {
  for (const isRemoved of [false, true]) {
    for (const isReversed of [false, true]) {
      const { databaseId, changeProperties, readProperties } = await withParts();
      const change = isRemoved ? null : { relation: { database_id: databaseId, single_property: {} } };
      const entries = [
        ["Parent", change],
        ["Parts", { name: "Subtasks" }],
      ] as const;
      await changeProperties(Object.fromEntries(isReversed ? entries.toReversed() : entries));
      const properties = await readProperties();
      expect(Object.keys(properties)).toEqual(
        isRemoved ? ["Name", "Subtasks"] : ["Name", "Parent", "Subtasks"],
      );
      expect(properties).toMatchObject({ Subtasks: { relation: { type: "single_property" } } });
      if (!isRemoved) expect(properties).toMatchObject({ Parent: { relation: { type: "single_property" } } });
    }
  }
});

test("a request can rename one side of a relation of a database to itself and make the other side two-way", async () => {
  const { databaseId, changeProperties, readProperties } = await withDatabase({ Name: { title: {} } });
  await changeProperties({ Parent: { relation: { database_id: databaseId, single_property: {} } } });
  const dual_property = { synced_property_name: "Parts" };
  await changeProperties({ Parent: { name: "Whole", relation: { database_id: databaseId, dual_property } } });
  expect(await readProperties()).toMatchObject({
    Whole: { relation: { dual_property: { synced_property_name: "Parts" } } },
    Parts: { relation: { dual_property: { synced_property_name: "Whole" } } },
  });
});

test("a relation that becomes two-way with another database gives its old links no reverse", async () => {
  const { client, addDatabase, changeProperties, addPage } = await withDatabase({ Name: { title: {} } });
  const [oldId, newId] = [
    await addDatabase({ Title: { title: {} } }),
    await addDatabase({ Title: { title: {} } }),
  ];
  await changeProperties({ Target: { relation: { database_id: oldId, single_property: {} } } });
  await addPage({ Target: links(await addPage({}, oldId)) });
  const dual_property = { synced_property_name: "Sources" };
  await changeProperties({ Target: { relation: { database_id: newId, dual_property } } });
  const filter = { property: "Sources", relation: { is_not_empty: true as const } };
  const { body } = await client.queryDatabase({ path: { database_id: newId }, body: { filter } });
  expect(body.results).toEqual([]);
});

test("a change of a two-way relation keeps the last edit of a database in the trash", async () => {
  const { client, addDatabase, changeProperties, readProperties } = await withDatabase({
    Name: { title: {} },
  });
  const otherId = await addDatabase({ Title: { title: {} } });
  const dual_property = { synced_property_name: "Links" };
  await changeProperties({ First: { relation: { database_id: otherId, dual_property } } });
  const path = { database_id: otherId };
  const { body: trashed } = await client.updateDatabase({ path, body: { in_trash: true } });
  await changeProperties({ First: null });
  expect(await readProperties(otherId)).toMatchObject({ Links: { relation: { type: "single_property" } } });
  const { body } = await client.retrieveDatabase({ path });
  expect(body.last_edited_time).toBe(trashed.last_edited_time);
});

test("a change of a two-way relation is an edit of the other database too", async () => {
  const { client, connect, databaseId, addDatabase } = await withDatabase({ Name: { title: {} } });
  const otherId = await addDatabase({ Title: { title: {} } });
  const { client: editor } = await connect({ workspaceName: "Test" });
  const { body: bot } = await editor.retrieveBotUser({});
  const properties = { Link: { relation: { database_id: otherId, dual_property: {} } } };
  await editor.updateDatabase({ path: { database_id: databaseId }, body: { properties } });
  const { body } = await client.retrieveDatabase({ path: { database_id: otherId } });
  expect(body.last_edited_by.id).toBe(bot.id);
});

test("a link that another page adds or removes changes the version of the linked page", async () => {
  const { client, send, addPage, setValues, readValues } = await withParts();
  const whole = await addPage({});
  const part = await addPage({});
  const readTag = async () => (await client.retrievePage({ path: { page_id: whole } })).headers.ETag;
  const clear = (tag: string) =>
    send("PATCH", `/v1/pages/${whole}`, { properties: { Parts: [] } }, { "If-Match": tag });

  const unlinked = await readTag();
  await setValues(part, { Parent: links(whole) });
  expect((await clear(unlinked)).status).toBe(409);
  expect(await readValues(part)).toMatchObject({ Parent: [{ id: whole }] });

  const linked = await readTag();
  await setValues(part, { Parent: links(whole) });
  expect(await readTag()).toBe(linked);
  await setValues(part, { Parent: links() });
  expect((await clear(linked)).status).toBe(409);

  await addPage({ Parent: links(whole) });
  const current = await readTag();
  expect((await clear(current)).status).toBe(200);
});

test("the ETag of an update is current also if the page links to itself", async () => {
  const { client, send, addPage } = await withParts();
  const page = await addPage({});
  const response = await send("PATCH", `/v1/pages/${page}`, { properties: { Parent: links(page) } });
  const { headers } = await client.retrievePage({ path: { page_id: page } });
  expect(headers.ETag).toBe(response.headers.get("ETag"));
});

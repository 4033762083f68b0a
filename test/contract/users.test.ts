import { expect, test } from "vitest";
import { createPerson } from "../../src/access/workspaces/people.js";
import { type Connected, connect, readError, getError, readList } from "../support/contract.js";

/** Adds people to the workspace of the tests and returns their ids. */
async function addPeople({ service }: Connected, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const person = await createPerson(service.store, {
      workspaceName: "Test",
      name: `Person ${number}`,
      email: `person${number}@example.org`,
    });
    ids.push(person.id);
  }
  return ids;
}

test("me is the bot of the key and belongs to the workspace", async () => {
  const { client, connect: another } = await connect();
  const { status, body } = await client.retrieveBotUser({});
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "user",
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: "bot",
    name: "API key",
    avatar_url: null,
    bot: { owner: { type: "workspace", workspace: true }, workspace_name: "Test" },
  });
  const second = await another({ workspaceName: "Test", keyName: "Second" });
  const { body: other } = await second.client.retrieveBotUser({});
  expect(other).toMatchObject({ name: "Second", bot: { workspace_name: "Test" } });
  expect(other.id).not.toBe(body.id);
});

test("a person is retrieved with the e-mail address, by an id with or without dashes", async () => {
  const connected = await connect();
  const [id = ""] = await addPeople(connected, 1);
  for (const user_id of [id, id.replaceAll("-", ""), id.toUpperCase()]) {
    const { body } = await connected.client.retrieveUser({ path: { user_id } });
    expect(body).toEqual({
      object: "user",
      id,
      type: "person",
      name: "Person 1",
      avatar_url: null,
      person: { email: "person1@example.org" },
    });
  }
  await connected.service.store.writeServiceWide((db) =>
    db.updateTable("users").set({ email: null }).where("id", "=", id).execute(),
  );
  const { body: unreachable } = await connected.client.retrieveUser({ path: { user_id: id } });
  expect(unreachable).toEqual({
    object: "user",
    id,
    type: "person",
    name: "Person 1",
    avatar_url: null,
    person: {},
  });
  const { body: me } = await connected.client.retrieveBotUser({});
  const { body: bot } = await connected.client.retrieveUser({ path: { user_id: me.id } });
  expect(bot).toEqual(me);
});

test("the list contains people and bots in order of creation and ends with a null cursor", async () => {
  const connected = await connect();
  const { client } = connected;
  const { body: bot } = await client.retrieveBotUser({});
  const people = await addPeople(connected, 6);
  const all = await client.listUsers({});
  expect(all.body).toMatchObject({
    object: "list",
    type: "user",
    user: {},
    next_cursor: null,
    has_more: false,
    request_id: all.headers["X-Request-Id"],
  });
  expect(all.body.results.map(({ id }) => id)).toEqual([bot.id, ...people]);

  const parts = await readList((from) => client.listUsers({ query: { page_size: 3, ...from } }));
  expect(parts.flatMap(({ results }) => results.map(({ id }) => id))).toEqual([bot.id, ...people]);
});

test("a user who is added while the list is read appears once, and no user twice", async () => {
  const connected = await connect();
  await addPeople(connected, 3);
  const first = await connected.client.listUsers({ query: { page_size: 2 } });
  await createPerson(connected.service.store, {
    workspaceName: "Test",
    name: "Late",
    email: "late@example.org",
  });
  const { body: rest } = await connected.client.listUsers({
    query: { start_cursor: first.body.next_cursor ?? "" },
  });
  const names = [...first.body.results, ...rest.results].map(({ name }) => name);
  expect(names).toEqual(["API key", "Person 1", "Person 2", "Person 3", "Late"]);
});

test.each(["start_cursor=null&page_size=0", "start_cursor=&page_size=", "page_size"])(
  "%s requests the first page of the default size",
  async (query) => {
    const { send } = await connect();
    const response = await send("GET", `/v1/users?${query}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ results: [{ type: "bot" }] });
  },
);

test("users of another workspace are neither listed nor retrieved", async () => {
  const connected = await connect();
  await addPeople(connected, 1);
  const { client } = await connected.connect();
  const { body: me } = await client.retrieveBotUser({});
  const { body: list } = await client.listUsers({});
  expect(list.results.map(({ id }) => id)).toEqual([me.id]);
  const error = await getError(connected.client.retrieveUser({ path: { user_id: me.id } }));
  expect(error).toMatchObject({
    status: 404,
    code: "object_not_found",
    message: `Could not find user with ID: ${me.id}. Make sure that it belongs to the workspace of the API key.`,
  });
});

test.each([
  [
    "/v1/users/somebody",
    'path failed validation: path.user_id should be a valid uuid, instead was `"somebody"`.',
  ],
  [
    "/v1/users?page_size=101",
    "query failed validation: query.page_size should be ≤ `100`, instead was `101`.",
  ],
  [
    "/v1/users?page_size=ten",
    'query failed validation: query.page_size should be an integer, instead was `"ten"`.',
  ],
  ...["next", Buffer.from('["users","not an id"]').toString("base64url")].map((cursor): [string, string] => [
    `/v1/users?start_cursor=${cursor}`,
    `The start_cursor provided is invalid: ${cursor}. Use the next_cursor of the last response of the same list.`,
  ]),
])("GET %s is 400 validation_error", async (path, message) => {
  const { send } = await connect();
  expect(await readError(await send("GET", path))).toMatchObject({
    status: 400,
    code: "validation_error",
    message,
  });
});

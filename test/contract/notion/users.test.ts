import { collectPaginatedAPI, isFullUser, iteratePaginatedAPI } from "@notionhq/client";
import { describe, expect, test } from "vitest";
import { addRow, connectNotion, expectRefusal, UNKNOWN, getRefusal, UUID } from "./setup.js";

describe("users.me", () => {
  test("is the bot of the key", async () => {
    const { client } = await connectNotion();
    const me = await client.users.me({});
    expect(isFullUser(me)).toBe(true);
    expect(me).toMatchObject({ object: "user", type: "bot", avatar_url: null });
    expect(me.id).toMatch(UUID);
    expect(me.type === "bot" && me.bot).toMatchObject({
      owner: { type: "workspace", workspace: true },
      workspace_name: "Test",
    });
    expect(await client.users.retrieve({ user_id: me.id })).toMatchObject({ id: me.id, type: "bot" });
  });

  test("is the author of objects that the key creates", async () => {
    const notion = await connectNotion();
    const me = await notion.client.users.me({});
    const page = await addRow(notion, notion.rootDatabaseId, "");
    expect(page.created_by).toEqual({ object: "user", id: me.id });
    expect(page.last_edited_by).toEqual({ object: "user", id: me.id });
  });

  test("differs for another key", async () => {
    const { client, createKey } = await connectNotion();
    const other = await createKey({ workspaceName: "Test" });
    const me = await client.users.me({});
    const them = await client.users.me({ auth: other.key } as never);
    expect(them.type).toBe("bot");
    expect(them.id).not.toBe(me.id);
  });
});

describe("users.retrieve", () => {
  test("returns a person with the e-mail address", async () => {
    const { client, addPerson } = await connectNotion();
    const id = await addPerson("Ada", "ada@example.com");
    const user = await client.users.retrieve({ user_id: id });
    expect(user).toMatchObject({
      object: "user",
      id,
      type: "person",
      name: "Ada",
      avatar_url: null,
      person: { email: "ada@example.com" },
    });
    const undashed = await client.users.retrieve({ user_id: id.replaceAll("-", "") });
    expect(undashed.id).toBe(id);
  });

  test("gets 404 for an unknown id and 400 for an invalid one", async () => {
    const { client } = await connectNotion();
    await expectRefusal(
      client.users.retrieve({ user_id: UNKNOWN }),
      "object_not_found",
      `Could not find user with ID: ${UNKNOWN}`,
    );
    await expectRefusal(
      client.users.retrieve({ user_id: "ada" }),
      "validation_error",
      /^path failed validation: path\.user_id should be a valid uuid, instead was `"ada"`\./,
    );
  });
});

describe("users.list", () => {
  test("returns members and bots in pages", async () => {
    const { client, addPerson } = await connectNotion();
    const ids = [(await client.users.me({})).id];
    for (let index = 0; index < 6; index += 1) ids.push(await addPerson(`Person ${index}`));
    const whole = await client.users.list({});
    expect(whole).toMatchObject({
      object: "list",
      type: "user",
      user: {},
      has_more: false,
      next_cursor: null,
    });
    expect(whole.results.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(whole.results.every(isFullUser)).toBe(true);

    const first = await client.users.list({ page_size: 3 });
    expect(first.results).toHaveLength(3);
    expect(first.has_more).toBe(true);
    const second = await client.users.list({ page_size: 3, start_cursor: first.next_cursor ?? "" });
    const third = await client.users.list({ page_size: 3, start_cursor: second.next_cursor ?? "" });
    expect(third).toMatchObject({ has_more: false, next_cursor: null });
    expect([first, second, third].flatMap(({ results }) => results)).toEqual(whole.results);

    expect(await collectPaginatedAPI(client.users.list, { page_size: 2 })).toEqual(whole.results);
    const seen: string[] = [];
    for await (const user of iteratePaginatedAPI(client.users.list, { page_size: 1 })) seen.push(user.id);
    expect(seen).toEqual(whole.results.map(({ id }) => id));
  });

  test("excludes users of other workspaces", async () => {
    const { client, addPerson, stranger } = await connectNotion();
    const id = await addPerson("Ada");
    const other = await stranger();
    const { results } = await other.client.users.list({});
    expect(results.map((user) => user.id)).not.toContain(id);
    await expectRefusal(other.client.users.retrieve({ user_id: id }), "object_not_found");
    expect((await client.users.list({})).results.map((user) => user.id)).toContain(id);
  });

  test("refuses too large pages, sizes that are not numbers and invalid cursors", async () => {
    const { client, call } = await connectNotion();
    await expectRefusal(client.users.list({ page_size: 101 }), "validation_error", "≤ `100`");
    const word = await getRefusal(call("get", "users?page_size=many"));
    expect(word.message).toMatch(
      /^query failed validation: query\.page_size should be (a number|an integer), instead was `"many"`/,
    );
    await expectRefusal(
      client.users.list({ start_cursor: "!nonsense!" }),
      "validation_error",
      "The start_cursor provided is invalid: !nonsense!",
    );
  });
});

import { expect, test } from "vitest";
import { append, paragraph } from "../support/blocks.js";
import { addPage, connect, readError, getError, UUID, text, readList } from "../support/contract.js";

test("a comment on a page starts a discussion, others continue it, and the list is oldest first", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [block] = await append(client, page, [paragraph("a")]);
  const first = await client.createComment({
    body: { parent: { type: "page_id", page_id: page.replaceAll("-", "") }, rich_text: text("1") },
  });
  expect(first.body).toEqual({
    object: "comment",
    id: expect.stringMatching(UUID),
    parent: { type: "page_id", page_id: page },
    discussion_id: expect.stringMatching(UUID),
    created_time: expect.any(String),
    last_edited_time: first.body.created_time,
    created_by: { object: "user", id: expect.stringMatching(UUID) },
    rich_text: [expect.objectContaining({ plain_text: "1" })],
  });
  const { discussion_id } = first.body;
  const withoutDashes = discussion_id.replaceAll("-", "");
  const second = await client.createComment({
    body: { discussion_id: withoutDashes, rich_text: text("2") },
  });
  expect(second.body).toMatchObject({ discussion_id, parent: first.body.parent });
  const mention = [{ mention: { page: { id: page } } }];
  const third = await client.createComment({ body: { parent: { page_id: page }, rich_text: mention } });
  expect(third.body.discussion_id).not.toBe(discussion_id);
  expect(third.body.rich_text).toMatchObject([{ plain_text: "Page" }]);

  const listed = await client.listComments({ query: { block_id: page } });
  expect(listed.body).toEqual({
    object: "list",
    results: [first.body, second.body, third.body],
    next_cursor: null,
    has_more: false,
    type: "comment",
    comment: {},
    request_id: expect.stringMatching(UUID),
  });
  // Lists only comments on this block itself.
  expect((await client.listComments({ query: { block_id: block?.id ?? "" } })).body.results).toEqual([]);
});

test("pages of the list contain each comment once while others are created, and belong to one page", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const add = async (content: string) =>
    client.createComment({ body: { parent: { page_id: page }, rich_text: text(content) } });
  for (let index = 0; index < 25; index++) await add(String(index));
  let count = 0;
  const parts = await readList(async (from) => {
    count += 1;
    if (count === 2) await add("25");
    return client.listComments({ query: { block_id: page, page_size: 10, ...from } });
  });
  const seen = parts.flatMap(({ results }) => results.map((comment) => comment.rich_text[0]?.plain_text));
  expect(seen).toEqual(Array.from({ length: 26 }, (_, index) => String(index)));

  const query = {
    block_id: await addPage({ client, rootDatabaseId }),
    start_cursor: parts[0]?.next_cursor ?? "",
  };
  expect(await getError(client.listComments({ query }))).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^The start_cursor provided is invalid/),
  });
});

test("refuses invalid comments and lists", async () => {
  const { client, rootDatabaseId, send } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [block] = await append(client, page, [paragraph("a")]);
  const { body } = await client.createComment({ body: { parent: { page_id: page }, rich_text: text("1") } });
  const { discussion_id } = body;
  const unknown = crypto.randomUUID();
  const rich_text = text("2");
  const refusals: [body: object, status: number, message: string][] = [
    [{ rich_text }, 400, "body failed validation: body.parent should be defined, instead was `undefined`."],
    [
      { rich_text, parent: { page_id: page }, discussion_id },
      400,
      `body failed validation: body.discussion_id should be not present, instead was \`"${discussion_id}"\`.`,
    ],
    [
      { parent: { page_id: page } },
      400,
      "body failed validation: body.rich_text should be defined, instead was `undefined`.",
    ],
    [
      { parent: { page_id: page }, rich_text: text("x".repeat(2001)) },
      400,
      "body.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.",
    ],
    [{ rich_text, parent: { page_id: unknown } }, 404, `Could not find page with ID: ${unknown}.`],
    [{ rich_text, parent: { page_id: block?.id } }, 404, `Could not find page with ID: ${block?.id}.`],
    [{ rich_text, parent: { page_id: rootDatabaseId } }, 400, "is a database, not a page"],
    [{ rich_text, discussion_id: unknown }, 404, `Could not find discussion with ID: ${unknown}.`],
  ];
  for (const [request, status, message] of refusals) {
    const error = await readError(await send("POST", "/v1/comments", request));
    expect(error).toMatchObject({ status, code: status === 404 ? "object_not_found" : "validation_error" });
    expect(error.message).toContain(message);
  }
  const missing = await getError(client.listComments({ query: { block_id: unknown } }));
  expect(missing).toMatchObject({
    status: 404,
    message: expect.stringContaining(`block with ID: ${unknown}`),
  });
  for (const [query, message] of [
    [
      `?block_id=${page}&start_cursor=abc`,
      "The start_cursor provided is invalid: abc. Use the next_cursor of the last response of the same list.",
    ],
    ["", "query failed validation: query.block_id should be defined, instead was `undefined`."],
    ["?block_id=x", 'query failed validation: query.block_id should be a valid uuid, instead was `"x"`.'],
    [
      `?block_id=${page}&page_size=101`,
      "query failed validation: query.page_size should be ≤ `100`, instead was `101`.",
    ],
  ]) {
    const error = await readError(await send("GET", `/v1/comments${query}`));
    expect(error).toMatchObject({ status: 400, message });
  }
});

import { collectPaginatedAPI, isFullComment, iteratePaginatedAPI } from "@notionhq/client";
import { expect, test } from "vitest";
import { addTopPage, connectNotion, expectRefusal, UNKNOWN, plainText, text, TIME, UUID } from "./setup.js";

test("a comment on a page starts a discussion, which accepts replies", async () => {
  const notion = await connectNotion();
  const { client } = notion;
  const page_id = await addTopPage(notion);
  const me = (await client.users.me({})).id;
  const first = await client.comments.create({ parent: { page_id }, rich_text: text("First") });
  if (!isFullComment(first)) throw new Error("The comment is not a full comment.");
  expect(first).toMatchObject({
    object: "comment",
    parent: { type: "page_id", page_id },
    rich_text: plainText("First"),
    created_by: { object: "user", id: me },
  });
  expect(first.id).toMatch(UUID);
  expect(first.discussion_id).toMatch(UUID);
  expect(first.created_time).toMatch(TIME);
  expect(first.last_edited_time).toBe(first.created_time);
  const { discussion_id } = first;
  const reply = await client.comments.create({ discussion_id, rich_text: text("Answer") });
  expect(reply).toMatchObject({ discussion_id, parent: { type: "page_id", page_id } });
  const other = await client.comments.create({ parent: { page_id }, rich_text: text("Other") });
  expect(other).not.toMatchObject({ discussion_id });
  const list = await client.comments.list({ block_id: page_id });
  expect(list).toMatchObject({
    object: "list",
    type: "comment",
    comment: {},
    has_more: false,
    next_cursor: null,
  });
  expect(list.results.every(isFullComment)).toBe(true);
  expect(list.results.map((comment) => comment.rich_text[0]?.plain_text)).toEqual([
    "First",
    "Answer",
    "Other",
  ]);
});

test("lists the comments of a page in pages, oldest first", async () => {
  const notion = await connectNotion();
  const { client } = notion;
  const page_id = await addTopPage(notion);
  const child = await client.pages.create({ parent: { page_id }, properties: {} });
  await client.comments.create({ parent: { page_id: child.id }, rich_text: text("below") });
  for (let index = 0; index < 9; index += 1) {
    await client.comments.create({ parent: { page_id }, rich_text: text(`${index}`) });
  }
  const texts = (list: { rich_text: { plain_text: string }[] }[]): string =>
    list.map(({ rich_text }) => rich_text[0]?.plain_text).join("");
  expect(texts((await client.comments.list({ block_id: page_id })).results)).toBe("012345678");
  for (const page_size of [1, 4, 9]) {
    const all = await collectPaginatedAPI(client.comments.list, { block_id: page_id, page_size });
    expect(texts(all)).toBe("012345678");
  }
  let count = 0;
  for await (const _ of iteratePaginatedAPI(client.comments.list, { block_id: page_id, page_size: 2 }))
    count += 1;
  expect(count).toBe(9);
  const block = await client.blocks.children.append({ block_id: page_id, children: [{ divider: {} }] });
  expect((await client.comments.list({ block_id: block.results[0]?.id ?? "" })).results).toEqual([]);
});

test("comments have formatted text and mentions", async () => {
  const notion = await connectNotion();
  const page_id = await addTopPage(notion);
  const person = await notion.addPerson("Ada");
  const comment = await notion.client.comments.create({
    parent: { page_id },
    rich_text: [
      { text: { content: "bold" }, annotations: { bold: true } },
      { mention: { user: { id: person } } },
    ],
  });
  expect(comment).toMatchObject({
    rich_text: [{ annotations: { bold: true } }, { type: "mention", plain_text: "@Ada" }],
  });
});

test("refuses invalid comments", async () => {
  const notion = await connectNotion();
  const page_id = await addTopPage(notion);
  const post = (body: object) => notion.call("post", "comments", body);
  await expectRefusal(post({ parent: { page_id } }), "validation_error", "body.rich_text should be defined");
  await expectRefusal(post({ rich_text: text("x") }), "validation_error");
  await expectRefusal(
    post({ parent: { page_id }, discussion_id: UNKNOWN, rich_text: text("x") }),
    "validation_error",
  );
  await expectRefusal(post({ parent: { page_id: UNKNOWN }, rich_text: text("x") }), "object_not_found");
  await expectRefusal(post({ discussion_id: UNKNOWN, rich_text: text("x") }), "object_not_found");
  await expectRefusal(
    post({ parent: { page_id }, rich_text: text("x".repeat(2001)) }),
    "validation_error",
    "≤ `2000`",
  );
  await expectRefusal(notion.call("get", "comments"), "validation_error", "query.block_id should be defined");
  await expectRefusal(notion.client.comments.list({ block_id: UNKNOWN }), "object_not_found");
  await expectRefusal(
    notion.client.comments.list({ block_id: "x" }),
    "validation_error",
    "query.block_id should be a valid uuid",
  );
  await expectRefusal(
    notion.client.comments.list({ block_id: page_id, page_size: 101 }),
    "validation_error",
    "≤ `100`",
  );
  await expectRefusal(
    notion.client.comments.list({ block_id: page_id, start_cursor: "?" }),
    "validation_error",
    "start_cursor",
  );
});

import { expect, test } from "vitest";
import { paragraph } from "../support/blocks.js";
import { addPage, connect, readError, getError, text, title, UNKNOWN } from "../support/contract.js";

test("a page in a page or in the workspace has only a title", async () => {
  const { client, send } = await connect();
  const inWorkspace = await client.createPage({
    body: { parent: { type: "workspace", workspace: true }, properties: { title: title("Top") } },
  });
  expect(inWorkspace.body).toMatchObject({ parent: { type: "workspace", workspace: true } });
  const { body: page } = await client.createPage({
    body: { parent: { page_id: inWorkspace.body.id }, properties: { title: text("In") } },
  });
  expect(page.parent).toEqual({ type: "page_id", page_id: inWorkspace.body.id });
  expect(page.properties).toEqual({
    title: { id: "title", type: "title", title: [expect.objectContaining({ plain_text: "In" })] },
  });
  const path = { page_id: page.id };
  expect((await client.retrievePage({ path })).body).toEqual(page);
  const { body: changed } = await client.updatePage({ path, body: { properties: { title: title("New") } } });
  expect(changed.properties).toMatchObject({ title: { title: [{ plain_text: "New" }] } });
  const refused = await send("PATCH", `/v1/pages/${page.id}`, { properties: { Name: title("x") } });
  expect((await readError(refused)).message).toBe("Name is not a property that exists.");
});

test("a new page is the last child of its parent and contains the blocks of the request", async () => {
  const connected = await connect();
  const { client } = connected;
  const parent = await addPage(connected);
  const children = [paragraph("one"), { toggle: { rich_text: [], children: [paragraph("in it")] } }];
  const { body: page } = await client.createPage({
    body: { parent: { page_id: parent }, properties: { title: title("Child") }, children },
  });
  const listBlocks = async (block_id: string) =>
    (await client.listBlockChildren({ path: { block_id } })).body.results;
  expect(await listBlocks(parent)).toMatchObject([
    { id: page.id, type: "child_page", child_page: { title: "Child" }, has_children: true },
  ]);
  const [first, second] = await listBlocks(page.id);
  expect(first).toMatchObject({ type: "paragraph", paragraph: { rich_text: [{ plain_text: "one" }] } });
  expect(second).toMatchObject({ type: "toggle", has_children: true });

  const byOtherName = await client.createPage({
    body: { parent: { page_id: parent }, properties: {}, content: [paragraph("text")] },
  });
  expect(await listBlocks(byOtherName.body.id)).toMatchObject([{ type: "paragraph" }]);
  const both = { parent: { page_id: parent }, properties: {}, children, content: children };
  expect(await getError(client.createPage({ body: both }))).toMatchObject({ status: 400 });
  expect((await listBlocks(parent)).map((child) => child.id)).toEqual([page.id, byOtherName.body.id]);
});

test("a new page is refused if its parent is unknown, of another type or in the trash", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const page = await addPage(connected);
  const create = (parent: Parameters<typeof client.createPage>[0]["body"]["parent"]) =>
    getError(client.createPage({ body: { parent, properties: {} } }));
  expect(await create({ page_id: UNKNOWN })).toMatchObject({ status: 404, code: "object_not_found" });
  expect(await create({ database_id: UNKNOWN })).toMatchObject({ status: 404, code: "object_not_found" });
  expect(await create({ page_id: rootDatabaseId })).toMatchObject({ status: 400 });
  expect(await create({ database_id: page })).toMatchObject({ status: 400 });
  expect(await create({ database_id: rootDatabaseId, page_id: page })).toMatchObject({ status: 400 });
  expect(await create({})).toMatchObject({ status: 400 });
  await client.updatePage({ path: { page_id: page }, body: { in_trash: true } });
  expect(await create({ page_id: page })).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^Can't edit block that is archived/),
  });
});

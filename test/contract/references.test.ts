import { sql, type SqlBool } from "kysely";
import { expect, test } from "vitest";
import { deletePermanently } from "../../src/operations/delete-permanently.js";
import { append } from "../support/blocks.js";
import { addPage, connect, getError, text } from "../support/contract.js";
import { runUseCaseWithJobs } from "../support/scope.js";

test("links to pages, databases and comments are checked without reading their content", async () => {
  const { client, service, workspaceId, rootDatabaseId } = await connect();
  const target = await addPage({ client, rootDatabaseId });
  const { body: targets } = await client.createDatabase({
    body: { parent: { page_id: target }, properties: { Title: { title: {} } } },
  });
  const linked = await addPage({ client, rootDatabaseId: targets.id });
  const { body: comment } = await client.createComment({
    body: { parent: { page_id: target }, rich_text: text("Text") },
  });
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: target },
      properties: {
        Title: { title: {} },
        Pages: { relation: { database_id: targets.id, type: "single_property", single_property: {} } },
      },
    },
  });
  // Cannot be parsed, so that a request that reads it fails.
  await service.store.write(workspaceId, async ({ db: tx }) => {
    const isTarget = (id: string) => sql<SqlBool>`workspace_id = ${workspaceId} and id = ${id}`;
    await tx.updateTable("pages").set({ properties: "?" }).where(isTarget(linked)).execute();
    await tx.updateTable("databases").set({ title: "?" }).where(isTarget(targets.id)).execute();
    await tx.updateTable("comments").set({ rich_text: "?" }).where(isTarget(comment.id)).execute();
  });

  const { body: page } = await client.createPage({
    body: {
      parent: { database_id: database.id },
      properties: { Pages: { relation: [{ id: linked }] } },
      children: [
        { link_to_page: { type: "page_id", page_id: linked } },
        { link_to_page: { type: "database_id", database_id: targets.id } },
        { link_to_page: { type: "comment_id", comment_id: comment.id } },
      ],
    },
  });
  expect(page).toMatchObject({ properties: { Pages: { relation: [{ id: linked }] } } });
});

test("links in nested blocks must lead to objects of the workspace", async () => {
  const connected = await connect();
  const page = await addPage(connected);
  const foreign = await addPage(await connected.connect());
  for (const link_to_page of [{ page_id: foreign }, { database_id: foreign }, { comment_id: foreign }]) {
    const nested = { toggle: { rich_text: [], children: [{ link_to_page }] } };
    expect(await getError(append(connected.client, page, [nested]))).toMatchObject({
      status: 404,
      message: expect.stringContaining(foreign),
    });
  }
});

test("mentions of deleted objects do not prevent other changes of a block or database", async () => {
  const { client, send, service, workspaceId, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const mentioned = await addPage({ client, rootDatabaseId });
  const mention = [{ mention: { page: { id: mentioned } } }];
  const [todo] = await append(client, page, [{ to_do: { rich_text: mention } }]);
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: page },
      title: mention,
      description: mention,
      properties: { Title: { title: {} } },
    },
  });
  await client.updatePage({ path: { page_id: mentioned }, body: { in_trash: true } });
  const { store } = service;
  await runUseCaseWithJobs(store, workspaceId, (scope) =>
    deletePermanently(scope, mentioned, { type: "account", id: null, name: "Ada" }),
  );
  const change = (path: string, body: object) => send("PATCH", path, body);

  const block = `/v1/blocks/${todo?.id}`;
  expect(await (await change(block, { to_do: { checked: true } })).json()).toMatchObject({
    to_do: { checked: true, rich_text: [{ mention: { page: { id: mentioned } } }] },
  });
  expect((await change(block, { to_do: { rich_text: mention } })).status).toBe(404);
  for (const body of [
    { is_inline: true },
    { title: text("New") },
    { properties: { Number: { number: {} } } },
  ]) {
    expect((await change(`/v1/databases/${database.id}`, body)).status).toBe(200);
  }
  for (const body of [{ title: mention }, { description: mention }]) {
    expect((await change(`/v1/databases/${database.id}`, body)).status).toBe(404);
  }
});

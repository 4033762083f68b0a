import { expect, test } from "vitest";
import { STORAGE_LIMIT_BYTES } from "../../src/domain/plans.js";
import { otherText, paragraph } from "../support/blocks.js";
import { addPage, connect, getError, text, title } from "../support/contract.js";

test("a workspace over its storage limit can read, delete and restore, but not add or change content", async () => {
  const workspaceName = "Full";
  const { connect: another, service } = await connect();
  const { client, workspaceId, rootDatabaseId } = await another({ workspaceName, plan: "free" });
  const pageId = await addPage({ client, rootDatabaseId });
  const children = { path: { block_id: pageId }, body: { children: [paragraph("Text")] } };
  const { body: blocks } = await client.appendBlockChildren(children);
  const blockId = blocks.results[0]?.id ?? "";
  const retried = {
    headers: { "Idempotency-Key": "before" },
    body: { parent: { page_id: pageId }, properties: { title: title("Once") } },
  };
  const { body: created } = await client.createPage(retried);
  await service.store.write(workspaceId, ({ db: tx }) =>
    tx
      .updateTable("workspaces")
      .set({ counted_bytes: STORAGE_LIMIT_BYTES.free + 100_000_000 })
      .where("id", "=", workspaceId)
      .execute(),
  );
  // Another key, because the limit of a key is cached for a second.
  const { client: full } = await another({ workspaceName, plan: "free" });

  const page = { path: { page_id: pageId } };
  const database = { path: { database_id: rootDatabaseId } };
  const refused = [
    () => full.createPage({ body: { parent: { page_id: pageId }, properties: { title: title("New") } } }),
    () => full.updatePage({ ...page, body: { properties: { Points: { number: 3 } } } }),
    () => full.updatePage({ ...page, body: { in_trash: true, icon: { type: "emoji", emoji: "🌊" } } }),
    () => full.appendBlockChildren(children),
    ...[blockId, blockId.replaceAll("-", "")].map(
      (block_id) => () => full.updateBlock({ path: { block_id }, body: otherText("Text ...") }),
    ),
    () =>
      full.createComment({
        body: { parent: { page_id: pageId }, rich_text: text("Comment") },
      }),
    () => full.createDatabase({ body: { parent: { page_id: pageId }, properties: { Name: { title: {} } } } }),
    () => full.updateDatabase({ ...database, body: { properties: { Notes: null, Tags: { select: {} } } } }),
  ];
  for (const call of refused) {
    const { status, code, message } = await getError(call());
    expect([status, code]).toEqual([403, "restricted_resource"]);
    expect(message).toBe(
      "The workspace uses 1.1 GB of the 1 GB of storage of the plan free. " +
        "Move pages to the trash and delete them permanently at http://localhost:3000/trash, replace contents of pages and " +
        "blocks with smaller ones, remove properties, or ask the operator of the service to change the plan.",
    );
  }

  expect((await full.retrievePage(page)).body.id).toBe(pageId);
  await full.updateBlock({ path: { block_id: blockId }, body: otherText("T") });
  await full.updateBlock({ path: { block_id: blockId }, body: otherText("t") });
  await full.updatePage({ ...page, body: { properties: { Title: title("P") } } });
  await full.updateDatabase({ ...database, body: { properties: { Notes: null } } });
  await full.deleteBlock({ path: { block_id: blockId } });
  await full.updatePage({ ...page, body: { in_trash: true } });
  await full.updatePage({ ...page, body: { archived: false } });
  await full.updateDatabase({ ...database, body: { archived: true } });
  await full.updateDatabase({ ...database, body: { in_trash: false } });
  // The first key knows the limit by now as well, and gets the response of its earlier write.
  await expect.poll(() => isRefused(() => addPage({ client, rootDatabaseId }))).toBe(true);
  const { body: replayed } = await client.createPage(retried);
  expect(replayed.id).toBe(created.id);

  await service.createKey({ workspaceName, plan: "pro" });
  await expect.poll(() => isRefused(() => addPage({ client: full, rootDatabaseId }))).toBe(false);
});

test("values that are replaced between two counts do not use up the storage limit", async () => {
  const { connect: another, service } = await connect();
  const setBytes = (workspaceId: string, counted: number, written: number) =>
    service.store.write(workspaceId, ({ db: tx }) =>
      tx
        .updateTable("workspaces")
        .set({ counted_bytes: counted, written_bytes: written, counted_time: Date.now() })
        .where("id", "=", workspaceId)
        .execute(),
    );
  const limit = STORAGE_LIMIT_BYTES.free;
  for (const [counted, written, refused] of [
    [0.9 * limit, 0.3 * limit, false],
    [0.9 * limit, 0.5 * limit, true],
    [limit, 0, false],
    [limit + 1, 0, true],
  ] as const) {
    const { client, workspaceId, rootDatabaseId } = await another({
      workspaceName: `${counted} ${written}`,
      plan: "free",
    });
    await setBytes(workspaceId, counted, written);
    expect(await isRefused(() => addPage({ client, rootDatabaseId }))).toBe(refused);
  }
});

async function isRefused(call: () => Promise<unknown>): Promise<boolean> {
  return call().then(
    () => false,
    () => true,
  );
}

test("a write counts at once, before it is recorded in the database", async () => {
  const { connect: another, service } = await connect();
  const { client, workspaceId, rootDatabaseId } = await another({ plan: "free" });
  await addPage({ client, rootDatabaseId });
  service.store.writtenBytes.add(workspaceId, 1.25 * STORAGE_LIMIT_BYTES.free);
  expect((await getError(addPage({ client, rootDatabaseId }))).status).toBe(403);
});

import type { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createBlocks } from "../../../src/domain/blocks/block.js";
import { parseRichTextRun, type RichText } from "../../../src/domain/rich-text.js";
import { deleteBlock } from "../../../src/operations/delete-block.js";
import { emptyTrash } from "../../../src/operations/empty-trash.js";
import { listBlockChildren } from "../../../src/operations/list-block-children.js";
import { Scopes } from "../../../src/operations/execution/scope.js";
import { updatePage } from "../../../src/operations/update-page.js";
import { insertBlocks } from "../../../src/storage/blocks/blocks.js";
import { getConnection } from "../../../src/storage/engine/dialect.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { emptyPage, plainRun } from "../../support/objects.js";
import { createPrincipal, readScope, runUseCase, URLS } from "../../support/scope.js";
import { reusableStores } from "../../support/stores.js";
import { countTurns } from "../../support/turns.js";
import { addDatabase, addNestedBlocks, EDIT } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const COUNT = 8;

test.each(reusableStores)(
  "large blocks are converted in several turns of the event loop, in %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const page = emptyPage(databaseId);
    const content = { rich_text: [plainRun("é".repeat(100_000))], color: "default" };
    const trees = Array.from(
      { length: COUNT },
      () => ({ type: "paragraph", content, children: [] }) as const,
    );
    const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
    await store.write(workspaceId, async (scope) => {
      await insertPage(scope, page);
      await insertBlocks(scope, page.id, blocks, undefined);
    });
    const scope = readScope(store, workspaceId);
    const turns = countTurns();
    onTestFinished(turns.end);
    const start = turns.current;
    const all = await listBlockChildren(scope, page.id, { size: 100 });
    expect(turns.current - start).toBeGreaterThanOrEqual(COUNT - 1);
    expect(all.results.toJSON()).toMatchObject(
      blocks.map(({ block }) => ({ id: block.id, paragraph: content })),
    );
    expect(all.nextCursor).toBeNull();
    const next = await listBlockChildren(scope, page.id, { size: 2, cursor: blocks[1]?.block.id });
    expect(next.nextCursor).toBe(blocks[3]?.block.id);
    const longer = await listBlockChildren(scope, page.id, { size: 3, cursor: blocks[1]?.block.id });
    expect(longer.nextCursor).toBe(blocks[4]?.block.id);
  },
);

test("a list that is read while its block moves to the trash does not outlive the block in the cache", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 2);
  const [blockId = ""] = blockIds;
  const connection = getConnection(store.read);
  if (connection === undefined) throw new Error("The store has no connection.");
  const { executeQuery } = connection;
  let isFirst = true;
  connection.executeQuery = async <Row>(query: CompiledQuery) => {
    const result = await executeQuery.call(connection, query);
    if (isFirst && query.sql.includes('from "blocks"')) {
      isFirst = false;
      await runUseCase(store, workspaceId, (scope) => deleteBlock(scope, blockId));
    }
    // Safe cast: the result of the same query.
    return result as Awaited<ReturnType<typeof executeQuery<Row>>>;
  };
  const scopes = new Scopes(store, URLS);
  const list = () =>
    listBlockChildren(scopes.createReadScope(createPrincipal(workspaceId)), blockId, { size: 100 });
  await list();
  const actor = { type: "account", id: null, name: "Ada" } as const;
  await runUseCase(store, workspaceId, (scope) => emptyTrash(scope, actor));
  await expect(list()).rejects.toMatchObject({ kind: "not_found" });
});

test("a list shows the current title of a mentioned page, also if other blocks follow in other turns", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  const mentioned = emptyPage(databaseId);
  const createTree = (run: RichText) =>
    ({ type: "paragraph", content: { rich_text: [run], color: "default" }, children: [] }) as const;
  const mention = parseRichTextRun({ mention: { page: { id: mentioned.id } } });
  const others = Array.from({ length: COUNT }, () => createTree(plainRun("é".repeat(100_000))));
  const trees = [createTree(mention), ...others];
  const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    for (const each of [page, mentioned]) await insertPage(scope, each);
    await insertBlocks(scope, page.id, blocks, undefined);
  });
  const scopes = new Scopes(store, URLS);
  const readStart = async (): Promise<string> => {
    const scope = scopes.createReadScope(createPrincipal(workspaceId));
    const { results } = await listBlockChildren(scope, page.id, { size: 100 });
    return results.bytes.toString().slice(0, 1000);
  };
  await readStart();
  const body = { properties: { title: [plainRun("Current title")] } };
  await runUseCase(store, workspaceId, (scope) => updatePage(scope, mentioned.id, body));
  expect(await readStart()).toContain("Current title");
});

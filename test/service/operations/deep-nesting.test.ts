import { expect, test } from "vitest";
import { MAX_MOVES_PER_WORKSPACE } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { startTrashMove } from "../../../src/operations/jobs/trash-move.js";
import { Scopes } from "../../../src/operations/execution/scope.js";
import { findBlock } from "../../../src/storage/blocks/blocks.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { insertJob } from "../../../src/storage/jobs.js";
import { createPrincipal, URLS } from "../../support/scope.js";
import { addDatabase, addNestedBlocks } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

/** Moves a block to the trash. The error has the reason of a refusal. */
async function moveToTrash(store: Store, workspaceId: string, id: string): Promise<void> {
  await store.write(workspaceId, async ({ db: tx }) => {
    const scope = new Scopes(store, URLS).createWriteScope(createPrincipal(workspaceId), tx, {
      conversionJob: undefined,
      jobs: [],
    });
    const block = await findBlock(scope, id);
    if (block !== undefined) await startTrashMove(scope, { id, kind: "block", parent: block.parent }, true);
  });
}

test("during another move, an object in more than 1,000 levels is not moved", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 1100);
  const [deep = "", shallow = ""] = [blockIds[1050], blockIds[950]];
  const { blockIds: others } = await addNestedBlocks(store, workspaceId, databaseId, 1);
  await store.write(workspaceId, (scope) => insertJob(scope, { kind: "restore", objectId: others[0] ?? "" }));

  await expect(moveToTrash(store, workspaceId, deep)).rejects.toMatchObject({ kind: "conflict" });
  await moveToTrash(store, workspaceId, shallow);
  expect((await findBlock({ db: store.read, workspaceId }, shallow))?.inTrash).toBe(true);
});

test("a workspace with MAX_MOVES_PER_WORKSPACE moves in progress begins no further one", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 1);
  const [blockId = ""] = blockIds;
  const addMove = (): Promise<unknown> =>
    store.write(workspaceId, (scope) => insertJob(scope, { kind: "restore", objectId: newId() }));
  for (let count = 0; count < MAX_MOVES_PER_WORKSPACE; count += 1) await addMove();
  await expect(moveToTrash(store, workspaceId, blockId)).rejects.toMatchObject({ kind: "conflict" });
  expect((await findBlock({ db: store.read, workspaceId }, blockId))?.inTrash).toBe(false);
});

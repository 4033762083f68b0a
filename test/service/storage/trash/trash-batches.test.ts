import { expect, test } from "vitest";
import { MAX_WAITING_GROUPS } from "../../../../src/budgets.js";
import { createBlocks } from "../../../../src/domain/blocks/block.js";
import { newId } from "../../../../src/domain/ids.js";
import { createPageObject } from "../../../../src/domain/page.js";
import type { Parent } from "../../../../src/domain/stored-object.js";
import { appendToPage, insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { moveContents, moveRoot } from "../../../../src/storage/trash/trash.js";
import type { ObjectRef } from "../../../../src/storage/objects/objects.js";
import type { ObjectGroup } from "../../../../src/storage/trash/walk-trees.js";
import { explain } from "../../../support/explain.js";
import { emptyDatabase, emptyPage, plainRun } from "../../../support/objects.js";
import { Random, takeSeed } from "../../../support/random.js";
import { sharedStores } from "../../../support/stores.js";
import { addDatabase, addNestedBlocks, EDIT } from "../fixtures.js";
import { openTestStore } from "../open.js";

const NODES = 150;
const MOVES = 25;
interface Node {
  readonly id: string;
  readonly kind: ObjectRef["kind"];
  /** The page of blocks in this node. */
  readonly pageId: string;
  readonly parent: Node | undefined;
  trashRoot: string | null;
}

/** Adds a page, database or block to a node. */
async function addNode(store: Store, workspaceId: string, parent: Node, random: Random): Promise<Node> {
  const kind =
    parent.kind === "database"
      ? "page"
      : parent.kind === "block"
        ? "block"
        : random.pick(["block", "block", "page", "database"] as const);
  return store.write(workspaceId, async (scope) => {
    if (kind === "block") {
      const type = parent.kind === "page" ? "page_id" : "block_id";
      const tree = { type: "divider" as const, content: {}, children: [] };
      const blocks = createBlocks([tree], { type, id: parent.id }, parent.pageId, EDIT);
      await insertBlocks(scope, parent.id, blocks, undefined);
      const id = blocks[0]?.block.id ?? "";
      return { id, kind, pageId: parent.pageId, parent, trashRoot: null };
    }
    const place: Parent = { type: parent.kind === "database" ? "database_id" : "page_id", id: parent.id };
    const object = kind === "page" ? createPageObject(place, {}, {}, EDIT) : emptyDatabase({ parent: place });
    if ("properties" in object) await insertPage(scope, object);
    else await insertDatabase(scope, object);
    if (parent.kind === "page") {
      await appendToPage(scope, parent.id, object, kind === "page" ? "child_page" : "child_database");
    }
    return { id: object.id, kind, pageId: object.id, parent, trashRoot: null };
  });
}

/** Whether a node is `root` or below it. */
function isWithin(node: Node | undefined, root: Node): boolean {
  return node !== undefined && (node === root || isWithin(node.parent, root));
}

test.each(sharedStores)(
  "random moves of trees to the trash and back in %s move all descendants, in the smallest batches and after restarts",
  async (_, newLocation) => {
    const random = new Random(takeSeed());
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const top: Node = {
      id: databaseId,
      kind: "database",
      pageId: databaseId,
      parent: undefined,
      trashRoot: null,
    };
    const nodes: Node[] = [top];
    while (nodes.length < NODES) nodes.push(await addNode(store, workspaceId, random.pick(nodes), random));

    const move = async (root: Node, toTrash: boolean): Promise<void> => {
      const { kind } = root;
      const tree = { rootId: root.id, toTrash };
      const start: ObjectGroup[] = [[{ id: root.id, kind }]];
      await store.write(workspaceId, (scope) => moveRoot(scope, tree, kind, EDIT));
      let rest: readonly ObjectGroup[] = start;
      let restarts = 2;
      while (rest.length > 0) {
        const groups = rest;
        rest = await store.write(workspaceId, async (scope) => {
          const limit = { count: random.integer(1, 4), bytes: random.integer(1, 10_000) };
          return (await moveContents(scope, tree, groups, limit)).remainingGroups;
        });
        // Simulates a crash.
        if (restarts > 0 && random.chance(0.1)) {
          rest = start;
          restarts -= 1;
        }
      }
      for (const node of nodes) {
        if (!isWithin(node, root)) continue;
        if (toTrash) node.trashRoot ??= root.id;
        else if (node.trashRoot === root.id) node.trashRoot = null;
      }
    };
    const check = async (): Promise<void> => {
      for (const table of ["pages", "databases", "blocks"] as const) {
        const rows = await store.read.selectFrom(table).select(["id", "in_trash", "trash_root"]).execute();
        for (const row of rows) {
          const trashRoot = nodes.find(({ id }) => id === row.id)?.trashRoot ?? null;
          expect(row).toEqual({ id: row.id, in_trash: trashRoot === null ? 0 : 1, trash_root: trashRoot });
        }
      }
    };
    for (let count = 0; count < MOVES; count += 1) {
      const roots = nodes.filter(({ id, trashRoot }) => id === trashRoot);
      const node = random.pick(roots.length > 0 && random.chance(0.5) ? roots : nodes);
      if (node.trashRoot === null) await move(node, true);
      else if (node.trashRoot === node.id && (node.parent?.trashRoot ?? null) === null)
        await move(node, false);
      await check();
    }
  },
);

test("a batch ends before its objects exceed the limit of bytes, but moves at least one", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const properties = { title: [plainRun("x".repeat(20_000))] };
  await store.write(workspaceId, async (scope) => {
    for (let count = 0; count < 10; count += 1) {
      await insertPage(scope, emptyPage(databaseId, { properties }));
    }
  });
  const tree = { rootId: databaseId, toTrash: true };
  const countMoved = async (groups: readonly ObjectGroup[], bytes: number) => {
    const { remainingGroups } = await store.write(workspaceId, (scope) =>
      moveContents(scope, tree, groups, { count: 300, bytes }),
    );
    const moved = await store.read.selectFrom("pages").select("id").where("in_trash", "=", 1).execute();
    return { remainingGroups, count: moved.length };
  };
  const first = await countMoved([[{ id: databaseId, kind: "database" }]], 200_000);
  // A page has 20,000 characters in its text, its plain text, its title and its folded title.
  expect(first.count).toBe(2);
  const second = await countMoved(first.remainingGroups, 1);
  expect(second.count).toBe(3);
  expect((await countMoved(second.remainingGroups, 10_000_000)).count).toBe(10);
});

test("with many groups left, a level adds one of its objects to them", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { pageId } = await addNestedBlocks(store, workspaceId, databaseId, 1);
  const toggles = Array.from({ length: 50 }, () => ({ type: "toggle" as const, content: {}, children: [] }));
  const blocks = createBlocks(toggles, { type: "page_id", id: pageId }, pageId, EDIT);
  await store.write(workspaceId, (scope) => insertBlocks(scope, pageId, blocks, undefined));
  const others = Array.from({ length: MAX_WAITING_GROUPS }, (): ObjectGroup => [
    { id: newId(), kind: "page" },
  ]);
  const groups: ObjectGroup[] = [...others, [{ id: pageId, kind: "page" }]];
  const tree = { rootId: pageId, toTrash: true };
  const { remainingGroups } = await store.write(workspaceId, (scope) =>
    moveContents(scope, tree, groups, { count: 10, bytes: 1_000_000 }),
  );
  // The page has 51 blocks. Each is read and moved before the next one.
  const moved = await store.read.selectFrom("blocks").select("id").where("in_trash", "=", 1).execute();
  expect(moved).toHaveLength(10);
  expect(remainingGroups.length).toBeLessThanOrEqual(MAX_WAITING_GROUPS + 2);
  expect(remainingGroups.slice(MAX_WAITING_GROUPS).flat().length).toBeLessThanOrEqual(2);
});

test("a restoration reads contents from the indexes of the trash", async () => {
  const { read } = await openTestStore();
  const move = { rootId: "root", toTrash: false };
  for (const [kind, table] of [
    ["page", "blocks"],
    ["database", "pages"],
  ] as const) {
    const plan = await explain(read, (db) =>
      moveContents({ db, workspaceId: "w" }, move, [[{ id: "root", kind }]], { count: 1, bytes: 1 }),
    );
    expect(plan).toContain(`INDEX ${table}_in_trash (workspace_id=? AND parent_id=? AND trash_root=?)`);
  }
});

import { expect, test } from "vitest";
import { createBlocks } from "../../../../src/domain/blocks/block.js";
import { createPageObject } from "../../../../src/domain/page.js";
import { insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { recordStatements } from "../../../support/statements.js";
import { stores } from "../../../support/stores.js";
import { addDatabase, EDIT } from "../fixtures.js";
import { openTestStore } from "../open.js";

const CHILDREN = 1500;
const GAP = 700;

const sizes = [
  { size: "small", bytes: 0, limit: 1000 },
  { size: "large", bytes: 20_000, limit: 50 },
];

test.each(stores.flatMap(([name, newLocation]) => sizes.map((size) => ({ name, newLocation, ...size }))))(
  "replaces long positions of $size blocks only around their gap, in the same order and with few statements, on $name",
  async ({ newLocation, bytes, limit }) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const page = createPageObject({ type: "workspace" }, {}, {}, EDIT);
    const blocks = (count: number) => {
      const trees = Array.from({ length: count }, () => ({
        type: "divider" as const,
        content: { text: "x".repeat(bytes) },
        children: [],
      }));
      return createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
    };
    const insert = (count: number, after?: string) =>
      store.write(workspaceId, (scope) => insertBlocks(scope, page.id, blocks(count), after));
    const readPositions = () =>
      store.read
        .selectFrom("blocks")
        .select(["id", "position"])
        .where("workspace_id", "=", workspaceId)
        .orderBy("position")
        .execute();
    await store.write(workspaceId, (scope) => insertPage(scope, page));
    await insert(CHILDREN);
    const [left] = (await readPositions()).slice(GAP);
    // Thousands of insertions into the same gap create such a position.
    const long = `${left?.position}${"0".repeat(99)}`;
    await insert(1, left?.id);
    const [inserted] = (await readPositions()).slice(GAP + 1);
    await store.write(workspaceId, ({ db: tx }) =>
      tx
        .updateTable("blocks")
        .set({ position: `${long}1` })
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", inserted?.id ?? "")
        .execute(),
    );
    const before = await readPositions();

    const count = await store.write(workspaceId, async ({ db: tx }) => {
      const { db, statements } = recordStatements(tx);
      await insertBlocks({ db, workspaceId }, page.id, blocks(2), left?.id);
      return statements.length;
    });
    expect(count).toBeLessThan(12);
    const after = await readPositions();
    const positionsBefore = new Map(before.map(({ id, position }) => [id, position]));
    const old = after.filter(({ id }) => positionsBefore.has(id));
    expect(old.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.findIndex(({ id }) => !positionsBefore.has(id))).toBe(GAP + 1);
    expect(Math.max(...after.map(({ position }) => position.length))).toBeLessThan(20);
    const changed = old.filter(({ id, position }) => positionsBefore.get(id) !== position);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThanOrEqual(limit);
    expect(after.slice(-200)).toEqual(before.slice(-200));
  },
);

import { describe, expect, test } from "vitest";
import { createBlocks } from "../../../src/domain/blocks/block.js";
import { readObjectBytes, readRowBytes } from "../../../src/storage/row-sizes.js";
import { findChildrenOfParents, insertBlocks } from "../../../src/storage/blocks/blocks.js";
import { readDatabaseBytes, updateDatabase } from "../../../src/storage/databases/databases.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { readLinkBytes, readLinkedBytes, readPageBytes } from "../../../src/storage/pages/page-bytes.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { insertPropertyRows } from "../../../src/storage/pages/property-values.js";
import { TABLE_METADATA } from "../../../src/storage/tables.js";
import { explain } from "../../support/explain.js";
import { emptyDatabase, emptyPage, plainRun } from "../../support/objects.js";
import { testUnless } from "../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES, stores } from "../../support/stores.js";
import { addDatabase, schema } from "./fixtures.js";
import { openTestStore } from "./open.js";

async function sumRowBytes(store: Store, workspaceId: string): Promise<number> {
  let sum = 0;
  for await (const bytes of readRowBytes({ db: store.read, workspaceId })) sum += bytes;
  return sum;
}

/** Adds a workspace in which every text is `text`, and reads all sizes. */
async function readSizes(store: Store, text: string) {
  const { workspaceId, databaseId } = await addDatabase(store);
  const title = [plainRun(text)];
  const page = emptyPage(databaseId, { properties: { title } });
  const content = { rich_text: title, color: "default" };
  const edit = { author: databaseId, time: 1 };
  const parent = { type: "page_id", id: page.id } as const;
  const blocks = createBlocks([{ type: "paragraph", content, children: [] }], parent, page.id, edit);
  const link = { workspace_id: workspaceId, page_id: page.id, database_id: databaseId, property_id: "link" };
  await store.write(workspaceId, async (scope) => {
    await updateDatabase(scope, emptyDatabase({ id: databaseId, schema, title }));
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
    await insertPropertyRows(scope.db, [
      { ...link, ordinal: 0, text_key: page.id, number_key: null, end_key: null },
    ]);
  });
  const { read } = store;
  return {
    database: (await readDatabaseBytes({ db: read, workspaceId }, [databaseId])).get(databaseId),
    page: (await readPageBytes({ db: read, workspaceId }, [page.id]))[0]?.bytes,
    linkedPages: (await readLinkedBytes({ db: read, workspaceId }, [page.id], ["link"]))[0]?.pageBytes,
    blocks: (await findChildrenOfParents({ db: read, workspaceId }, [page.id], { count: 1, bytes: 1e6 }))
      .bytes,
    rows: await sumRowBytes(store, workspaceId),
    object: await readObjectBytes({ db: read, workspaceId }, page.id),
  };
}

describe.each(stores)("in %s", (_, newLocation) => {
  test("sizes are in bytes of UTF-8, not in characters", async () => {
    const store = await openTestStore(await newLocation());
    expect(await readSizes(store, "é".repeat(1000))).toEqual(await readSizes(store, "xx".repeat(1000)));
  });
});

test("only values of the given relations count as links; if these are unknown, all values but numbers do", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  const { id } = page;
  const keys = [
    ["link", 0, id],
    ["link", 1, id],
    ["text", 0, "text"],
    ["number", 0, null],
  ] as const;
  const rows = keys.map(([property_id, ordinal, text_key]) => ({
    workspace_id: workspaceId,
    page_id: id,
    database_id: databaseId,
    property_id,
    ordinal,
    text_key,
    number_key: text_key === null ? 1 : null,
    end_key: null,
  }));
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertPropertyRows(scope.db, rows);
  });
  const readBytes = async (relationIds?: readonly string[]) =>
    (await readLinkBytes({ db: store.read, workspaceId }, [id], relationIds)).get(id);
  expect([await readBytes(["link"]), await readBytes([]), await readBytes()]).toEqual([400, undefined, 600]);
  const linked = await readLinkedBytes({ db: store.read, workspaceId }, [id], ["link"]);
  expect(linked).toMatchObject([{ pageBytes: 2 * "{}".length, linkBytes: 400 }]);
});

/** Columns with ids, hashes and names of kinds, whose length is limited. */
const SHORT_TEXTS = /^(?:.*_)?(?:id|by|type|root|hash)$|^(?:access|action|last_four|position|prefix)$/;

test("the size of a row has the lengths of all its texts", async () => {
  const store = await openTestStore(":memory:");
  const tables = await store.read.introspection.getTables();
  for (const [table, { rowSize }] of Object.entries(TABLE_METADATA)) {
    if (rowSize === null) continue;
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const texts = columns.filter(({ name, dataType }) => dataType === "TEXT" && !SHORT_TEXTS.test(name));
    expect([...new Set(rowSize.texts)].toSorted(), table).toEqual(texts.map(({ name }) => name).toSorted());
  }
});

testUnless(NO_POSTGRES)(
  "linked pages are found one by one, because without statistics a join would compare all pages of the workspace",
  async () => {
    const store = await openTestStore(await newPostgresDatabase());
    const plan = await explain(store.read, (db) =>
      readLinkedBytes({ db, workspaceId: "workspace" }, ["page"], ["link"]),
    );
    expect(plan).toContain("SubPlan");
  },
);

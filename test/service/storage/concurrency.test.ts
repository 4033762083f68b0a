import { expect, test } from "vitest";
import { changePage, type Page } from "../../../src/domain/page.js";
import { applyProperties } from "../../../src/domain/properties/apply.js";
import { createSchema } from "../../../src/domain/schema.js";
import { newId } from "../../../src/domain/ids.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { insertPage, updatePage } from "../../../src/storage/pages/pages.js";
import { findPage } from "../../support/pages.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../support/objects.js";
import { sharedStores } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

const CLIENTS = 50;
const UPDATES = 20;

/** Adds a page whose database has one number property for each client: "Client 0", "Client 1", ... */
async function addPage(store: Store): Promise<{ workspaceId: string; page: Page }> {
  const { workspaceId } = await addDatabase(store);
  const databaseId = newId();
  const page = emptyPage(databaseId);
  const definitions = Array.from({ length: CLIENTS }, (_, client) =>
    plainProperty(`p${client}`, `Client ${client}`, "number"),
  );
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, emptyDatabase({ id: databaseId, schema: createSchema(definitions) }));
    await insertPage(scope, page);
  });
  return { workspaceId, page };
}

/** Adds one to the client's property, as a PATCH does: read, apply, write, in one job. */
async function increment(store: Store, workspaceId: string, pageId: string, client: number): Promise<void> {
  await store.write(workspaceId, async (scope) => {
    const found = await findPage(scope, pageId);
    if (found === undefined) throw new Error("The page is missing.");
    const before = found.page.properties[`p${client}`] ?? 0;
    const change = { [`Client ${client}`]: Number(before) + 1 };
    const { stored } = applyProperties(found.schema, found.page.properties, change);
    await updatePage(scope, changePage(found.page, {}, stored, { author: pageId, time: Date.now() }));
  });
}

async function runClients(stores: readonly Store[]): Promise<void> {
  const [first] = stores;
  if (first === undefined) throw new Error("No store.");
  const { workspaceId, page } = await addPage(first);
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const store = stores[client % stores.length] ?? first;
      for (let update = 0; update < UPDATES; update += 1) {
        await increment(store, workspaceId, page.id, client);
      }
    }),
  );
  const found = await findPage({ db: first.read, workspaceId }, page.id);
  expect(Object.values(found?.page.properties ?? {})).toEqual(Array.from({ length: CLIENTS }, () => UPDATES));
}

test.each(sharedStores)(
  "updates through two stores on one database are all kept: %s",
  async (_, newLocation) => {
    const location = await newLocation();
    await runClients([await openTestStore(location), await openTestStore(location)]);
  },
);

test.each(sharedStores)(
  "a job of one process does not run between the reads and writes of another process's job: %s",
  async (_, newLocation) => {
    const location = await newLocation();
    const first = await openTestStore(location);
    const stores = [first, await openTestStore(location)];
    const { workspaceId, databaseId } = await addDatabase(first);
    const page = emptyPage(databaseId);
    await first.write(workspaceId, (scope) => insertPage(scope, page));
    await Promise.all(
      stores.map((store) =>
        store.write(workspaceId, async (scope) => {
          const found = await findPage(scope, page.id);
          // Gives the other process time between the read and the write.
          await new Promise((resolve) => setTimeout(resolve, 50));
          const points = Number(found?.page.properties["pnts"] ?? 0) + 1;
          await updatePage(scope, { ...page, properties: { pnts: points } });
        }),
      ),
    );
    expect((await findPage({ db: first.read, workspaceId }, page.id))?.page.properties).toEqual({ pnts: 2 });
  },
);

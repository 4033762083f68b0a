import { describe, expect, test } from "vitest";
import { MAX_KEY_LENGTH } from "../../../../src/domain/properties/index-rows.js";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { deleteTrees } from "../../../../src/storage/trash/delete-trees.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import {
  deletePropertyValues,
  insertPropertyValues,
  replacePropertyValues,
} from "../../../../src/storage/pages/property-values.js";
import { readObjectBytes } from "../../../../src/storage/row-sizes.js";
import { emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

const { definitions } = createSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("text", "Text", "rich_text"),
  plainProperty("file", "File", "files"),
]);

/** A text that is longer than its key. */
function long(letter: string): string {
  return letter.repeat(MAX_KEY_LENGTH + 1);
}

function createValues(title: string, fileNames: readonly string[] = []): StoredProperties {
  const external = { url: "https://example.com/" };
  const file = fileNames.map((name) => ({ name, type: "external" as const, external }));
  return { title: [plainRun(title)], text: [plainRun(long("t"))], file };
}

/** Adds a page with values, and returns functions that change and read them. */
async function addPage(store: Store, initial: StoredProperties) {
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  let current = initial;
  const index = (properties: StoredProperties) => ({ id: page.id, databaseId, properties });
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertPropertyValues(scope, [index(initial)], definitions);
  });
  return {
    workspaceId,
    page,
    replace: async (properties: StoredProperties): Promise<void> => {
      const changed = definitions.filter(({ id }) => properties[id] !== current[id]);
      await store.write(workspaceId, (scope) =>
        replacePropertyValues(scope, index(properties), changed, current),
      );
      current = properties;
    },
    read: async (): Promise<string[]> => {
      const rows = store.read.selectFrom("long_texts").selectAll().orderBy("property_id").orderBy("ordinal");
      return (await rows.execute()).map((row) => `${row.property_id} ${row.ordinal} ${row.text.charAt(0)}`);
    },
  };
}

describe.each(reusableStores)("long texts in %s", (_, newLocation) => {
  test("are replaced with their values", async () => {
    const store = await openTestStore(await newLocation());
    const { replace, read } = await addPage(store, createValues("short"));
    expect(await read()).toEqual(["text 0 t"]);
    await replace(createValues(long("a"), [long("b"), long("c"), long("d")]));
    expect(await read()).toEqual(["file 0 b", "file 1 c", "file 2 d", "text 0 t", "title 0 a"]);
    await replace(createValues(long("e"), [long("f"), "short", long("g")]));
    expect(await read()).toEqual(["file 0 f", "file 2 g", "text 0 t", "title 0 e"]);
    await replace(createValues("short", [long("h")]));
    expect(await read()).toEqual(["file 0 h", "text 0 t"]);
    await replace(createValues("short"));
    expect(await read()).toEqual(["text 0 t"]);
  });

  test("are deleted with their values and their page", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, page, read } = await addPage(store, createValues(long("a"), [long("b")]));
    const before = await readObjectBytes({ db: store.read, workspaceId }, page.id);
    await store.write(workspaceId, (scope) => deletePropertyValues(scope, [page.id], ["title"]));
    expect(await read()).toEqual(["file 0 b", "text 0 t"]);
    const after = await readObjectBytes({ db: store.read, workspaceId }, page.id);
    expect(before - after).toBeGreaterThan(long("a").length);
    await store.write(workspaceId, (scope) => deleteTrees(scope, [[{ id: page.id, kind: "page" }]]));
    expect(await read()).toEqual([]);
  });
});

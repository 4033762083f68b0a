import { describe, expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { createSchema } from "../../../../src/domain/schema.js";
import {
  findDatabase,
  findDatabaseIdsAfter,
  findFirstDatabaseId,
  findSchemas,
  insertDatabase,
  raiseLastUniqueNumber,
  readDatabaseBytes,
  updateSchema,
} from "../../../../src/storage/databases/databases.js";
import { explain } from "../../../support/explain.js";
import { emptyDatabase, plainProperty, plainRun } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase, schema } from "../fixtures.js";
import { openTestStore } from "../open.js";

test("databases are listed from an index without those in the trash, of which a workspace can have very many", async () => {
  const store = await openTestStore();
  const plan = await explain(store.read, (db) =>
    findDatabaseIdsAfter({ db, workspaceId: "a workspace" }, "an id", 100),
  );
  expect(plan).toContain("USING COVERING INDEX databases_shown (workspace_id=? AND id>?)");
  expect(plan).not.toContain("USE TEMP B-TREE");
});

describe.each(reusableStores)("in %s", (_, newLocation) => {
  test("a change of the schema does not decrease the time of the last edit", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const readTime = async () =>
      (await findDatabase({ db: store.read, workspaceId }, databaseId))?.lastEditedTime;
    const before = (await readTime()) ?? 0;
    for (const time of [before + 2, before + 1]) {
      const edit = { author: databaseId, time };
      await store.write(workspaceId, (scope) => updateSchema(scope, databaseId, schema, edit));
    }
    expect(await readTime()).toBe(before + 2);
  });

  test("the first database of a workspace is the oldest one outside of the trash", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const [later, earlier] = [emptyDatabase({ createdTime: 2 }), emptyDatabase({ createdTime: 1 })];
    await store.write(workspaceId, async (scope) => {
      for (const database of [later, earlier]) await insertDatabase(scope, database);
    });
    const findFirst = () => findFirstDatabaseId({ db: store.read, workspaceId });
    expect(await findFirst()).toBe(databaseId);
    await store.write(workspaceId, ({ db }) =>
      db.updateTable("databases").set({ in_trash: 1 }).where("id", "=", databaseId).execute(),
    );
    expect(await findFirst()).toBe(earlier.id);
  });

  test("the last unique number of a database never falls", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    for (const highest of [2, 1]) {
      await store.write(workspaceId, (scope) => raiseLastUniqueNumber(scope, databaseId, highest));
    }
    const database = await findDatabase({ db: store.read, workspaceId }, databaseId);
    expect(database?.lastUniqueNumber).toBe(2);
  });

  test("the bytes of a database include its properties, title and description", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const long = "x".repeat(10_000);
    const databases = [
      {},
      { schema: createSchema([plainProperty("title", long, "title")]) },
      { title: [plainRun(long)] },
      { description: [plainRun(long)] },
    ].map(emptyDatabase);
    await store.write(workspaceId, async (scope) => {
      for (const database of databases) await insertDatabase(scope, database);
    });
    const ids = databases.map(({ id }) => id);
    const bytes = await readDatabaseBytes({ db: store.read, workspaceId }, ids);
    const [least = NaN, ...others] = ids.map((id) => bytes.get(id) ?? 0);
    expect(others.filter((each) => each - least < 9000)).toEqual([]);
  });

  test("many large schemas are read in parts, between which other requests have a turn", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const names = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(10_000, "x"));
    const large = createSchema([
      plainProperty("title", "Title", "title"),
      ...names.map((name, index) => plainProperty(`p${index}`, name, "number")),
    ]);
    const ids = Array.from({ length: 6 }, () => newId());
    await store.write(workspaceId, async (scope) => {
      for (const id of ids) await insertDatabase(scope, emptyDatabase({ id, schema: large }));
    });
    let pauses = 0;
    const waitForTurn = async (): Promise<void> => void (pauses += 1);
    const { schemas } = await findSchemas({ db: store.read, workspaceId, waitForTurn }, ids);
    expect([...schemas.keys()].toSorted()).toEqual(ids.toSorted());
    expect(pauses).toBe(5);
  });
});

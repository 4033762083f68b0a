import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { LockTimeoutError, StorageUnavailableError } from "../../../src/errors.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { findPage } from "../../support/pages.js";
import { SqliteConnection } from "../../../src/storage/engine/sqlite.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import type { Db } from "../../../src/storage/tables.js";
import { emptyPage } from "../../support/objects.js";
import { addDatabase } from "./fixtures.js";
import { testUnless } from "../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES, reusableStores } from "../../support/stores.js";
import { openTestStore, createTemporaryPath } from "./open.js";

describe.each(reusableStores)("in %s", (kind, newLocation) => {
  test("a failing job is rolled back alone, and its caller gets the error", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const pages = [emptyPage(databaseId), emptyPage(databaseId), emptyPage(databaseId)];
    const mistake = new Error("a mistake of the job");
    const results = await Promise.allSettled(
      pages.map((page, index) =>
        store.write(workspaceId, async (scope) => {
          await insertPage(scope, page);
          if (index === 1) throw mistake;
          return index;
        }),
      ),
    );
    expect(results).toEqual([
      { status: "fulfilled", value: 0 },
      { status: "rejected", reason: mistake },
      { status: "fulfilled", value: 2 },
    ]);
    const found = await Promise.all(pages.map((page) => findPage({ db: store.read, workspaceId }, page.id)));
    expect(found.map((entry) => entry?.page)).toEqual([pages[0], undefined, pages[2]]);
  });

  test("a read never sees uncommitted rows", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const page = emptyPage(databaseId);
    const seen: boolean[] = [];
    let read: Promise<void> | undefined;
    await store.write(workspaceId, async (scope) => {
      await insertPage(scope, page);
      read = findPage({ db: store.read, workspaceId }, page.id).then(
        (found) => void seen.push(found !== undefined),
      );
      // In memory the read waits for the job; on other reusableStores the job can wait for the read.
      if (kind === "memory") await new Promise((resolve) => setTimeout(resolve, 20));
      else await read;
      expect(seen).toEqual(kind === "memory" ? [] : [false]);
    });
    await read;
    expect(seen).toEqual([kind === "memory"]);
    expect(await findPage({ db: store.read, workspaceId }, page.id)).toBeDefined();
  });

  test("a query after the end of its job is refused", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const [first, second] = [emptyPage(databaseId), emptyPage(databaseId)];
    let late: Promise<void> | undefined;
    await Promise.all([
      store.write(workspaceId, async (scope) => {
        late = new Promise((resolve) => setImmediate(resolve)).then(() => insertPage(scope, first));
        late.catch(() => {});
      }),
      store.write(workspaceId, async (scope) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await insertPage(scope, second);
      }),
    ]);
    await expect(late).rejects.toThrow(/transaction of this query is over/);
    expect(await findPage({ db: store.read, workspaceId }, first.id)).toBeUndefined();
  });

  test("read connections cannot write or open transactions", async () => {
    const store = await openTestStore(await newLocation());
    await addDatabase(store);
    await expect(store.read.deleteFrom("databases").execute()).rejects.toThrow(/store\.write/);
    await expect(sql`delete from databases`.execute(store.read)).rejects.toThrow(/store\.write/);
    const scan = sql`delete from databases`.execute(store.openScan("w"));
    await expect(scan).rejects.toThrow(/read-only|syntax error/);
    await expect(store.read.transaction().execute(async () => {})).rejects.toThrow(/store\.write/);
    await expect(store.writeServiceWide((tx) => tx.transaction().execute(async () => {}))).rejects.toThrow(
      /store\.write/,
    );
  });

  test("closing finishes accepted jobs and refuses later ones", async () => {
    const location = await newLocation();
    const store = await openStore(location);
    const { workspaceId, databaseId } = await addDatabase(store);
    const pages = Array.from({ length: 300 }, () => emptyPage(databaseId));
    const writes = pages.map((page) => store.write(workspaceId, (scope) => insertPage(scope, page)));
    const closing = store.close();
    await expect(store.writeServiceWide(async () => {})).rejects.toThrow(StorageUnavailableError);
    await Promise.all([closing, ...writes]);
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError);
    await store.close();
    if (kind === "memory") return;
    if (kind === "a file") expect(statSync(`${location}-wal`).size).toBe(0);
    const reopened = await openTestStore(location);
    for (const page of pages)
      expect(await findPage({ db: reopened.read, workspaceId }, page.id)).toBeDefined();
  });

  test("a job that ignores a failed query fails; other jobs of its group are committed", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const pages = [emptyPage(databaseId), emptyPage(databaseId), emptyPage(databaseId)];
    const results = await Promise.allSettled(
      pages.map((page, index) =>
        store.write(workspaceId, async (scope) => {
          await insertPage(scope, page);
          // Inserting the page again violates the primary key.
          if (index > 0) await insertPage(scope, page).catch(() => {});
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    const found = await Promise.all(pages.map((page) => findPage({ db: store.read, workspaceId }, page.id)));
    expect(found.map((entry) => entry?.page)).toEqual([pages[0], undefined, undefined]);
  });

  test("concurrent queries of one job run one after another", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const pages = Array.from({ length: 20 }, () => emptyPage(databaseId));
    await store.write(workspaceId, (scope) => Promise.all(pages.map((page) => insertPage(scope, page))));
    for (const page of pages) expect(await findPage({ db: store.read, workspaceId }, page.id)).toBeDefined();
  });

  test("whole numbers and sums are read as numbers", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const createdTime = 2 ** 53 - 1;
    await store.writeServiceWide((tx) =>
      tx.updateTable("workspaces").set({ created_time: createdTime }).execute(),
    );
    const row = await store.read
      .selectFrom("workspaces")
      .select(({ fn }) => ["created_time", fn.countAll().as("count"), fn.sum("created_time").as("sum")])
      .where("id", "=", workspaceId)
      .groupBy("created_time")
      .executeTakeFirst();
    expect(row).toEqual({ created_time: createdTime, count: 1, sum: createdTime });
  });

  test("text is compared by bytes, not by locale", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    // Order by UTF-8: capitals before small letters, "é" after "z", U+FF5E before an emoji.
    const names = ["B", "a", "z", "é", "～", "🙂"];
    await store.write(workspaceId, async ({ db: tx }) => {
      for (const name of names.toReversed()) {
        const row = { workspace_id: workspaceId, id: newId(), type: "person" as const, name };
        await tx
          .insertInto("users")
          .values({ ...row, email: null, avatar_url: null, created_time: 0 })
          .execute();
      }
    });
    const sorted = await store.read.selectFrom("users").select("name").orderBy("name").execute();
    expect(sorted.map(({ name }) => name)).toEqual(names);
  });

  test("values that libsql would mishandle are refused", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const page = emptyPage(databaseId);
    await expect(findPage({ db: store.read, workspaceId }, "a\0b")).rejects.toThrow(TypeError);
    for (const inTrash of [true, NaN]) {
      // Raw SQL, because the column's type forbids a boolean.
      const setInTrash = (tx: Db) =>
        sql`update pages set in_trash = ${inTrash} where id = ${page.id}`.execute(tx);
      await expect(store.writeServiceWide(setInTrash)).rejects.toThrow(TypeError);
    }
  });
});

test("a SELECT that failed succeeds with other parameters", async () => {
  const { read } = await openTestStore();
  const query = (json: string, limit: number) =>
    read
      .selectFrom(sql<{ value: string }>`json_each(${json})`.as("each"))
      .select("each.value")
      .limit(limit)
      .execute();
  for (const limit of [1, 2]) {
    await expect(query("[", limit)).rejects.toThrow("malformed JSON");
    expect(await query('["text"]', limit)).toEqual([{ value: "text" }]);
  }
});

test("waiting jobs share one commit", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const { workspaceId, databaseId } = await addDatabase(store);
  const observer = new SqliteConnection(file);
  const commits = () => JSON.stringify(observer.pragma("data_version"));
  const versions = new Set([commits()]);
  await Promise.all(
    Array.from({ length: 600 }, async () => {
      await store.write(workspaceId, (scope) => insertPage(scope, emptyPage(databaseId)));
      versions.add(commits());
    }),
  );
  observer.close();
  // At least three commits, because groups contain at most 256 of the 600 jobs. Groups also have a time limit, on a busy machine.
  expect(versions.size).toBeGreaterThanOrEqual(4);
  expect(versions.size).toBeLessThan(30);
});

test("the settings for durability are active", async () => {
  const file = createTemporaryPath();
  await openTestStore(file);
  const connection = new SqliteConnection(file);
  expect(connection.pragma("journal_mode")).toEqual([{ journal_mode: "wal" }]);
  expect(connection.pragma("synchronous")).toEqual([{ synchronous: 2 }]);
  expect(connection.pragma("foreign_keys")).toEqual([{ foreign_keys: 1 }]);
  connection.close();
});

test("a missing folder is created, readable only by its owner", async () => {
  const file = path.join(path.dirname(createTemporaryPath()), "new", "folder", "test.db");
  const store = await openTestStore(file);
  await addDatabase(store);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600);
});

test("an invalid database file or path is refused with its name", async () => {
  const file = createTemporaryPath();
  writeFileSync(file, "This is not a database. ".repeat(100));
  await expect(openStore(file)).rejects.toThrow(StorageUnavailableError);
  await expect(openStore(file)).rejects.toThrow(
    `database file ${file}: file is not a database. Restore a backup into another DATA_DIR`,
  );
  const folder = `${file}.d`;
  mkdirSync(folder);
  await expect(openStore(folder)).rejects.toThrow(folder);
});

test("the error for a damaged database names the remedy", async () => {
  const file = createTemporaryPath();
  await (await openStore(file)).close();
  // Except for the first page, which has the header.
  writeFileSync(file, readFileSync(file).fill(0xff, 4096));
  await expect(openStore(file)).rejects.toThrow(
    `database file ${file}: database disk image is malformed. Restore a backup into another DATA_DIR`,
  );
});

test("a long lock of another process is a conflict; a short one is awaited", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const { workspaceId, databaseId } = await addDatabase(store);
  const other = new SqliteConnection(file);
  other.exec("BEGIN IMMEDIATE");

  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 10);
  const page = emptyPage(databaseId);
  await expect(store.write(workspaceId, (scope) => insertPage(scope, page))).rejects.toThrow(
    LockTimeoutError,
  );
  clearInterval(ticking);
  // The event loop continued while the write waited for five seconds. There are 500 ticks on an idle machine.
  expect(ticks).toBeGreaterThan(20);
  expect(await findPage({ db: store.read, workspaceId }, page.id)).toBeUndefined();

  setTimeout(() => other.exec("COMMIT"), 100);
  await store.write(workspaceId, (scope) => insertPage(scope, page));
  expect(await findPage({ db: store.read, workspaceId }, page.id)).toBeDefined();
  other.close();
});

test("on a full disk every job fails and none is partly written", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const { workspaceId, databaseId } = await addDatabase(store);
  // Simulates a full disk: in both cases SQLite returns SQLITE_FULL and rolls back the transaction.
  const limitTo = (pages: number) =>
    store.writeServiceWide(async (tx) => {
      const { rows } = await tx.executeQuery<{ max_page_count: number }>(
        sql`pragma max_page_count = ${sql.raw(String(pages))}`.compile(tx),
      );
      return rows[0]?.max_page_count;
    });
  await limitTo(1);
  const text = "x".repeat(20_000);
  const pages = Array.from({ length: 20 }, () => emptyPage(databaseId));
  const results = await Promise.allSettled(
    pages.map((page, index) =>
      store.writeServiceWide(async (tx) => {
        const insert = tx
          .insertInto("pages")
          .values({
            workspace_id: workspaceId,
            version: 0,
            id: page.id,
            parent_type: "database_id",
            parent_id: databaseId,
            trash_root: null,
            plain_title: "",
            title_text: "",
            created_time: 0,
            last_edited_time: 0,
            created_by: index === 10 ? text : "",
            last_edited_by: "",
            icon: null,
            cover: null,
            in_trash: 0,
            properties: "{}",
          })
          .execute();
        // A job that catches the error must fail too.
        await insert.catch(() => {});
      }),
    ),
  );
  await limitTo(1_000_000);
  const rejected = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(rejected.length).toBeGreaterThanOrEqual(11);
  for (const reason of rejected) expect(reason).toBeInstanceOf(StorageUnavailableError);
  for (const [index, result] of results.entries()) {
    const found = await findPage({ db: store.read, workspaceId }, pages[index]?.id ?? newId());
    expect(found !== undefined).toBe(result.status === "fulfilled");
  }
  await store.write(workspaceId, (scope) => insertPage(scope, emptyPage(databaseId)));
});

testUnless(NO_POSTGRES)("many readiness checks at once succeed", async () => {
  const store = await openTestStore(await newPostgresDatabase());
  await Promise.all(Array.from({ length: 30_000 }, () => store.ping()));
});

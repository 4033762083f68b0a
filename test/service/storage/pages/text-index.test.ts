import { describe, expect, test } from "vitest";
import type { Database } from "../../../../src/domain/database.js";
import { parseRichTextRun } from "../../../../src/domain/rich-text.js";
import { getFoldedText } from "../../../../src/domain/properties/index-rows.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { runJob } from "../../../../src/operations/jobs/run-job.js";
import { queryPages } from "../../../../src/operations/load/query-pages.js";
import type { ReadScope } from "../../../../src/operations/execution/scope.js";
import { startWorkspaceDeletion } from "../../../../src/access/workspaces/workspaces.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { isPostgres } from "../../../../src/storage/engine/dialect.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { runStatement, sql } from "../../../../src/storage/query/sql.js";
import { searchTitles } from "../../../../src/storage/query/search.js";
import {
  deletePageTexts,
  indexPageTexts,
  selectPagesWithText,
} from "../../../../src/storage/pages/text-index.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../../support/objects.js";
import { expectCpuRatioBelow } from "../../../support/cpu-time.js";
import { readScope } from "../../../support/scope.js";
import { query } from "../../../support/postgres.js";
import { testUnless } from "../../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES, openSecondConnection, stores } from "../../../support/stores.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";
import { foldText } from "../../../../src/domain/text.js";

const schema = createSchema([plainProperty("title", "Title", "title"), plainProperty("link", "Link", "url")]);

/** A text with more distinct trigrams than the index stores per text. */
const LONG = Array.from({ length: 3000 }, (_, index) => index.toString(36)).join("-");

const TEXTS = [
  "",
  "a",
  "ab",
  "abc",
  "ABCD",
  "xabcx",
  "100%",
  "100 %",
  "under_score",
  "underscore",
  `it's "quoted"`,
  "back\\slash",
  "Straße",
  "Élan vital",
  "e\u0301lan",
  "🙂🙃🙂",
  "🙂🙃",
  "👩‍👩‍👧",
  "日本語の文",
  "AND OR NOT NEAR(a b)",
  "line\nbreak",
  `${LONG} the end`,
];

const PATTERNS = [
  ["a", "%", "_", '"', "'", "🙂", "é", "本"],
  ["ab", "0%", "_s", "ß", "🙂🙃", "él", "\\s"],
  [
    "abc",
    "ABC",
    "00%",
    "r_s",
    `"qu`,
    "t's",
    "ÉLA",
    "e\u0301l",
    "🙂🙃🙂",
    "本語の",
    "AND",
    "NOT",
    "ck\\",
    "e\nb",
  ],
  [
    "abcd",
    "under_score",
    `"quoted"`,
    "élan vital",
    "near(a b)",
    "the end",
    LONG.slice(-40),
    "nowhere",
    `${LONG}!`,
  ],
].flat();

/** Adds a database with a page for each text, which is its title and its link. */
async function addPages(store: Store, texts: readonly string[]) {
  const { workspaceId, workspaceName } = await addDatabase(store);
  const database = emptyDatabase({ schema });
  const pages = texts.map((text) => ({
    ...emptyPage(database.id, {
      properties: text === "" ? {} : { title: [parseRichTextRun({ text: { content: text } })], link: text },
    }),
    databaseId: database.id,
  }));
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (const page of pages) {
      await insertPage(scope, page);
      await indexPageTexts(scope, page, schema.definitions, { isNew: true });
    }
    await insertPropertyValues(scope, pages, schema.definitions);
  });
  return { workspaceId, workspaceName, databaseId: database.id, ids: pages.map(({ id }) => id) };
}

async function findPageIds(
  scope: ReadScope,
  database: Database,
  filter: Parameters<typeof queryPages>[2]["filter"],
): Promise<string[]> {
  const found = await queryPages(scope, database, { filter, pageSize: 10, inTrash: false, now: 0 });
  return found.elements.map(({ id }) => id);
}

testUnless(NO_POSTGRES)("a write moves few entries of earlier writes into the index of texts", async () => {
  const location = await newPostgresDatabase();
  const store = await openTestStore(location);
  const createText = (page: number): string =>
    Array.from({ length: 150 }, (_each, index) => (1e6 * page + 1e3 * index).toString(36)).join("-");
  await addPages(
    store,
    Array.from({ length: 100 }, (_each, page) => createText(page)),
  );
  // A lookup reads all entries that are not yet in the index.
  interface PlanRow {
    "QUERY PLAN": [{ Plan: { Plans: [{ "Shared Hit Blocks": number; "Shared Read Blocks": number }] } }];
  }
  const separator = location.includes("?") ? "&" : "?";
  const [row] = await query<PlanRow>(
    `${location}${separator}options=-c%20enable_seqscan%3Doff`,
    "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT page_id FROM page_texts WHERE trigrams @> '{1,2}'",
  );
  const scan = row?.["QUERY PLAN"][0].Plan.Plans[0];
  if (scan === undefined) throw new Error("The plan has no index scan.");
  expect(scan["Shared Hit Blocks"] + scan["Shared Read Blocks"]).toBeLessThan(40);
});

describe.each(stores)("the index of texts in %s", (_, newLocation) => {
  test.each([
    ["few pages", 0],
    ["more pages than are sorted at once", 1100],
  ])("finds the same among %s as a search in every text", async (_name, more) => {
    const store = await openTestStore(await newLocation());
    const texts = [...TEXTS, ...Array.from({ length: more }, (_each, index) => `abc ${index}`)];
    const { workspaceId, databaseId, ids } = await addPages(store, texts);
    // Adds another workspace with the same texts.
    await addPages(store, TEXTS);
    const scope = readScope(store, workspaceId);
    for (const pattern of PATTERNS) {
      for (const [operator, matches] of [
        ["contains", (text: string) => text.includes(foldText(pattern))],
        ["ends_with", (text: string) => text.endsWith(foldText(pattern))],
      ] as const) {
        const expected = ids.filter((_id, index) => matches(foldText(texts[index] ?? "")));
        const filter = { property: "Link", url: { [operator]: pattern } };
        const request = { filter, pageSize: 2000, inTrash: false, now: 0 };
        const found = await queryPages(scope, { id: databaseId, schema }, request);
        const foundIds = found.elements.map(({ id }) => id);
        expect([operator, pattern, foundIds]).toEqual([operator, pattern, expected]);
      }
      const words = foldText(pattern)
        .split(/\s+/)
        .filter((word) => word !== "");
      const titles = await searchTitles(scope, {
        text: pattern,
        kind: "page",
        descending: false,
        after: undefined,
        limit: 2000,
      });
      const expected = ids.filter((_id, index) =>
        words.every((word) => foldText(texts[index] ?? "").includes(word)),
      );
      expect([pattern, titles.map(({ id }) => id).toSorted()]).toEqual([pattern, expected.toSorted()]);
    }
  });

  test("stores a limited number of trigrams of a page with many texts, and finds all of its texts", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const many = createSchema([
      plainProperty("title", "Title", "title"),
      ...Array.from({ length: 50 }, (_each, index) => plainProperty(`link${index}`, `Link ${index}`, "url")),
    ]);
    const database = emptyDatabase({ schema: many });
    const text = (index: number): string =>
      Array.from({ length: 500 }, (_each, number) => (1000 * index + number).toString(36)).join("-");
    const properties = Object.fromEntries(
      many.definitions.slice(1).map(({ id }, index) => [id, text(index)]),
    );
    const page = { ...emptyPage(database.id, { properties }), databaseId: database.id };
    await store.write(workspaceId, async (scope) => {
      await insertDatabase(scope, database);
      await insertPage(scope, page);
      await indexPageTexts(scope, page, many.definitions, { isNew: true });
      await insertPropertyValues(scope, [page], many.definitions);
    });
    const scope = { db: store.read, workspaceId };
    if (isPostgres(store.read)) {
      const [row] = await runStatement<{ count: number }>(
        scope,
        sql`select cardinality(trigrams) as count from page_texts`,
      );
      expect(row?.count).toBeLessThan(11_000);
    } else {
      const [row] = await runStatement<{ bytes: number }>(
        scope,
        sql`select sum(length(block)) as bytes from page_trigrams_data`,
      );
      expect(row?.bytes).toBeLessThan(150_000);
    }
    for (const index of [0, 49]) {
      const filter = { property: `Link ${index}`, url: { contains: text(index).slice(-20) } };
      expect(await findPageIds(readScope(store, workspaceId), database, filter)).toEqual([page.id]);
    }
  });

  test("hashes a limited length of long texts, and finds all of them", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const links = Array.from({ length: 40 }, (_each, index) =>
      plainProperty(`link${index}`, `Link ${index}`, "url"),
    );
    const long = createSchema([plainProperty("title", "Title", "title"), ...links]);
    const database = emptyDatabase({ schema: long });
    const properties = Object.fromEntries(
      links.map(({ id }, index) => [id, `${"ab".repeat(50_000)}${index}`]),
    );
    const page = { ...emptyPage(database.id, { properties }), databaseId: database.id };
    await store.write(workspaceId, async (scope) => {
      await insertDatabase(scope, database);
      await insertPage(scope, page);
      await insertPropertyValues(scope, [page], links);
      await indexPageTexts(scope, page, long.definitions, { isNew: true });
      // Little more than the time to fold the texts, or several times as long when all of the 4,000,000 characters are hashed.
      await expectCpuRatioBelow(
        3,
        () => indexPageTexts(scope, page, long.definitions, { isNew: false }),
        () => links.map((link) => getFoldedText(link, page.properties)),
      );
    });
    for (const index of [0, 39]) {
      const filter = { property: `Link ${index}`, url: { ends_with: `bab${index}` } };
      expect(await findPageIds(readScope(store, workspaceId), database, filter)).toEqual([page.id]);
    }
  });

  test("finds short texts behind a long one", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const reversed = [...schema.definitions].reverse();
    const database = emptyDatabase({ schema: createSchema(reversed) });
    const title = [parseRichTextRun({ text: { content: "horse" } })];
    const properties = { link: "ab".repeat(60_000), title };
    const page = { ...emptyPage(database.id, { properties }), databaseId: database.id };
    await store.write(workspaceId, async (scope) => {
      await insertDatabase(scope, database);
      await insertPage(scope, page);
      await indexPageTexts(scope, page, reversed, { isNew: true });
    });
    const scope = { db: store.read, workspaceId };
    const find = (pattern: string) =>
      runStatement(scope, selectPagesWithText(scope, "title", [pattern]) ?? sql``);
    expect(await find("horse")).toEqual([{ page_id: page.id }]);
    expect(await find("zebra")).toEqual([]);
  });

  test("is used by the database", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const texts = Array.from({ length: 2000 }, (_each, index) => `page ${index}`);
    const { workspaceId, ids } = await addPages(store, texts);
    if (isPostgres(store.read)) await (await openSecondConnection(location))("VACUUM ANALYZE");
    const scope = { db: store.read, workspaceId };
    const select = selectPagesWithText(scope, "title", ["e 1999"]) ?? sql``;
    const explain = isPostgres(store.read) ? sql`explain ` : sql`explain query plan `;
    const plan = JSON.stringify(await runStatement(scope, sql`${explain}${select}`));
    expect(plan).toContain(
      isPostgres(store.read)
        ? "Bitmap Index Scan on page_texts_by_trigram"
        : "SCAN page_trigrams VIRTUAL TABLE INDEX",
    );
    const rows = await runStatement<{ page_id: string }>(scope, select);
    expect(rows.map((row) => row.page_id)).toEqual([ids[1999]]);
  });

  test("replaces the entry of a changed page, and deletes the entries of a deleted workspace or page alone", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const deleted = await addPages(store, ["abc"]);
    const kept = await addPages(store, ["abc"]);
    const scope = { db: store.read, workspaceId: kept.workspaceId };
    const number = async (): Promise<number> => {
      const table = isPostgres(store.read) ? "page_texts" : "page_trigrams";
      const [row] = await runStatement<{ count: number | string }>(
        scope,
        sql`select count(*) as count from ${sql.ref(table)}`,
      );
      return Number(row?.count);
    };
    expect(await number()).toBe(2);
    const changed = {
      id: kept.ids[0] ?? "",
      properties: { title: [parseRichTextRun({ text: { content: "abc" } })] },
    };
    await store.write(kept.workspaceId, (write) =>
      indexPageTexts(write, changed, schema.definitions, { isNew: false }),
    );
    expect(await number()).toBe(2);
    await runJob(store, (await startWorkspaceDeletion(store, deleted.workspaceName)).job);
    expect(await number()).toBe(1);
    const select = selectPagesWithText(scope, "title", ["abc"]) ?? sql``;
    expect(await runStatement(scope, select)).toEqual([{ page_id: kept.ids[0] }]);
    await store.write(kept.workspaceId, (write) => deletePageTexts(write, kept.ids));
    expect(await number()).toBe(0);
  });

  test("is not used for patterns of fewer than three characters", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addPages(store, TEXTS);
    const select = (patterns: string[]) =>
      selectPagesWithText({ db: store.read, workspaceId }, "title", patterns);
    expect(select([])).toBeUndefined();
    expect(select(["ab", "🙂🙃"])).toBeUndefined();
    expect(select(["ab", "abc"])).toBeDefined();
  });
});

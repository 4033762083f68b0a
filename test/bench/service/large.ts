import { mkdirSync } from "node:fs";
import path from "node:path";
import { openStore } from "../../../src/storage/engine/store.js";
import { query } from "../../support/postgres.js";
import type { Row } from "../table.js";
import { type Filled, fillStore } from "./fill.js";
import { medians } from "./latency.js";
import { onPostgres } from "./postgres-database.js";
import { containsOf, filterOf, getOf, searchOf, sortedOf } from "./questions.js";
import { timeRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 300;
/** Rounds of queries and searches for a part of a text, and of those that warm up before. */
const TEXT_ROUNDS = 60;
const TEXT_WARM_UP = 20;
const TEXT_TARGET = 20;

/** Times of queries and of GET in databases of different sizes, each relative to another of the same run. */
export async function measureLarge(small: Filled, middle: Filled, large: Filled): Promise<Row[]> {
  console.log("Queries and GET in databases of different sizes");
  const [atSmall, atMiddle, atLarge] = await Promise.all(
    [small, middle, large].map(({ folder }) => startService(folder)),
  );
  if (!atSmall || !atMiddle || !atLarge) throw new Error("A service is missing.");
  const [getSmall = 0, get = 0, filter = 0, sorted = 0, getLarge = 0, filterLarge = 0, sortedLarge = 0] =
    await medians(
      [
        getOf(small, atSmall.url),
        getOf(middle, atMiddle.url),
        filterOf(middle, atMiddle.url),
        sortedOf(middle, atMiddle.url),
        getOf(large, atLarge.url),
        filterOf(large, atLarge.url),
        sortedOf(large, atLarge.url),
      ],
      ROUNDS,
    );
  await Promise.all([atSmall, atMiddle, atLarge].map((service) => service.stop()));
  const [few, some, many] = [small, middle, large].map(({ pages }) => pages.toLocaleString("en"));
  return [
    timeRow(`Query with a selective filter, ${some} pages`, filter, get, "GET of a page there", 5),
    timeRow(`Sorted page of 100, ${some} pages`, sorted, get, "GET of a page there", 5),
    timeRow(`Query with a selective filter, ${many} pages`, filterLarge, filter, `at ${some}`, 2),
    timeRow(`Sorted page of 100, ${many} pages`, sortedLarge, sorted, `at ${some}`, 2),
    timeRow(`GET of one of ${many} pages`, getLarge, getSmall, `at ${few}`, 1.5),
  ];
}

/** Times of queries and searches for a part of a text, relative to GET. */
export async function measureScans(filled: Filled): Promise<Row[]> {
  console.log("Queries and searches for a part of a text");
  const service = await startService(filled.folder);
  const rows = await timeScans(filled, service.url, "SQLite");
  await service.stop();
  return rows;
}

async function timeScans(asked: Omit<Filled, "folder">, url: string, store: string): Promise<Row[]> {
  const [get = 0] = await medians([getOf(asked, url)], ROUNDS);
  const [contains = 0, search = 0] = await medians(
    [containsOf(asked, url), searchOf(asked, url)],
    TEXT_ROUNDS,
    TEXT_WARM_UP,
  );
  const where = `one hit in ${asked.pages.toLocaleString("en")} pages, ${store}`;
  return [
    timeRow(`Query with \`contains\`, ${where}`, contains, get, "GET of a page there", TEXT_TARGET),
    timeRow(`Search, ${where}`, search, get, "GET of a page there", TEXT_TARGET),
  ];
}

/** The same questions to the service on PostgreSQL, with one database of pages. */
export async function measureLargeOnPostgres(scratch: string, pages: number): Promise<Row[]> {
  console.log(`Queries and GET on PostgreSQL, ${pages.toLocaleString("en")} pages`);
  return onPostgres(async (location) => {
    const store = await openStore(location);
    const asked = { pages, ...(await fillStore(store, pages)) };
    await store.close();
    // Autovacuum would do this within a minute or two.
    await query(location, "VACUUM ANALYZE");
    const folder = path.join(scratch, "postgres-large");
    mkdirSync(folder);
    const service = await startService(folder, { DATABASE_URL: location });
    const { url } = service;
    const [get = 0, filter = 0, sorted = 0] = await medians(
      [getOf(asked, url), filterOf(asked, url), sortedOf(asked, url)],
      ROUNDS,
    );
    const scans = await timeScans(asked, url, "PostgreSQL");
    await service.stop();
    const beside = "GET of a page there";
    const where = `PostgreSQL, ${pages.toLocaleString("en")} pages`;
    return [
      timeRow(`Query with a selective filter, ${where}`, filter, get, beside, 5),
      timeRow(`Sorted page of 100, ${where}`, sorted, get, beside, 5),
      ...scans,
    ];
  });
}

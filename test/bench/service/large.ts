import { mkdirSync } from "node:fs";
import path from "node:path";
import { openStore } from "../../../src/storage/engine/store.js";
import { query } from "../../support/postgres.js";
import type { Row } from "../table.js";
import { type Filled, fillStore } from "./fill.js";
import { measureMedians } from "./latency.js";
import { withPostgresDatabase } from "./postgres-database.js";
import {
  createContainsRequests,
  createFilterRequests,
  createGetRequests,
  createSearchRequests,
  createSortedRequests,
} from "./requests.js";
import { createTimeRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 300;
/** Measured rounds and warm-up rounds of queries and searches for a part of a text. */
const TEXT_ROUNDS = 60;
const TEXT_WARM_UP = 20;
const TEXT_TARGET = 20;

/** Measures queries and GET in databases of different sizes, each relative to another measurement of the same run. */
export async function measureLarge(small: Filled, middle: Filled, large: Filled): Promise<Row[]> {
  console.log("Queries and GET in databases of different sizes");
  const [atSmall, atMiddle, atLarge] = await Promise.all(
    [small, middle, large].map(({ folder }) => startService(folder)),
  );
  if (!atSmall || !atMiddle || !atLarge) throw new Error("A service is missing.");
  const [getSmall = 0, get = 0, filter = 0, sorted = 0, getLarge = 0, filterLarge = 0, sortedLarge = 0] =
    await measureMedians(
      [
        createGetRequests(small, atSmall.url),
        createGetRequests(middle, atMiddle.url),
        createFilterRequests(middle, atMiddle.url),
        createSortedRequests(middle, atMiddle.url),
        createGetRequests(large, atLarge.url),
        createFilterRequests(large, atLarge.url),
        createSortedRequests(large, atLarge.url),
      ],
      ROUNDS,
    );
  await Promise.all([atSmall, atMiddle, atLarge].map((service) => service.stop()));
  const [few, some, many] = [small, middle, large].map(({ pages }) => pages.toLocaleString("en"));
  return [
    createTimeRow(`Query with a selective filter, ${some} pages`, filter, get, "GET of a page there", 5),
    createTimeRow(`Sorted page of 100, ${some} pages`, sorted, get, "GET of a page there", 5),
    createTimeRow(`Query with a selective filter, ${many} pages`, filterLarge, filter, `at ${some}`, 2),
    createTimeRow(`Sorted page of 100, ${many} pages`, sortedLarge, sorted, `at ${some}`, 2),
    createTimeRow(`GET of one of ${many} pages`, getLarge, getSmall, `at ${few}`, 1.5),
  ];
}

/** Measures queries and searches for a part of a text, relative to GET. */
export async function measureScans(filled: Filled): Promise<Row[]> {
  console.log("Queries and searches for a part of a text");
  const service = await startService(filled.folder);
  const rows = await timeScans(filled, service.url, "SQLite");
  await service.stop();
  return rows;
}

async function timeScans(filled: Omit<Filled, "folder">, url: string, store: string): Promise<Row[]> {
  const [get = 0] = await measureMedians([createGetRequests(filled, url)], ROUNDS);
  const [contains = 0, search = 0] = await measureMedians(
    [createContainsRequests(filled, url), createSearchRequests(filled, url)],
    TEXT_ROUNDS,
    TEXT_WARM_UP,
  );
  const where = `one hit in ${filled.pages.toLocaleString("en")} pages, ${store}`;
  return [
    createTimeRow(`Query with \`contains\`, ${where}`, contains, get, "GET of a page there", TEXT_TARGET),
    createTimeRow(`Search, ${where}`, search, get, "GET of a page there", TEXT_TARGET),
  ];
}

/** Sends the same requests to the service on PostgreSQL, with one database size. */
export async function measureLargeOnPostgres(scratch: string, pages: number): Promise<Row[]> {
  console.log(`Queries and GET on PostgreSQL, ${pages.toLocaleString("en")} pages`);
  return withPostgresDatabase(async (location) => {
    const store = await openStore(location);
    const filled = { pages, ...(await fillStore(store, pages)) };
    await store.close();
    // Runs now, because autovacuum would only do so within one or two minutes.
    await query(location, "VACUUM ANALYZE");
    const folder = path.join(scratch, "postgres-large");
    mkdirSync(folder);
    const service = await startService(folder, { DATABASE_URL: location });
    const { url } = service;
    const [get = 0, filter = 0, sorted = 0] = await measureMedians(
      [createGetRequests(filled, url), createFilterRequests(filled, url), createSortedRequests(filled, url)],
      ROUNDS,
    );
    const scans = await timeScans(filled, url, "PostgreSQL");
    await service.stop();
    const beside = "GET of a page there";
    const where = `PostgreSQL, ${pages.toLocaleString("en")} pages`;
    return [
      createTimeRow(`Query with a selective filter, ${where}`, filter, get, beside, 5),
      createTimeRow(`Sorted page of 100, ${where}`, sorted, get, beside, 5),
      ...scans,
    ];
  });
}

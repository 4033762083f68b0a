import { mkdirSync } from "node:fs";
import path from "node:path";
import { openStore } from "../../../src/storage/store.js";
import { query } from "../../support/postgres.js";
import type { Row } from "../table.js";
import { type Filled, fillStore } from "./fill.js";
import { medians } from "./latency.js";
import { onPostgres } from "./postgres-database.js";
import { containsOf, filterOf, getOf, searchOf, sortedOf } from "./questions.js";
import { timeRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 300;
/** Of what looks at every page. */
const SCANS = 15;

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
  const [contains = 0, search = 0, containsLarge = 0, searchLarge = 0] = await medians(
    [
      containsOf(middle, atMiddle.url),
      searchOf(middle, atMiddle.url),
      containsOf(large, atLarge.url),
      searchOf(large, atLarge.url),
    ],
    SCANS,
    1,
  );
  await Promise.all([atSmall, atMiddle, atLarge].map((service) => service.stop()));
  const [few, some, many] = [small, middle, large].map(({ pages }) => pages.toLocaleString("en"));
  return [
    timeRow(`Query with a selective filter, ${some} pages`, filter, get, "GET of a page there", 5),
    timeRow(`Sorted page of 100, ${some} pages`, sorted, get, "GET of a page there", 5),
    timeRow(`Query with a selective filter, ${many} pages`, filterLarge, filter, `at ${some}`, 2),
    timeRow(`Sorted page of 100, ${many} pages`, sortedLarge, sorted, `at ${some}`, 2),
    timeRow(`GET of one of ${many} pages`, getLarge, getSmall, `at ${few}`, 1.5),
    timeRow(
      `Query of one page by a part of a text, ${many} pages`,
      containsLarge,
      contains,
      `at ${some}`,
      undefined,
    ),
    timeRow(`Search that finds one page, ${many} pages`, searchLarge, search, `at ${some}`, undefined),
  ];
}

/** The same questions to the service on PostgreSQL, with one database of pages. */
export async function measureLargeOnPostgres(scratch: string, pages: number): Promise<Row[]> {
  console.log(`Queries and GET on PostgreSQL, ${pages.toLocaleString("en")} pages`);
  return onPostgres(async (location) => {
    const store = await openStore(location);
    const asked = { pages, ...(await fillStore(store, pages)) };
    await store.close();
    // As its own autovacuum would within a minute or two.
    await query(location, "VACUUM ANALYZE");
    const folder = path.join(scratch, "postgres-large");
    mkdirSync(folder);
    const service = await startService(folder, { DATABASE_URL: location });
    const { url } = service;
    const [get = 0, filter = 0, sorted = 0] = await medians(
      [getOf(asked, url), filterOf(asked, url), sortedOf(asked, url)],
      ROUNDS,
    );
    const [contains = 0, search = 0] = await medians(
      [containsOf(asked, url), searchOf(asked, url)],
      SCANS,
      1,
    );
    await service.stop();
    const beside = "GET of a page there";
    const where = `PostgreSQL, ${pages.toLocaleString("en")} pages`;
    return [
      timeRow(`Query with a selective filter, ${where}`, filter, get, beside, 5),
      timeRow(`Sorted page of 100, ${where}`, sorted, get, beside, 5),
      timeRow(`Query of one page by a part of a text, ${where}`, contains, get, beside, undefined),
      timeRow(`Search that finds one page, ${where}`, search, get, beside, undefined),
    ];
  });
}

import type { Row } from "../table.js";
import type { Filled } from "./fill.js";
import { medians, type Question } from "./latency.js";
import { requestBytes } from "./raw-client.js";
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

/** Pages in turn, more than the service keeps the answers of. */
function getOf({ pages, pageIds, key }: Filled, url: string): Question {
  const requests = pageIds.map((id) => requestBytes("GET", `/v1/pages/${id}`, key));
  return { name: `GET, ${pages} pages`, url, request: (number) => nth(requests, number * 7) };
}

/** One page of all, by a text. */
function filterOf({ pages, databaseId, key }: Filled, url: string): Question {
  return {
    name: `filter, ${pages} pages`,
    url,
    request: (number) =>
      requestBytes("POST", `/v1/databases/${databaseId}/query`, key, {
        filter: { property: "Code", rich_text: { equals: `code-${(number * 7919) % pages}` } },
      }),
  };
}

/** One page of all, by a part of a text that no index finds. */
function containsOf({ pages, databaseId, key }: Filled, url: string): Question {
  return {
    name: `contains, ${pages} pages`,
    url,
    request: (number) =>
      requestBytes("POST", `/v1/databases/${databaseId}/query`, key, {
        filter: { property: "Code", rich_text: { contains: `ode-${pages - 1 - number}` } },
      }),
  };
}

function searchOf({ pages, key }: Filled, url: string): Question {
  return {
    name: `search, ${pages} pages`,
    url,
    request: (number) => requestBytes("POST", "/v1/search", key, { query: `age ${pages - 1 - number}` }),
  };
}

function sortedOf({ pages, databaseId, key }: Filled, url: string): Question {
  const request = requestBytes("POST", `/v1/databases/${databaseId}/query`, key, {
    sorts: [{ property: "Number", direction: "descending" }],
    page_size: 100,
  });
  return { name: `sorted, ${pages} pages`, url, request: () => request };
}

function nth<T>(list: readonly T[], number: number): T {
  const item = list[number % list.length];
  if (item === undefined) throw new Error("The list is empty.");
  return item;
}

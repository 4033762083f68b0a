import type { Filled } from "./fill.js";
import type { Question } from "./latency.js";
import { requestBytes } from "./raw-client.js";

/** What is asked of a database, wherever it is. */
type Asked = Omit<Filled, "folder">;

/** Pages in turn, more than the service keeps the answers of. */
export function getOf({ pages, pageIds, key }: Asked, url: string): Question {
  const requests = pageIds.map((id) => requestBytes("GET", `/v1/pages/${id}`, key));
  return { name: `GET, ${pages} pages`, url, request: (number) => nth(requests, number * 7) };
}

/** One page of all, by a text. */
export function filterOf({ pages, databaseId, key }: Asked, url: string): Question {
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
export function containsOf({ pages, databaseId, key }: Asked, url: string): Question {
  return {
    name: `contains, ${pages} pages`,
    url,
    request: (number) =>
      requestBytes("POST", `/v1/databases/${databaseId}/query`, key, {
        filter: { property: "Code", rich_text: { contains: `ode-${pages - 1 - number}` } },
      }),
  };
}

export function searchOf({ pages, key }: Asked, url: string): Question {
  return {
    name: `search, ${pages} pages`,
    url,
    request: (number) => requestBytes("POST", "/v1/search", key, { query: `age ${pages - 1 - number}` }),
  };
}

export function sortedOf({ pages, databaseId, key }: Asked, url: string): Question {
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

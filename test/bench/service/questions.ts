import type { Filled } from "./fill.js";
import type { Question } from "./latency.js";
import { atRandom } from "../compare.js";
import { requestBytes } from "../raw-client.js";

/** Database that requests are sent to, on either store. */
type Asked = Omit<Filled, "folder">;

/** GET of random pages, more than the response cache holds. */
export function getOf({ pages, pageIds, key }: Asked, url: string): Question {
  const requests = pageIds.map((id) => requestBytes("GET", `/v1/pages/${id}`, key));
  return { name: `GET, ${pages} pages`, url, request: atRandom(requests) };
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

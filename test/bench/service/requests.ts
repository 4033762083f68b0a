import type { Filled } from "./fill.js";
import type { RequestSeries } from "./latency.js";
import { createPicker } from "../compare.js";
import { encodeRequest } from "../raw-client.js";

/** Database that requests are sent to, on either store. */
type Asked = Omit<Filled, "folder">;

/** GET of random pages, more than the response cache holds. */
export function createGetRequests({ pages, pageIds, key }: Asked, url: string): RequestSeries {
  const requests = pageIds.map((id) => encodeRequest("GET", `/v1/pages/${id}`, key));
  return { name: `GET, ${pages} pages`, url, request: createPicker(requests) };
}

/** One page of all, by a text. */
export function createFilterRequests({ pages, databaseId, key }: Asked, url: string): RequestSeries {
  return {
    name: `filter, ${pages} pages`,
    url,
    request: (number) =>
      encodeRequest("POST", `/v1/databases/${databaseId}/query`, key, {
        filter: { property: "Code", rich_text: { equals: `code-${(number * 7919) % pages}` } },
      }),
  };
}

/** One page of all, by a part of a text that no index finds. */
export function createContainsRequests({ pages, databaseId, key }: Asked, url: string): RequestSeries {
  return {
    name: `contains, ${pages} pages`,
    url,
    request: (number) =>
      encodeRequest("POST", `/v1/databases/${databaseId}/query`, key, {
        filter: { property: "Code", rich_text: { contains: `ode-${pages - 1 - number}` } },
      }),
  };
}

export function createSearchRequests({ pages, key }: Asked, url: string): RequestSeries {
  return {
    name: `search, ${pages} pages`,
    url,
    request: (number) => encodeRequest("POST", "/v1/search", key, { query: `age ${pages - 1 - number}` }),
  };
}

export function createSortedRequests({ pages, databaseId, key }: Asked, url: string): RequestSeries {
  const request = encodeRequest("POST", `/v1/databases/${databaseId}/query`, key, {
    sorts: [{ property: "Number", direction: "descending" }],
    page_size: 100,
  });
  return { name: `sorted, ${pages} pages`, url, request: () => request };
}

import { createPicker } from "../compare.js";
import { encodeRequest } from "../raw-client.js";
import type { Row } from "../table.js";
import type { Filled } from "./fill.js";
import { measureMedians } from "./latency.js";
import { createTimeRow } from "./rows.js";
import { startService } from "./start.js";

const GET_ROUNDS = 300;
const TEXT_ROUNDS = 60;
const TEXT_WARM_UP = 20;
const MAX_RATIO = 20;

/** Measures queries and searches for a part of a text, relative to GET of random pages. */
export async function measureScans({ folder, pages, pageIds, databaseId, key }: Filled): Promise<Row[]> {
  console.log("Queries and searches for a part of a text");
  const service = await startService(folder);
  const { url } = service;
  const gets = pageIds.map((id) => encodeRequest("GET", `/v1/pages/${id}`, key));
  const [get = 0] = await measureMedians([{ name: "GET", url, request: createPicker(gets) }], GET_ROUNDS);
  // Each request searches another text, which one page has.
  const query = (number: number): Buffer =>
    encodeRequest("POST", `/v1/databases/${databaseId}/query`, key, {
      filter: { property: "Code", rich_text: { contains: `ode-${pages - 1 - number}` } },
    });
  const search = (number: number): Buffer =>
    encodeRequest("POST", "/v1/search", key, { query: `age ${pages - 1 - number}` });
  const [queryTime = 0, searchTime = 0] = await measureMedians(
    [
      { name: "query", url, request: query },
      { name: "search", url, request: search },
    ],
    TEXT_ROUNDS,
    TEXT_WARM_UP,
  );
  await service.stop();
  const where = `one hit in ${pages.toLocaleString("en")} pages`;
  return [
    createTimeRow(`Query with \`contains\`, ${where}`, queryTime, get, "GET of a page", MAX_RATIO),
    createTimeRow(`Search, ${where}`, searchTime, get, "GET of a page", MAX_RATIO),
  ];
}

import path from "node:path";
import { startServer } from "../child.js";
import { createPicker, compare, median } from "../compare.js";
import { RawClient, encodeRequest } from "../raw-client.js";
import { recordResponse } from "../record.js";
import type { Row } from "../table.js";
import { FEW_BLOCKS, type Filled } from "./fill.js";
import { createRatioRow, createTimeRow } from "./rows.js";
import { startService } from "./start.js";

/** Pages that fit into the response cache. */
const WARM_PAGES = 5000;
/** Number of the page of the cursor walk that is compared with the first pages. */
const DEEP = 450;
const WALKS = 3;
/** Filters that have different results. */
const FILTERS = 4000;
const SORTS = [{ property: "Number", direction: "descending" }];

/** A request for the service and the recorder. */
interface BenchRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

/** Measures reads, compared with a bare server that sends the same bytes. */
export async function measureReads(filled: Filled, scratch: string): Promise<Row[]> {
  const { key, databaseId, pageIds, shortPageId } = filled;
  const service = await startService(filled.folder);
  const rows: Row[] = [];
  const compareWithBare = async (
    what: string,
    requests: readonly BenchRequest[],
    target: number,
  ): Promise<void> => {
    console.log(what);
    const [first] = requests;
    if (first === undefined) throw new Error("There are no requests.");
    const file = path.join(scratch, "response.json");
    await recordResponse(`${service.url}${first.path}`, { authorization: `Bearer ${key}` }, file, first);
    const bare = await startServer("bare", [file]);
    const request = createPicker(
      requests.map(({ method, path: to, body }) => encodeRequest(method, to, key, body)),
    );
    const found = await compare(
      { name: "service", url: service.url, pid: service.pid, request },
      { name: "bare", url: bare.url, pid: bare.pid, request },
    );
    await bare.stop();
    rows.push(createRatioRow(what, found, "bare node:http", target));
  };
  const gets = pageIds.map((id): BenchRequest => ({ method: "GET", path: `/v1/pages/${id}` }));
  const of = `of ${filled.pages.toLocaleString("en")}`;
  await compareWithBare(`GET random pages ${of}, cold`, gets, 0.35);
  await compareWithBare(
    `GET random pages, ${WARM_PAGES.toLocaleString("en")} ${of}, warm`,
    gets.slice(0, WARM_PAGES),
    0.5,
  );
  await compareWithBare(
    `GET the ${FEW_BLOCKS} blocks of a page`,
    [{ method: "GET", path: `/v1/blocks/${shortPageId}/children?page_size=100` }],
    0.5,
  );
  const query = (body: object): BenchRequest => ({
    method: "POST",
    path: `/v1/databases/${databaseId}/query`,
    body: { sorts: SORTS, page_size: 100, ...body },
  });
  await compareWithBare(`Query of 100 sorted pages ${of}, repeated`, [query({})], 0.25);
  const cursors = await listCursors(service.url, filled);
  await compareWithBare(
    `Query of 100 sorted pages ${of}, from a random cursor`,
    cursors.map((start_cursor) => query({ start_cursor })),
    0.25,
  );
  // More filters than the response cache has room for, because each has a result of its own.
  const filters = Array.from({ length: FILTERS }, (_, index) => ({
    property: "Number",
    number: { less_than: 500_000 + 100 * index },
  }));
  await compareWithBare(
    `Query of 100 pages with a random filter and a sort ${of}`,
    filters.map((filter) => query({ filter })),
    0.2,
  );
  rows.push(await measureWalk(service.url, filled));
  await service.stop();
  return rows;
}

/** Follows the cursors of a sorted query: deep pages must not take much longer than the first. */
async function measureWalk(url: string, filled: Filled): Promise<Row> {
  console.log("A walk through a sorted query by its cursors");
  const last = Math.min(DEEP, Math.floor(filled.pages / 100));
  const [firsts, deeps]: [number[], number[]] = [[], []];
  for (let walk = 0; walk < WALKS; walk += 1) {
    let page = 0;
    for await (const { micros } of walkThroughPages(url, filled)) {
      page += 1;
      if (page <= 5) firsts.push(micros);
      if (page > last - 5) deeps.push(micros);
      if (page === last) break;
    }
  }
  const what = `Page ${last} of a cursor walk`;
  return createTimeRow(what, median(deeps), median(firsts), "its first pages", 1.5);
}

/** Lists the cursors of all parts of a sorted query but the first. */
async function listCursors(url: string, filled: Filled): Promise<string[]> {
  const cursors = [];
  for await (const { nextCursor } of walkThroughPages(url, filled)) cursors.push(nextCursor);
  return cursors;
}

/** Reads the parts of a sorted query that are not the last one; yields the time that each took, and the cursor of the next one. */
async function* walkThroughPages(
  url: string,
  { key, databaseId }: Filled,
): AsyncGenerator<{ readonly micros: number; readonly nextCursor: string }> {
  const client = await RawClient.open(url);
  try {
    let cursor: string | undefined;
    for (;;) {
      const body = {
        sorts: SORTS,
        page_size: 100,
        ...(cursor === undefined ? {} : { start_cursor: cursor }),
      };
      const request = encodeRequest("POST", `/v1/databases/${databaseId}/query`, key, body);
      const started = performance.now();
      const response = await client.send(request);
      const micros = (performance.now() - started) * 1000;
      // The cast: responses with status 200 are lists.
      const { next_cursor } = JSON.parse(response.toString()) as { next_cursor: string | null };
      if (next_cursor === null) return;
      cursor = next_cursor;
      yield { micros, nextCursor: cursor };
    }
  } finally {
    client.close();
  }
}

import { median } from "../compare.js";
import type { Row } from "../table.js";
import { BLOCKS, type Filled } from "./fill.js";
import { RawClient, encodeRequest } from "../raw-client.js";
import { createTimeRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 12;
const PER_PAGE = 100;

/** Measures lists of all blocks of a long page: the last responses must not take longer than the first. */
export async function measureChildren({ folder, key, longPageId }: Filled): Promise<Row> {
  console.log(`The ${BLOCKS.toLocaleString("en")} blocks of a page, ${PER_PAGE} at a time`);
  const service = await startService(folder);
  const client = await RawClient.open(service.url);
  const times: number[][] = Array.from({ length: BLOCKS / PER_PAGE }, () => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    let cursor: string | null = null;
    for (const [index, list] of times.entries()) {
      const from: string = cursor === null ? "" : `&start_cursor=${cursor}`;
      const target = `/v1/blocks/${longPageId}/children?page_size=${PER_PAGE}${from}`;
      const started = performance.now();
      const body = await client.send(encodeRequest("GET", target, key));
      if (round > 1) list.push((performance.now() - started) * 1000);
      // The cast: responses with status 200 are lists.
      const response = JSON.parse(body.toString()) as { next_cursor: string | null; results: unknown[] };
      if (
        response.results.length !== PER_PAGE ||
        (response.next_cursor === null) !== (index === times.length - 1)
      )
        throw new Error(`Response ${index + 1} has ${response.results.length} blocks.`);
      cursor = response.next_cursor;
    }
  }
  client.close();
  await service.stop();
  const each = times.map(median);
  const [first, last] = [median(each.slice(0, 20)), median(each.slice(-20))];
  const what = `The last 2,000 of ${BLOCKS.toLocaleString("en")} blocks, ${PER_PAGE} at a time`;
  return createTimeRow(what, last, first, "the first 2,000", 1.25);
}

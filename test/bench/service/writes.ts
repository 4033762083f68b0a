import { cpSync } from "node:fs";
import path from "node:path";
import type { Request } from "autocannon";
import { CONNECTIONS, load, median } from "../compare.js";
import type { Row } from "../table.js";
import { type Filled, valuesOf } from "./fill.js";
import { LibsqlCommits } from "./libsql-commits.js";
import { ratioRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 5;
const SECONDS = 2;

/**
 * POST and PATCH, acknowledged when durable, beside libsql alone, which writes the same rows in transactions of as many
 * pages as the service can have to write at once: as there are connections.
 */
export async function measureWrites(filled: Filled, scratch: string): Promise<Row[]> {
  const copy = (name: string): string => {
    const folder = path.join(scratch, name);
    cpSync(filled.folder, folder, { recursive: true });
    return folder;
  };
  const service = await startService(copy("writes"));
  const libsql = new LibsqlCommits(copy("libsql"), CONNECTIONS);
  const headers = { authorization: `Bearer ${filled.key}`, "content-type": "application/json" };
  const posts = (round: number): Request[] =>
    Array.from({ length: 1000 }, (_, index) => ({
      method: "POST",
      path: "/v1/pages",
      headers,
      body: JSON.stringify({
        parent: { database_id: filled.databaseId },
        properties: valuesOf(20_000 + round * 1000 + index),
      }),
    }));
  const patches = (round: number): Request[] =>
    filled.pageIds.map((id, index) => ({
      method: "PATCH",
      path: `/v1/pages/${id}`,
      headers,
      body: JSON.stringify({ properties: { Number: { number: round * 10_000 + index } } }),
    }));
  const compareWith = async (
    what: string,
    requests: (round: number) => Request[],
    alone: () => number,
  ): Promise<Row> => {
    console.log(what);
    const rounds: { left: number; right: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const request = { url: service.url, requests: requests(round) };
      const left = await load({ name: "service", request }, SECONDS);
      const right = alone();
      console.log(`  round ${round}: service ${Math.round(left)}/s, libsql ${Math.round(right)}/s`);
      // The first is for warming up.
      if (round > 0) rounds.push({ left, right });
    }
    const found = {
      left: median(rounds.map(({ left }) => left)),
      right: median(rounds.map(({ right }) => right)),
      ratio: median(rounds.map(({ left, right }) => left / right)),
    };
    return ratioRow(what, found, `libsql, ${CONNECTIONS} in a transaction`, 0.5);
  };
  const rows = [
    await compareWith("POST a page, durable", posts, () => libsql.posts(SECONDS)),
    await compareWith("PATCH a page, durable", patches, () => libsql.patches(SECONDS)),
  ];
  libsql.close();
  await service.stop();
  return rows;
}

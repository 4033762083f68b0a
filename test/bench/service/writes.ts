import { cpSync } from "node:fs";
import path from "node:path";
import { atRandom, CONNECTIONS, load, summarize } from "../compare.js";
import { requestBytes } from "../raw-client.js";
import type { Row } from "../table.js";
import { type Filled, valuesOf } from "./fill.js";
import { LibsqlCommits } from "./libsql-commits.js";
import { ratioRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 3;
const SECONDS = 1.5;
const TARGET = 0.6;

/**
 * POST and PATCH, acknowledged when durable, compared with libsql alone, which writes the same rows in transactions of
 * as many pages as the service can have to write at once: as there are connections.
 */
export async function measureWrites(filled: Filled, scratch: string): Promise<Row[]> {
  const copy = (name: string): string => {
    const folder = path.join(scratch, name);
    cpSync(filled.folder, folder, { recursive: true });
    return folder;
  };
  const service = await startService(copy("writes"));
  const libsql = new LibsqlCommits(copy("libsql"), CONNECTIONS);
  const { key, databaseId, pageIds } = filled;
  let made = 0;
  const post = (): Buffer => {
    made += 1;
    const properties = valuesOf(filled.pages + made);
    return requestBytes("POST", "/v1/pages", key, { parent: { database_id: databaseId }, properties });
  };
  const anyPage = atRandom(pageIds);
  const patch = (): Buffer => {
    made += 1;
    return requestBytes("PATCH", `/v1/pages/${anyPage()}`, key, { properties: { Number: { number: made } } });
  };
  const compareWithLibsql = async (
    what: string,
    request: () => Buffer,
    writeAlone: () => number,
  ): Promise<Row> => {
    console.log(what);
    const rounds: { left: number; right: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { perSecond: left } = await load({ name: "service", url: service.url, request }, SECONDS);
      const right = writeAlone();
      console.log(`  round ${round}: service ${Math.round(left)}/s, libsql ${Math.round(right)}/s`);
      // The first round warms up.
      if (round > 0) rounds.push({ left, right });
    }
    return ratioRow(what, summarize(rounds), `libsql, ${CONNECTIONS} in a transaction`, TARGET);
  };
  const rows = [
    await compareWithLibsql("POST a page, durable", post, () => libsql.posts(SECONDS)),
    await compareWithLibsql("PATCH random pages, durable", patch, () => libsql.patches(SECONDS)),
  ];
  libsql.close();
  await service.stop();
  return rows;
}

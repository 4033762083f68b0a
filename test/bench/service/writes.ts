import { cpSync } from "node:fs";
import path from "node:path";
import { createPicker, CONNECTIONS, load, summarize } from "../compare.js";
import { encodeRequest } from "../raw-client.js";
import type { Row } from "../table.js";
import { type Filled, createValues } from "./fill.js";
import { LibsqlCommits } from "./libsql-commits.js";
import { createRatioRow } from "./rows.js";
import { startService } from "./start.js";

const ROUNDS = 3;
const SECONDS = 1.5;
const TARGET = 0.6;

/**
 * Compares durable POST and PATCH requests with libsql alone, which writes the same rows. Its transactions contain one page
 * per connection, which is the most that the service can write in one transaction.
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
  let writeCount = 0;
  const createPost = (): Buffer => {
    writeCount += 1;
    const properties = createValues(filled.pages + writeCount);
    return encodeRequest("POST", "/v1/pages", key, { parent: { database_id: databaseId }, properties });
  };
  const pickPage = createPicker(pageIds);
  const createPatch = (): Buffer => {
    writeCount += 1;
    return encodeRequest("PATCH", `/v1/pages/${pickPage()}`, key, {
      properties: { Number: { number: writeCount } },
    });
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
    return createRatioRow(what, summarize(rounds), `libsql, ${CONNECTIONS} per transaction`, TARGET);
  };
  const rows = [
    await compareWithLibsql("POST a page, durable", createPost, () => libsql.measurePosts(SECONDS)),
    await compareWithLibsql("PATCH random pages, durable", createPatch, () => libsql.measurePatches(SECONDS)),
  ];
  libsql.close();
  await service.stop();
  return rows;
}

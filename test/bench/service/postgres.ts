import { mkdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import path from "node:path";
import { openStore } from "../../../src/storage/engine/store.js";
import { createPicker, load, summarize } from "../compare.js";
import { encodeRequest } from "../raw-client.js";
import { formatSpeed, type Row } from "../table.js";
import { limitCpuShare } from "./cpu-share.js";
import { fillStore } from "./fill.js";
import { withPostgresDatabase } from "./postgres-database.js";
import { startService } from "./start.js";

const WHAT = "GET pages on PostgreSQL: two processes compared with one";
const PAGES = 2000;
const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 5;
/** Nice value of the load generator, so that it uses only processor time that the servers do not need. */
const NICE = 10;
/** Share of a core for each process, so that they do not compete with PostgreSQL and the load generator. */
const SHARE = 0.3;

/**
 * Compares two processes on one PostgreSQL database with one process, for the same requests over the same number of
 * connections. Each process is limited to a share of a core, so that two processes have twice the processor time of one,
 * as on two machines.
 */
export async function measurePostgres(scratch: string): Promise<Row> {
  console.log(WHAT);
  return withPostgresDatabase((url) => measureOn(url, scratch));
}

async function measureOn(url: string, scratch: string): Promise<Row> {
  const priority = getPriority();
  try {
    const store = await openStore(url);
    const { key, pageIds } = await fillStore(store, PAGES);
    await store.close();
    const folder = path.join(scratch, "postgres");
    mkdirSync(folder);
    const [one, two] = [
      await startService(folder, { DATABASE_URL: url }),
      await startService(folder, { DATABASE_URL: url }),
    ];
    setPriority(NICE);
    const request = createPicker(pageIds.map((id) => encodeRequest("GET", `/v1/pages/${id}`, key)));
    const loadAll = async (urls: string[]): Promise<number> => {
      const results = await Promise.all(
        urls.map((each) => load({ name: each, url: each, request }, SECONDS, CONNECTIONS / urls.length)),
      );
      return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
    };
    // Warms up without the limit.
    await loadAll([one.url, two.url]);
    const releases = [one, two].map(({ pid }) => limitCpuShare(pid, SHARE));
    const isLimited = releases.every((release) => release !== undefined);
    console.log(
      isLimited
        ? `  each limited to ${SHARE} of a core`
        : "  not limited to a share of a core: requires root",
    );
    const rounds: { left: number; right: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const found = { left: await loadAll([one.url, two.url]), right: await loadAll([one.url]) };
      console.log(`  round ${round}: two ${formatSpeed(found.left)}, one ${formatSpeed(found.right)}`);
      rounds.push(found);
    }
    await Promise.all([one.stop(), two.stop()]);
    for (const release of releases) release?.();
    const { left, right, ratio } = summarize(rounds);
    return {
      what: WHAT,
      figure: formatSpeed(left),
      beside: `${formatSpeed(right)} one process${isLimited ? `, each ${SHARE} of a core` : ""}`,
      ratio: `${ratio.toFixed(2)}x`,
      target: "at least 1.6x",
      met: ratio >= 1.6,
    };
  } finally {
    setPriority(priority);
  }
}

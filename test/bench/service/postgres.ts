import { mkdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import path from "node:path";
import { openStore } from "../../../src/storage/engine/store.js";
import { atRandom, load, summarize } from "../compare.js";
import { requestBytes } from "../raw-client.js";
import { formatSpeed, type Row } from "../table.js";
import { holdToShare } from "./cpu-share.js";
import { fillStore } from "./fill.js";
import { onPostgres } from "./postgres-database.js";
import { startService } from "./start.js";

const WHAT = "GET pages on PostgreSQL: two processes beside one";
const PAGES = 2000;
const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 5;
/** Nice value of the load generator, so that it takes only the time that servers leave. */
const NICE = 10;
/** Share of a core for each process, so that they do not compete with PostgreSQL and the load generator. */
const SHARE = 0.3;

/**
 * Two processes over one PostgreSQL database beside one of them, which get the same requests over as many connections. Each
 * process is held to a share of a core, so that two have twice of what one has, as on two machines.
 */
export async function measurePostgres(scratch: string): Promise<Row> {
  console.log(WHAT);
  return onPostgres((url) => measureOn(url, scratch));
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
    const request = atRandom(pageIds.map((id) => requestBytes("GET", `/v1/pages/${id}`, key)));
    const loadAll = async (urls: string[]): Promise<number> => {
      const results = await Promise.all(
        urls.map((each) => load({ name: each, url: each, request }, SECONDS, CONNECTIONS / urls.length)),
      );
      return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
    };
    // For warming up, with all that there is of the cores.
    await loadAll([one.url, two.url]);
    const held = [one, two].map(({ pid }) => holdToShare(pid, SHARE));
    const isHeld = held.every((release) => release !== undefined);
    console.log(
      isHeld ? `  each held to ${SHARE} of a core` : "  not held to a share of a core: that takes root",
    );
    const rounds: { left: number; right: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const found = { left: await loadAll([one.url, two.url]), right: await loadAll([one.url]) };
      console.log(`  round ${round}: two ${formatSpeed(found.left)}, one ${formatSpeed(found.right)}`);
      rounds.push(found);
    }
    await Promise.all([one.stop(), two.stop()]);
    for (const release of held) release?.();
    const { left, right, ratio } = summarize(rounds);
    return {
      what: WHAT,
      figure: formatSpeed(left),
      beside: `${formatSpeed(right)} one process${isHeld ? `, each ${SHARE} of a core` : ""}`,
      ratio: `${ratio.toFixed(2)}x`,
      target: "at least 1.6x",
      met: ratio >= 1.6,
    };
  } finally {
    setPriority(priority);
  }
}

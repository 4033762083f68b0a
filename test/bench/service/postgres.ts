import { mkdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { openStore } from "../../../src/storage/store.js";
import { median } from "../compare.js";
import type { Row } from "../table.js";
import { holdToShare } from "./cpu-share.js";
import { fillStore } from "./fill.js";
import { onPostgres } from "./postgres-database.js";
import { perSecond } from "./rows.js";
import { startService } from "./start.js";

const WHAT = "GET pages on PostgreSQL: two processes beside one";
const PAGES = 2000;
const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 5;
/** Of the load generator, so that it takes only what the servers leave. */
const NICE = 10;
/** Of a core, for each process: PostgreSQL and the load generator must not be what they compete with. */
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
    const headers = { authorization: `Bearer ${key}` };
    const requests = pageIds.map((id) => ({ path: `/v1/pages/${id}`, headers }));
    const load = async (urls: string[]): Promise<number> => {
      const results = await Promise.all(
        urls.map((each) =>
          autocannon({ url: each, requests, connections: CONNECTIONS / urls.length, duration: SECONDS }),
        ),
      );
      if (results.some(({ errors, non2xx }) => errors + non2xx > 0)) throw new Error("There were errors.");
      return results.reduce((sum, result) => sum + result["2xx"] / result.duration, 0);
    };
    // For warming up, with all that there is of the cores.
    await load([one.url, two.url]);
    const held = [one, two].map(({ pid }) => holdToShare(pid, SHARE));
    const isHeld = held.every((release) => release !== undefined);
    console.log(
      isHeld ? `  each held to ${SHARE} of a core` : "  not held to a share of a core: that takes root",
    );
    const rounds: { left: number; right: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const found = { left: await load([one.url, two.url]), right: await load([one.url]) };
      console.log(`  round ${round}: two ${perSecond(found.left)}, one ${perSecond(found.right)}`);
      rounds.push(found);
    }
    await Promise.all([one.stop(), two.stop()]);
    for (const release of held) release?.();
    const ratio = median(rounds.map(({ left, right }) => left / right));
    return {
      what: WHAT,
      figure: perSecond(median(rounds.map(({ left }) => left))),
      beside: `${perSecond(median(rounds.map(({ right }) => right)))} one process${isHeld ? `, each ${SHARE} of a core` : ""}`,
      ratio: `${ratio.toFixed(2)}x`,
      target: "at least 1.6x",
      met: ratio >= 1.6,
    };
  } finally {
    setPriority(priority);
  }
}

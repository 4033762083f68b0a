import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEnvironment, serve } from "../service/command.js";
import { runInProcess } from "../service/run-in-process.js";
import { sharedStores } from "../support/stores.js";
import { sendRequest, type Target } from "./load.js";
import { START_ENVIRONMENT } from "../bench/child.js";
import { toCommandLocation, createKey, getPercentile, chooseLength } from "./setup.js";

/** Seconds under attack: `SOAK_SECONDS=1800 npm run torture -- soak`. */
const SECONDS = Number(process.env.SOAK_SECONDS || chooseLength(2, 300));
/** Seconds alone, with some thousand requests for the p99. */
const ALONE_SECONDS = Math.min(SECONDS, 120);
/** Time after the attack in which memory is returned. */
const REST_SECONDS = chooseLength(2, 30);

/** The memory limit that the guide "Running" documents. */
const MAX_RSS_MB = 512;

/** A tenant that reads and writes at a moderate rate, and remembers acknowledged writes. */
class WellBehavedTenant {
  readonly #target: Target;
  readonly #titles = new Map<string, string>();
  readonly refused: string[] = [];
  #count = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Sends requests for a number of seconds, and returns their latencies in milliseconds. */
  async work(seconds: number): Promise<number[]> {
    const latencies: number[] = [];
    const end = performance.now() + seconds * 1000;
    const call = async (...request: [method: string, path: string, body?: object]) => {
      const response = await sendRequest(this.#target, ...request);
      latencies.push(response?.milliseconds ?? Infinity);
      if (response?.status !== 200) this.refused.push(`${request[1]}: ${response?.status}`);
      await sleep(10);
      return response?.status === 200 ? response.body : undefined;
    };
    const properties = (text: string): object => ({ Title: { title: [{ text: { content: text } }] } });
    while (performance.now() < end) {
      this.#count += 1;
      const title = `Page ${this.#count}`;
      const parent = { database_id: this.#target.databaseId };
      const page = await call("POST", "/v1/pages", { parent, properties: properties(title) });
      if (page === undefined) continue;
      const id = String(page.id);
      this.#titles.set(id, title);
      for (let read = 0; read < 5; read += 1) await call("GET", `/v1/pages/${id}`);
      const edited = `${title}, edited`;
      const update = await call("PATCH", `/v1/pages/${id}`, { properties: properties(edited) });
      if (update !== undefined) this.#titles.set(id, edited);
      await call("POST", `/v1/databases/${this.#target.databaseId}/query`, { page_size: 10 });
    }
    return latencies;
  }

  /** Counts acknowledged writes that the service has lost. */
  async countLost(): Promise<number> {
    let lost = 0;
    for (const [id, title] of this.#titles) {
      const page = await sendRequest(this.#target, "GET", `/v1/pages/${id}`);
      if (!JSON.stringify(page?.body.properties ?? {}).includes(JSON.stringify(title))) lost += 1;
    }
    return lost;
  }

  get writes(): number {
    return this.#titles.size;
  }
}

function readRss(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kib) / 1024);
}

async function createAttackers(env: Record<string, string>): Promise<string> {
  const attackers = [];
  for (let index = 0; index < 4; index += 1) {
    const workspace = ["--workspace", `Attacker ${index}`, "--plan", "free", "--json"];
    const made = JSON.parse((await runInProcess(["keys", "create", ...workspace], env)).stdout);
    attackers.push({ key: made.key, databaseId: made.root_database_id });
  }
  return JSON.stringify(attackers);
}

/** Starts the attackers; the returned function stops them and returns their report. */
function startAttackers(url: string, keys: string): () => Promise<string> {
  const file = fileURLToPath(new URL("attack.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file, url, keys], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return () =>
    new Promise((resolve) => {
      child.once("close", () => resolve(output));
      child.kill("SIGTERM");
    });
}

describe.each(sharedStores.slice(0, chooseLength(1, 2)))(
  "a well-behaved tenant beside four attackers, on %s",
  (name, newLocation) => {
    test(
      "keeps all its writes, and the process stays below its memory limit",
      { timeout: (2 * SECONDS + REST_SECONDS + 300) * 1000 },
      async () => {
        const env = createEnvironment(toCommandLocation(await newLocation()));
        const made = await createKey(env);
        const keys = await createAttackers(env);
        const service = await serve({
          ...env,
          LOG_LEVEL: "silent",
          NODE_OPTIONS: "--max-semi-space-size=8",
          ...START_ENVIRONMENT,
        });
        const pid = service.process.pid ?? 0;
        const tenant = new WellBehavedTenant({ ...made, url: service.url });
        await tenant.work(ALONE_SECONDS / 5);
        const alone = getPercentile(await tenant.work(ALONE_SECONDS), 0.99);
        const startRss = readRss(pid);

        let peakRss = startRss;
        const sampler = setInterval(() => (peakRss = Math.max(peakRss, readRss(pid))), 100);
        onTestFinished(() => clearInterval(sampler));
        const stop = startAttackers(service.url, keys);
        const attacked = getPercentile(await tenant.work(SECONDS), 0.99);
        const attacks = await stop();
        clearInterval(sampler);
        await sleep(REST_SECONDS * 1000);
        const endRss = readRss(pid);
        const lost = await tenant.countLost();

        const ratio = (attacked / alone).toFixed(1);
        console.log(
          `soak, ${name}, ${SECONDS} s: p99 ${alone.toFixed(1)} ms alone, ${attacked.toFixed(1)} ms under attack (${ratio} ×); ` +
            `${tenant.writes} writes, ${lost} lost, ${tenant.refused.length} refused; ` +
            `RSS ${startRss} MB before, at most ${peakRss} MB, ${endRss} MB after; attacks ${attacks}`,
        );
        expect(lost).toBe(0);
        expect(tenant.refused).toEqual([]);
        expect(peakRss).toBeLessThan(MAX_RSS_MB);
      },
    );
  },
);

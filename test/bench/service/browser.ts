/**
 * Compares pages in Chromium with the API calls that return the same data: `npm run bench:browser [-- ROUNDS]`. Each round
 * measures a page and its API call in turn, so that a busy machine slows both.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { createSetupToken } from "../../../src/access/workspaces/invitations.js";
import { createClient } from "../../../src/client/index.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { PROJECT } from "../../support/api-document.js";
import { CHROMIUM } from "../../support/browser.js";
import { Visitor } from "../../support/visitor.js";
import { median } from "../compare.js";
import { fill } from "./fill.js";

const ROUNDS = Number(process.argv[2] ?? 15);
const ROWS = 100_000;
const BLOCKS = 1000;
const BLOCKS_PER_REQUEST = 100;

interface Timing {
  /** Milliseconds until the first byte of the response. */
  readonly firstByte: number;
  /** Milliseconds until the complete response. */
  readonly complete: number;
}

const filled = await fill(path.join(PROJECT, "dist/bench-browser"), ROWS);
const store = await openStore(path.join(filled.folder, "page-service.db"));
const setupToken = await createSetupToken(store);
await store.close();
const service = spawn(process.execPath, ["--max-semi-space-size=8", "dist/src/cli.js", "serve"], {
  cwd: PROJECT,
  env: { ...process.env, DATA_DIR: filled.folder, PORT: "0", LOG_LEVEL: "silent" },
  stdio: ["ignore", "pipe", "inherit"],
});
process.on("exit", () => service.kill());
let welcome = "";
service.stdout.setEncoding("utf8").on("data", (text: string) => (welcome += text));
while (!/http:\/\/localhost:\d+/.test(welcome)) await once(service.stdout, "data");
const baseUrl = /http:\/\/localhost:\d+/.exec(welcome)?.[0] ?? "";
const headers = { Authorization: `Bearer ${filled.key}`, "Content-Type": "application/json" };

const visitor = new Visitor(baseUrl);
// A database of an earlier run already has the account.
if (setupToken === undefined) await visitor.signIn("bench@example.org");
else await visitor.signUp("Bench", `/join/${setupToken}`);
const longPageId = await createLongPage();
const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: baseUrl })));

const CASES = [
  {
    name: `Table, 100 of ${ROWS.toLocaleString("en")} rows`,
    path: `/${filled.databaseId}`,
    api: () => callApi("POST", `/v1/databases/${filled.databaseId}/query`, {}),
  },
  {
    name: `Table, sorted by a number`,
    path: `/${filled.databaseId}?sort=Number&direction=descending`,
    api: () =>
      callApi("POST", `/v1/databases/${filled.databaseId}/query`, {
        sorts: [{ property: "Number", direction: "descending" }],
      }),
  },
  { name: `Page of ${BLOCKS.toLocaleString("en")} blocks`, path: `/${longPageId}`, api: readBlocks },
  { name: "Docs", path: "/docs", api: () => callApi("GET", "/openapi.json") },
];

for (const { name, path: address, api } of CASES) {
  const calls: Timing[] = [];
  const pages: Awaited<ReturnType<typeof openPage>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    calls.push(await api());
    pages.push(await openPage(address));
  }
  const formatMedian = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`;
  console.log(name);
  console.log(
    `  API: first byte ${formatMedian(calls.map((call) => call.firstByte))}, complete ${formatMedian(calls.map((call) => call.complete))}`,
  );
  console.log(
    `  page: first byte ${formatMedian(pages.map((page) => page.firstByte))}, first contentful paint ${formatMedian(pages.map((page) => page.paint))}, loaded ${formatMedian(pages.map((page) => page.loaded))}`,
  );
  // The maximum, because later responses can be 304 without a body.
  const transferred = Math.max(...pages.map((page) => page.transferred));
  console.log(`  document: ${transferred} bytes transferred, ${pages[0]?.decoded} decoded`);
}
await browser.close();
process.exit();

/** Creates a page with BLOCKS paragraphs. */
async function createLongPage(): Promise<string> {
  const client = createClient({ baseUrl, apiKey: filled.key });
  const { body: page } = await client.createPage({
    body: {
      parent: { workspace: true },
      properties: { title: { title: [{ text: { content: "Long page" } }] } },
    },
  });
  for (let from = 0; from < BLOCKS; from += BLOCKS_PER_REQUEST) {
    const children = Array.from({ length: BLOCKS_PER_REQUEST }, (_, index) => ({
      paragraph: { rich_text: [{ text: { content: `Paragraph ${from + index} of a long page.` } }] },
    }));
    await client.appendBlockChildren({ path: { block_id: page.id }, body: { children } });
  }
  return page.id;
}

async function callApi(method: string, address: string, body?: object): Promise<Timing> {
  const started = performance.now();
  const response = await fetch(baseUrl + address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const firstByte = performance.now() - started;
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${method} ${address}: ${response.status}`);
  return { firstByte, complete: performance.now() - started };
}

/** Reads the blocks of the long page, with as many requests as the API needs. */
async function readBlocks(): Promise<Timing> {
  const client = createClient({ baseUrl, apiKey: filled.key });
  const started = performance.now();
  let firstByte = 0;
  let cursor: string | null | undefined;
  do {
    const { body } = await client.listBlockChildren({
      path: { block_id: longPageId },
      query: cursor ? { start_cursor: cursor } : {},
    });
    firstByte ||= performance.now() - started;
    cursor = body.next_cursor;
  } while (cursor);
  return { firstByte, complete: performance.now() - started };
}

/** Opens a page in a new tab without a cache, and reads its timing. */
async function openPage(address: string) {
  const page: Page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const response = await page.goto(baseUrl + address, { waitUntil: "load" });
  if (response?.status() !== 200) throw new Error(`${address}: ${response?.status()}`);
  // Polls, because waitForFunction requires `eval` in the page.
  while ((await page.evaluate("performance.getEntriesByName('first-contentful-paint').length")) === 0) {
    await sleep(20);
  }
  // The cast: the script returns these fields.
  const timing = (await page.evaluate(`(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return {
      firstByte: navigation.responseStart,
      paint: paint.startTime,
      loaded: navigation.loadEventEnd,
      transferred: navigation.transferSize,
      decoded: navigation.decodedBodySize,
    };
  })()`)) as Record<"firstByte" | "paint" | "loaded" | "transferred" | "decoded", number>;
  await page.close();
  return timing;
}

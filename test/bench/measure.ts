import { spawnSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readResidentMegabytes, ROOT, startServer } from "./child.js";
import { compare, load, median } from "./compare.js";
import { encodeRequest } from "./raw-client.js";
import { recordResponse } from "./record.js";
import { body, invalidBody } from "./servers/create-page.js";
import type { BenchService } from "./service.js";
import { createRatioRow } from "./service/rows.js";
import type { Row } from "./table.js";

/** Measures repeated GET requests of one page, compared with a server that only repeats the response. */
export async function measureGet(service: BenchService, folder: string): Promise<Row> {
  console.log("GET a page: the service compared with bare node:http");
  const child = await service.start();
  await service.createPage(child.url);
  const file = path.join(folder, "answer.json");
  await recordResponse(`${child.url}${service.pagePath}`, service.headers, file);
  const bare = await startServer("bare", [file]);
  const bytes = encodeRequest("GET", service.pagePath, service.key);
  const request = () => bytes;
  const found = await compare(
    { name: "service", url: child.url, pid: child.pid, request },
    { name: "bare", url: bare.url, pid: bare.pid, request },
  );
  await Promise.all([child.stop(), bare.stop()]);
  return createRatioRow("GET the same page repeatedly", found, "bare node:http", 0.5);
}

/** Measures GET of a page in memory with the checks of key, rate limit and permissions, compared with no checks. */
export async function measureAdmission(): Promise<Row> {
  console.log("GET a page in memory: with key and limit compared with neither");
  const [checked, open] = await Promise.all([
    startServer("admission", ["with"]),
    startServer("admission", ["without"]),
  ]);
  const bytes = encodeRequest("GET", "/");
  const request = () => bytes;
  const found = await compare(
    { name: "with", url: checked.url, pid: checked.pid, request },
    { name: "without", url: open.url, pid: open.pid, request },
  );
  await Promise.all([checked.stop(), open.stop()]);
  return createRatioRow("GET a page in memory, with key and limit", found, "without them", 0.85);
}

/** Measures POST with validation and without storage, compared with Express and express-openapi-validator. */
export async function measurePost(): Promise<Row> {
  console.log("POST a page without storage: the runtime compared with express-openapi-validator");
  const [runtime, express] = await Promise.all([startServer("runtime"), startServer("express")]);
  const headers = { "content-type": "application/json" };
  const bytes = encodeRequest("POST", "/v1/pages", undefined, body);
  const request = () => bytes;
  for (const { url } of [runtime, express]) {
    const refused = await fetch(`${url}/v1/pages`, {
      method: "POST",
      headers,
      body: JSON.stringify(invalidBody),
    });
    if (refused.status !== 400) throw new Error(`An invalid body got ${refused.status}, not 400, at ${url}.`);
  }
  const found = await compare(
    { name: "runtime", url: runtime.url, pid: runtime.pid, request },
    { name: "express", url: express.url, pid: express.pid, request },
  );
  await Promise.all([runtime.stop(), express.stop()]);
  return createRatioRow(
    "POST a page: validation, no storage",
    found,
    "express + express-openapi-validator",
    4,
  );
}

/** Measures the time from the start of the process to the first page. */
export async function measureStart(service: BenchService): Promise<Row> {
  console.log("Start of the service to its first response");
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) seconds.push(await service.measureStart());
  return createLimitRow("Process start to first 200 of the API", median(seconds), "s", 1);
}

/**
 * Measures the memory 3 seconds after the start, and 30 seconds after a load, because V8 releases memory only when it has
 * been idle. `meanwhile` runs during these 30 seconds, in which the service is idle.
 */
export async function measureMemory(service: BenchService, meanwhile: () => Promise<Row[]>): Promise<Row[]> {
  console.log("Memory of the service at rest");
  const child = await service.start();
  await sleep(3000);
  const before = readResidentMegabytes(child.pid);
  const bytes = encodeRequest("GET", service.pagePath, service.key);
  await load({ name: "service", url: child.url, pid: child.pid, request: () => bytes }, 5);
  const peak = readResidentMegabytes(child.pid);
  console.log(`  right after the load ${Math.round(peak)} MB`);
  const [rows] = await Promise.all([meanwhile(), sleep(30_000)]);
  const after = readResidentMegabytes(child.pid);
  await child.stop();
  return [
    ...rows,
    createLimitRow("Memory at rest, 3 s after the start", before, "MB", 120),
    createLimitRow("Memory at rest, 30 s after 5 s of load", after, "MB", 120),
  ];
}

/** Measures `generate -- --check` without changes, including npm. */
export async function measureCheck(): Promise<Row> {
  console.log("generate --check without changes");
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    const { status, stdout } = spawnSync("npm", ["run", "--silent", "generate", "--", "--check"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    seconds.push((performance.now() - started) / 1000);
    if (status !== 0) throw new Error(`The generated files are out of date:\n${stdout}`);
  }
  return createLimitRow("npm run generate -- --check, no changes", median(seconds), "s", 1);
}

function createLimitRow(what: string, value: number, unit: "s" | "MB", most: number): Row {
  return {
    what,
    figure: `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`,
    beside: "",
    ratio: "",
    target: `under ${most} ${unit}`,
    met: value < most,
  };
}

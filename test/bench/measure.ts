import { spawnSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMegabytes, ROOT, startServer } from "./child.js";
import { compare, type Comparison, load, median } from "./compare.js";
import { requestBytes } from "./raw-client.js";
import { recordAnswer } from "./record.js";
import { body, invalidBody } from "./servers/create-page.js";
import type { BenchService } from "./service.js";
import { formatSpeed, type Row } from "./table.js";

/** GET of one page again and again, compared with a server that only repeats the response. */
export async function measureGet(service: BenchService, folder: string): Promise<Row> {
  console.log("GET a page: the service beside bare node:http");
  const child = await service.start();
  await service.createPage(child.url);
  const file = path.join(folder, "answer.json");
  await recordAnswer(`${child.url}${service.pagePath}`, service.headers, file);
  const bare = await startServer("bare", [file]);
  const bytes = requestBytes("GET", service.pagePath, service.key);
  const request = () => bytes;
  const found = await compare(
    { name: "service", url: child.url, pid: child.pid, request },
    { name: "bare", url: bare.url, pid: bare.pid, request },
  );
  await Promise.all([child.stop(), bare.stop()]);
  return throughput("GET the same page again and again", found, "bare node:http", 0.5);
}

/** GET of a page in memory with the check of key, limit and rights, beside the same without it. */
export async function measureAdmission(): Promise<Row> {
  console.log("GET a page in memory: with key and limit beside without");
  const [checked, open] = await Promise.all([
    startServer("admission", ["with"]),
    startServer("admission", ["without"]),
  ]);
  const bytes = requestBytes("GET", "/");
  const request = () => bytes;
  const found = await compare(
    { name: "with", url: checked.url, pid: checked.pid, request },
    { name: "without", url: open.url, pid: open.pid, request },
  );
  await Promise.all([checked.stop(), open.stop()]);
  return throughput("GET a page in memory, with key and limit", found, "without them", 0.85);
}

/** POST with validation and without storage, beside Express with express-openapi-validator. */
export async function measurePost(): Promise<Row> {
  console.log("POST a page without storage: the runtime beside express-openapi-validator");
  const [runtime, express] = await Promise.all([startServer("runtime"), startServer("express")]);
  const headers = { "content-type": "application/json" };
  const bytes = requestBytes("POST", "/v1/pages", undefined, body);
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
  return throughput("POST a page: validation, no storage", found, "express + express-openapi-validator", 4);
}

/** From the start of the process to the first page. */
export async function measureStart(service: BenchService): Promise<Row> {
  console.log("Start of the service to its first answer");
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) seconds.push(await service.secondsToFirstPage());
  return limit("Process start to first 200 of the API", median(seconds), "s", 1);
}

/**
 * Memory some seconds after the start, and half a minute after a load: V8 gives back what a load has taken when it
 * has been idle for a while. What `meanwhile` measures runs during that wait, in which the service does nothing.
 */
export async function measureMemory(service: BenchService, meanwhile: () => Promise<Row[]>): Promise<Row[]> {
  console.log("Memory of the service at rest");
  const child = await service.start();
  await sleep(3000);
  const before = residentMegabytes(child.pid);
  const bytes = requestBytes("GET", service.pagePath, service.key);
  await load({ name: "service", url: child.url, pid: child.pid, request: () => bytes }, 5);
  const peak = residentMegabytes(child.pid);
  console.log(`  right after the load ${Math.round(peak)} MB`);
  const [rows] = await Promise.all([meanwhile(), sleep(30_000)]);
  const after = residentMegabytes(child.pid);
  await child.stop();
  return [
    ...rows,
    limit("Memory at rest, 3 s after the start", before, "MB", 120),
    limit("Memory at rest, 30 s after 5 s of load", after, "MB", 120),
  ];
}

/** The check of generated files when nothing has changed, npm included. */
export async function measureCheck(): Promise<Row> {
  console.log("generate --check with nothing changed");
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    const { status, stdout } = spawnSync("npm", ["run", "--silent", "generate", "--", "--check"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    seconds.push((performance.now() - started) / 1000);
    if (status !== 0) throw new Error(`The generated files are not in step:\n${stdout}`);
  }
  return limit("npm run generate -- --check, nothing changed", median(seconds), "s", 1);
}

function throughput(what: string, found: Comparison, beside: string, target: number): Row {
  return {
    what,
    figure: formatSpeed(found.left, found.leftMicros),
    beside: `${formatSpeed(found.right, found.rightMicros)} ${beside}`,
    ratio: `${found.ratio.toFixed(2)}x`,
    target: `at least ${target}x`,
    met: found.ratio >= target,
  };
}

function limit(what: string, value: number, unit: "s" | "MB", most: number): Row {
  return {
    what,
    figure: `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`,
    beside: "",
    ratio: "",
    target: `under ${most} ${unit}`,
    met: value < most,
  };
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "libsql";
import { createPageService } from "../../src/service.js";
import { createClient, property } from "../../src/client/index.js";
import { listen } from "../support/ports.js";
import { Visitor } from "../support/visitor.js";
import { type SqlmapRequest, createSqlmapRequests } from "./sqlmap-requests.js";

/*
 * Runs sqlmap against every input of the service. A control run first checks that sqlmap finds an injectable input. LEVEL
 * (1 to 5) and RISK (1 to 3) are options of sqlmap; the level is 1 for requests that hash a password. DATABASE_URL is an
 * empty PostgreSQL database to use instead of a file, ONLY a regular expression for the names of requests. VERBOSE shows
 * the output of sqlmap.
 */

const { LEVEL = "5", RISK = "3", DATABASE_URL, ONLY = "" } = process.env;
/** Time limit for one request of the list. */
const TIME_LIMIT_MS = 300_000;
const dbms = DATABASE_URL === undefined ? "sqlite" : "postgresql";
const folder = mkdtempSync(path.join(tmpdir(), "page-service-sqlmap-"));

const service = await createPageService({ database: DATABASE_URL ?? path.join(folder, "page-service.db") });
const statuses = new Map<number, number>();
const failures = new Set<string>();
let connection = 0;
const server = createServer((request, response) => {
  response.once("finish", () => {
    const { statusCode } = response;
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    if (statusCode >= 500) failures.add(`${statusCode} ${request.method} ${request.url}`);
  });
  service.handle(request, response);
});
// Gives each connection its own address, so that limits per address do not reject requests before they are processed.
server.on("connection", (socket) => {
  connection += 1;
  const remoteAddress = `10.${(connection >> 16) & 255}.${(connection >> 8) & 255}.${connection & 255}`;
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
});
const url = `http://127.0.0.1:${await listen(server)}`;
const found: string[] = [];
try {
  await checkControl();
  const target = await fill();
  const requests = (await createSqlmapRequests(target)).filter(({ name }) => new RegExp(ONLY).test(name));
  let places = 0;
  for (const request of requests) {
    const outcome = await runSqlmap(request, url, dbms);
    places += outcome.places;
    found.push(...outcome.found.map((place) => `${request.name}: ${place}`));
    if (!outcome.whole) found.push(`${request.name}: not tested completely\n${outcome.last}`);
    console.log(`${request.name}: ${outcome.places} inputs, ${outcome.found.length} injectable`);
  }
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const each = [...statuses].toSorted(([one], [other]) => one - other).map(([code, n]) => `${n} × ${code}`);
  console.log(
    `sqlmap, level ${LEVEL}, risk ${RISK}, ${dbms}: ${places} inputs, ${sent} requests (${each.join(", ")}), ` +
      `${found.length} injectable, ${failures.size} failures`,
  );
  for (const line of [...found, ...failures]) console.log(line);
  process.exitCode = found.length + failures.size === 0 ? 0 : 1;
} finally {
  server.close();
  server.closeAllConnections();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Checks that sqlmap finds an injectable input. */
async function checkControl(): Promise<void> {
  const database = new Database(":memory:");
  database.exec("CREATE TABLE t (id TEXT); INSERT INTO t VALUES ('1')");
  const open = createServer((request, response) => {
    const id = new URL(request.url ?? "", "http://x").searchParams.get("id") ?? "";
    try {
      response.end(JSON.stringify(database.prepare(`SELECT id FROM t WHERE id = '${id}'`).all()));
    } catch {
      response.writeHead(400).end();
    }
  });
  const address = `http://127.0.0.1:${await listen(open)}`;
  const control = { name: "control", method: "GET", path: "/?id=1*", headers: {} };
  const outcome = await runSqlmap(control, address, "sqlite");
  open.close();
  open.closeAllConnections();
  if (outcome.found.length === 0)
    throw new Error(`sqlmap did not find the injectable input of the control:\n${outcome.last}`);
}

/** Creates pages with values of several types, an account, and a visitor without an account. */
async function fill() {
  const { key, rootDatabaseId: databaseId } = await service.createKey({
    workspaceName: "Test",
    plan: "enterprise",
  });
  const client = createClient({ baseUrl: url, apiKey: key });
  const option = { options: [{ name: "a" }] };
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: {
      properties: {
        Text: { rich_text: {} },
        Choice: { select: option },
        Tags: { multi_select: option },
        Number: { number: {} },
        Day: { date: {} },
      },
    },
  });
  let pageId = "";
  for (const number of [1, 2, 3]) {
    const { body } = await client.createPage({
      body: {
        parent: { database_id: databaseId },
        properties: {
          title: property.title(`Page ${number}`),
          Text: property.text(`Text ${number}`),
          Choice: property.select("a"),
          Number: property.number(number),
        },
      },
    });
    pageId = body.id;
  }
  const [owner, stranger] = [new Visitor(url), new Visitor(url)];
  await owner.signUp("Ada");
  return { key, databaseId, pageId, owner, stranger };
}

/** Runs sqlmap for one request. */
async function runSqlmap(request: SqlmapRequest, at: string, kind: string) {
  const { name, method, path: place, headers, body, slow, random } = request;
  const file = path.join(folder, "request.txt");
  const lines = [
    `${method} ${place} HTTP/1.1`,
    `Host: ${new URL(at).host}`,
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
  ];
  writeFileSync(file, `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
  const level = slow ? "1" : LEVEL;
  const settings = ["--batch", "--flush-session", "--disable-coloring", "--level", level, "--risk", RISK];
  const output = path.join(folder, "output");
  // Ignores 401 and 404, because payloads result in unknown objects and wrong keys.
  const rest = ["--ignore-stdin", "--dbms", kind, "--ignore-code", "401,404", "--output-dir", output];
  if (random !== undefined) rest.push("--randomize", random);
  const child = spawn("sqlmap", ["-r", file, ...settings, ...rest], {
    timeout: TIME_LIMIT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const vulnerable = [...text.matchAll(/^Parameter: (.+)$/gm)].map(([, parameter = ""]) => parameter);
  const tried = new Set(
    [...text.matchAll(/testing for SQL injection on (.+)/g)].map(([, parameter]) => parameter),
  );
  const whole =
    vulnerable.length > 0 || text.includes("all tested parameters do not appear to be injectable");
  if (process.env.VERBOSE) console.log(name, text);
  return { found: vulnerable, places: tried.size, whole, last: text.split("\n").slice(-12).join("\n") };
}

/*
 * Compares queries of a large database with a GET of one page: `tsx test/bench/query.ts [PAGES] [FILE]`. The SQLite file
 * FILE is filled with SQL, and reused by the next run. Without FILE the database is temporary.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "libsql";
import { createClient } from "../../src/client/index.js";
import { Random } from "../support/random.js";
import { startService } from "../support/service.js";

const PAGES = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(path.join(tmpdir(), "bench-query-"));
const file = process.argv[3] ?? path.join(folder, "query.db");
const metadataFile = `${file}.json`;
const DAY = 86_400_000;
const SELECTS = ["One", "Two", "Three", "Four", "Five"];

interface FilledDatabase {
  key: string;
  databaseId: string;
  pageId: string;
}

const ascending = (property: string) => ({ property, direction: "ascending" }) as const;
const descending = (property: string) => ({ property, direction: "descending" }) as const;
const code = (content: string) => ({ property: "Code", rich_text: { equals: content } });

const QUERIES: Record<string, object> = {
  "all, by creation": {},
  "one page by its text": { filter: code("code-777") },
  "one page by its text, sorted": { filter: code("code-777"), sorts: [descending("Number")] },
  "two pages of an or in an and": {
    filter: {
      and: [{ property: "Done", checkbox: { equals: true } }, { or: [code("code-777"), code("code-778")] }],
    },
  },
  "pages whose text starts with a prefix, sorted": {
    filter: { property: "Code", rich_text: { starts_with: "code-777" } },
    sorts: [ascending("Number")],
  },
  "100 by number": { sorts: [ascending("Number")] },
  "100 by number, descending": { sorts: [descending("Number")] },
  "100 by title, descending": { sorts: [descending("Name")] },
  "100 by option, descending": { sorts: [descending("Select")] },
  "100 by date, descending": { sorts: [descending("Date")] },
  "100 by last edit, descending": { sorts: [{ timestamp: "last_edited_time", direction: "descending" }] },
  "100 of a third, by date": {
    filter: { property: "Done", checkbox: { equals: false } },
    sorts: [descending("Date")],
  },
  "100 of 6 %, by number": {
    filter: {
      and: [
        { property: "Done", checkbox: { equals: true } },
        { property: "Select", select: { equals: "Two" } },
      ],
    },
    sorts: [ascending("Number")],
  },
  "few that contain a text": { filter: { property: "Code", rich_text: { contains: "e-7777" } } },
  "100 by option, then by number": { sorts: [ascending("Select"), descending("Number")] },
  "100 by number, then by option": { sorts: [ascending("Number"), descending("Select")] },
  "100 by date, option and title": { sorts: [descending("Date"), ascending("Select"), ascending("Name")] },
  "100 of a third, by option, then by date": {
    filter: { property: "Done", checkbox: { equals: true } },
    sorts: [descending("Select"), descending("Date")],
  },
};

/** Creates the database over HTTP and fills it with SQL. */
async function fill(): Promise<FilledDatabase> {
  const running = await startService({ database: file, plan: "enterprise" });
  const client = createClient({ baseUrl: running.baseUrl, apiKey: running.key });
  const { body: database } = await client.createDatabase({
    body: {
      parent: { type: "workspace", workspace: true },
      properties: {
        Name: { title: {} },
        Number: { number: {} },
        Code: { rich_text: {} },
        Done: { checkbox: {} },
        Date: { date: {} },
        Select: { select: { options: SELECTS.map((name) => ({ name })) } },
      },
    },
  });
  await running.service.close();
  const idOf = (name: string): string => decodeURIComponent(database.properties[name]?.id ?? "");
  const select = database.properties.Select;
  const options = select?.type === "select" ? select.select.options : [];
  const db = new Database(file);
  db.exec("pragma synchronous = off; begin");
  const addPage = db.prepare(
    "insert into pages (workspace_id, id, parent_type, parent_id, created_time, last_edited_time, created_by, " +
      "last_edited_by, in_trash, version, title_text, properties) values (?,?,'database_id',?,?,?,?,?,0,0,?,?)",
  );
  const addValue = db.prepare(
    "insert into property_values (workspace_id, page_id, database_id, property_id, ordinal, text_key, number_key) " +
      "values (?,?,?,?,0,?,?)",
  );
  const random = new Random(1);
  const start = Date.UTC(2025, 0, 1);
  let pageId = "";
  for (let index = 0; index < PAGES; index += 1) {
    const digits = index.toString(16).padStart(8, "0");
    pageId = `0190${digits.slice(0, 4)}-${digits.slice(4)}-7000-8000-00000000abcd`;
    const number = random.below(PAGES * 10);
    const option = options[random.below(options.length)];
    const done = random.below(3) === 0;
    const date = start + random.below(365) * DAY;
    const run = (content: string) => ({
      type: "text",
      text: { content, link: null },
      annotations: {
        bold: false,
        italic: false,
        strikethrough: false,
        underline: false,
        code: false,
        color: "default",
      },
      plain_text: content,
      href: null,
    });
    const properties = {
      title: [run(`Page ${number}`)],
      [idOf("Number")]: number,
      [idOf("Code")]: [run(`code-${index}`)],
      [idOf("Done")]: done,
      [idOf("Date")]: { start: new Date(date).toISOString().slice(0, 10), end: null, time_zone: null },
      ...(option ? { [idOf("Select")]: option.id } : {}),
    };
    const time = start + index;
    const { workspaceId } = running;
    addPage.run([
      workspaceId,
      pageId,
      database.id,
      time,
      time + random.below(DAY),
      workspaceId,
      workspaceId,
      `page ${number}`,
      JSON.stringify(properties),
    ]);
    const value = (name: string, key: string | null, number_: number | null): void => {
      addValue.run([workspaceId, pageId, database.id, name === "Name" ? "title" : idOf(name), key, number_]);
    };
    value("Name", `page ${number}`, null);
    value("Number", null, number);
    value("Code", `code-${index}`, null);
    value("Done", null, done ? 1 : 0);
    value("Date", null, date);
    if (option) value("Select", option.id, SELECTS.indexOf(option.name));
  }
  db.exec("commit");
  db.close();
  return { key: running.key, databaseId: database.id, pageId };
}

/** Measures the median time of a repeated request, in microseconds. */
async function measure(send: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + 1500;
  for (let count = 0; count < 20 || (performance.now() < end && count < 2000); count += 1) {
    const begun = performance.now();
    if ((await send()) !== 200) throw new Error("The service rejected the request.");
    times.push((performance.now() - begun) * 1000);
    if (times.length >= 5 && performance.now() > end + 10_000) break;
  }
  return times.sort((one, other) => one - other)[times.length >> 1] ?? 0;
}

const filled: FilledDatabase = existsSync(metadataFile)
  ? JSON.parse(readFileSync(metadataFile, "utf8"))
  : await fill();
if (process.argv[3] !== undefined) writeFileSync(metadataFile, JSON.stringify(filled));
const { service, baseUrl } = await startService({ database: file });
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const send = (method: string, url: string, body?: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const json = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${filled.key}`,
      "notion-version": "2022-06-28",
      ...(json ? { "content-type": "application/json", "content-length": Buffer.byteLength(json) } : {}),
    };
    const request = http.request(`${baseUrl}${url}`, { method, agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(json);
  });

const get = await measure(() => send("GET", `/v1/pages/${filled.pageId}`));
console.log(`${PAGES} pages; GET of one page: ${get.toFixed(0)} µs`);
for (const [name, query] of Object.entries(QUERIES)) {
  const time = await measure(() => send("POST", `/v1/databases/${filled.databaseId}/query`, query));
  console.log(
    `${name.padEnd(40)} ${time.toFixed(0).padStart(9)} µs ${(time / get).toFixed(1).padStart(8)} ×`,
  );
}
agent.destroy();
await service.close();
rmSync(folder, { recursive: true, force: true });

import { request } from "node:http";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../../../../src/storage/engine/dialect.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import type { Tables } from "../../../../src/storage/tables.js";
import { newLocation } from "../../../support/stores.js";
import { startWeb } from "../visitors.js";

/** A query that takes hours. */
const endless = sql`
  with recursive row(number) as (select 1 union all select number + 1 from row limit ${1e12})
  select count(*) as counted from row`;

/** Makes all scans of a store endless, and returns the reasons for which they end. */
function makeScansEndless(store: Store): { readonly started: string[]; readonly ended: string[] } {
  const scans = { started: [] as string[], ended: [] as string[] };
  const { openScan } = store;
  store.openScan = (workspaceId, ...options) =>
    openSqlite<Tables>({
      async executeQuery() {
        scans.started.push(workspaceId);
        return endless.execute(openScan(workspaceId, ...options)).catch((error: Error) => {
          scans.ended.push(error.message);
          throw error;
        }) as Promise<never>;
      },
    });
  onTestFinished(() => void (store.openScan = openScan));
  return scans;
}

test.each(["/search?q=ab", "/trash"])(
  "a scan of the page %s keeps no other page waiting, and is canceled without a log line when the browser leaves",
  async (path) => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => void lines.push(line) });
    const { service, url, member } = await startWeb({ database: await newLocation(), logger });
    const visitor = await member("Ada");
    const scans = makeScansEndless(service.store);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const browser = request(url + path, { headers: { cookie } }).on("error", () => {});
    browser.end();
    await expect.poll(() => scans.started.length).toBe(1);
    expect((await visitor.get("/settings/members")).status).toBe(200);
    browser.destroy();
    await expect.poll(() => scans.ended).toEqual(["The client closed the connection."]);
    // The slot of the page is free again when its error has been handled.
    await visitor.get("/settings/members");
    expect(lines).toEqual([]);
  },
);

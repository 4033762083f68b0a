import { expect, test } from "vitest";
import { setPlan } from "../../../src/access/workspaces/workspaces.js";
import { addRequestCount } from "../../../src/storage/access/request-counts.js";
import { renderBarChart, toBuckets } from "../../../src/web/pages/request-chart.js";
import { getApiStatus, startWeb, readText } from "./visitors.js";

test("the settings show the plan, and all and refused requests of the last hour and day", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  const { id } = await service.store.read.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  const now = Math.floor(Date.now() / 60_000);
  await service.store.write(id, async (scope) => {
    await addRequestCount(scope, { minute: now - 10, passed: 1200, refused: 34 });
    await addRequestCount(scope, { minute: now - 300, passed: 5, refused: 6 });
  });
  const page = await readText(ada, "/settings/api");
  const statistics = page.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>\s*(?:<dd class="more">([^<]*))?/g);
  expect([...statistics].map(([, name, value, more]) => [name, value, more])).toEqual([
    ["Plan", "Pro", undefined],
    ["Request limit", "1,000", "per minute"],
    ["Storage", "0 MB", "limit: 20 GB"],
    ["Requests, last hour", "1,234", "34 refused"],
    ["Requests, last 24 hours", "1,245", "40 refused"],
  ]);
  // Tables of many rows scroll, which requires the focus without a mouse.
  expect(page.match(/<div class="chart-table" tabindex="0"/g)).toHaveLength(2);
  // Another workspace has its own counts.
  expect(await readText(await member("Eve"), "/settings/api")).toMatch(
    /Requests, last hour<\/dt>\s*<dd>0<\/dd>/,
  );
});

test("a workspace beyond the storage of its plan shows that new content is refused", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  const { id } = await service.store.read.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  await service.store.write(id, ({ db: tx }) =>
    tx.updateTable("workspaces").set({ counted_bytes: 20_500_000_000 }).where("id", "=", id).execute(),
  );
  expect(await readText(ada, "/settings/api")).toMatch(
    /<dd>20.5 GB<\/dd>\s*<dd class="more">limit: 20 GB, so new content is refused</,
  );
});

test("a plan without limits says so", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  await setPlan(service.store, "Demo", "enterprise", undefined);
  const page = await readText(ada, "/settings/api");
  expect(page).toMatch(/<dt>Request limit<\/dt>\s*<dd>no limit<\/dd>/);
  expect(page).toMatch(/<dd class="more">no limit<\/dd>/);
  await setPlan(service.store, "Demo", "enterprise", 250);
  expect(await readText(ada, "/settings/api")).toMatch(/<dt>Request limit<\/dt>\s*<dd>250<\/dd>/);
});

test("requests beyond the rate limit are shown as refused", async () => {
  const { member, service, url } = await startWeb();
  const ada = await member("Ada");
  const { name } = await service.store.read.selectFrom("workspaces").select("name").executeTakeFirstOrThrow();
  const { key } = await service.createKey({ workspaceName: name, plan: "enterprise", limit: 2 });
  for (let call = 0; call < 5; call += 1) await getApiStatus(url, key);
  // The calls are in one or two windows of the limit.
  expect(await readText(ada, "/settings/api")).toMatch(
    /Requests, last hour<\/dt>\s*<dd>5<\/dd>\s*<dd class="more">[1-3] refused/,
  );
});

test("the labels of a chart are the times of their bars", () => {
  const now = Date.parse("2030-01-01T10:59:30Z");
  const chart = renderBarChart(
    "Last hour",
    "a minute",
    toBuckets([], now, { minutesPerBucket: 1, bucketCount: 60 }),
  ).text;
  expect([...chart.matchAll(/>(\d\d:\d\d)<\/text/g)].map(([, label]) => label)).toEqual([
    "10:00",
    "10:15",
    "10:30",
    "10:45",
  ]);
});

test("requests are summed into buckets, the last of which contains now", () => {
  const counts = [79, 80, 89, 90, 109, 110].map((minute) => ({ minute, passed: minute, refused: 1 }));
  expect(toBuckets(counts, 109.9 * 60_000, { minutesPerBucket: 10, bucketCount: 3 })).toEqual([
    { minute: 80, passed: 169, refused: 2 },
    { minute: 90, passed: 90, refused: 1 },
    { minute: 100, passed: 109, refused: 1 },
  ]);
});

test("a bar has the passed requests below the refused ones, and is visible if there is one request", () => {
  const chart = renderBarChart("Last hour", "a minute", [
    { minute: 0, passed: 600, refused: 400 },
    { minute: 1, passed: 0, refused: 0 },
    { minute: 2, passed: 1, refused: 0 },
    { minute: 3, passed: 0, refused: 0 },
  ]).text;
  const bars = chart.matchAll(/class="(\w+)"\s+x="(.*)"\s+y="(.*)"\s+width="(.*)"\s+height="(.*)"/g);
  // The scale ends at 2000, which is 122 above the baseline at 130.
  expect([...bars].map(([, ...bar]) => bar)).toEqual([
    ["passed", "40", "93.4", "108.5", "36.6"],
    ["refused", "40", "69", "108.5", "24.4"],
    ["passed", "260", "128.5", "108.5", "1.5"],
  ]);
  expect(chart).toContain("Last hour: 601 passed, 400 refused, at most 1,000 in a minute.");
  expect([...chart.matchAll(/<title>(.*)<\/title>/g)].map(([, title]) => title)).toEqual([
    "00:00 UTC: 600 passed, 400 refused",
    "00:02 UTC: 1 passed, 0 refused",
  ]);
});

test.each([
  [0, ["0", "1", "2"]],
  [3, ["0", "2", "4"]],
  [7, ["0", "5", "10"]],
  [15, ["0", "10", "20"]],
  [2500, ["0", "2K", "4K"]],
  [2_000_001, ["0", "2M", "4M"]],
])("the scale of a chart with at most %d requests has the labels %j", (passed, labels) => {
  const chart = renderBarChart("Last hour", "a minute", [{ minute: 0, passed, refused: 0 }]).text;
  expect([...chart.matchAll(/text-anchor="end">(\d[^<]*)<\/text/g)].map(([, label]) => label)).toEqual(
    labels,
  );
});

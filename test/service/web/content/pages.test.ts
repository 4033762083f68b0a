import { expect, test } from "vitest";
import { type Client, createClient } from "../../../../src/client/index.js";
import { Visitor } from "../../../support/visitor.js";
import { CONDITIONS } from "../../../../src/web/pages/content/table-view.js";
import { startWeb, textOf } from "../visitors.js";

interface Fixture {
  readonly visitor: Visitor;
  readonly url: string;
  readonly client: Client;
  readonly databaseId: string;
  member(name: string): Promise<Visitor>;
}

/** Ada, signed in, with an API key of her workspace and a database in it. */
async function start(): Promise<Fixture> {
  const { url, member } = await startWeb();
  const visitor = await member("Ada");
  const client = createClient({ baseUrl: url, apiKey: await visitor.createKey("Importer") });
  const { body: found } = await client.search({
    body: { filter: { property: "object", value: "database" } },
  });
  const parent = { type: "workspace", workspace: true } as const;
  const [demo] = found.results;
  if (demo === undefined) throw new Error("The demo workspace has no database.");
  const { body: database } = await client.createDatabase({
    body: {
      parent: demo.parent.type === "workspace" ? parent : { page_id: demo.id },
      title: [{ text: { content: "Teas" } }],
      properties: { Name: { title: {} }, Price: { number: {} }, Site: { url: {} }, Kind: { select: {} } },
    },
  });
  return { url, visitor, client, member, databaseId: database.id };
}

function addTea({ client, databaseId }: Fixture, name: string, price: number, site = "https://example.com/") {
  return client.createPage({
    body: {
      parent: { database_id: databaseId },
      properties: {
        Name: { title: [{ text: { content: name } }] },
        Price: { number: price },
        Site: { url: site },
        Kind: { select: { name: "Green" } },
      },
    },
  });
}

/** Titles of the rows of a table, in their order. */
function rowTitles(page: string): string[] {
  return [...page.matchAll(/<th scope="row">\s*<a[^>]*>([^<]*)<\/a>/g)].map(([, title = ""]) => title);
}

/** Path of the `href` of a link by its relation. */
function linkOf(page: string, rel: string): string {
  return (new RegExp(`rel="${rel}"\\s+href="([^"]*)"`).exec(page)?.[1] ?? "").replaceAll("&#38;", "&");
}

test("the start page of a member lists the databases and the pages that were edited last", async () => {
  const fixture = await start();
  await addTea(fixture, "Sencha", 12);
  const page = await textOf(fixture.visitor, "/");
  expect(page).toContain(">Teas</a>");
  expect(page).toContain(">Sencha</a>");
});

test("a page opens at its url, with its properties, its blocks, its comments and who edited it", async () => {
  const fixture = await start();
  const { client, visitor, url } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12);
  await client.appendBlockChildren({
    path: { block_id: page.id },
    body: {
      children: [
        { heading_1: { rich_text: [{ text: { content: "Brewing" } }] } },
        {
          toggle: {
            rich_text: [{ text: { content: "Steps" } }],
            children: [{ paragraph: { rich_text: [{ text: { content: "Cool the water" } }] } }],
          },
        },
      ],
    },
  });
  await client.createComment({
    body: { parent: { page_id: page.id }, rich_text: [{ text: { content: "Buy more" } }] },
  });
  const shown = await textOf(visitor, page.url.replace(/^https?:\/\/[^/]+/, ""));
  for (const text of [
    "Sencha",
    "Brewing",
    "Steps",
    "Cool the water",
    "Buy more",
    "12",
    "Green",
    "Importer",
  ]) {
    expect(shown).toContain(text);
  }
  expect(shown).toContain(`<a href="/${fixture.databaseId.replaceAll("-", "")}">Teas</a>`);
  expect(page.url).toBe(`http://localhost:3000/${page.id.replaceAll("-", "")}`);
  expect((await new Visitor(url).get(`/${page.id}`)).headers.get("location")).toMatch(/^\/sign-in\?next=/);
});

test("a page shows all its properties except the title, also those without a value", async () => {
  const { client, visitor, databaseId } = await start();
  const parent = { database_id: databaseId };
  const { body: page } = await client.createPage({ body: { parent, properties: { Price: { number: 12 } } } });
  const shown = await textOf(visitor, `/${page.id}`);
  const properties = shown.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  expect([...properties].map(([, name, value = ""]) => [name, value.replaceAll(/<[^>]*>/g, "")])).toEqual([
    ["Price", "12"],
    ["Site", "Empty"],
    ["Kind", "Empty"],
  ]);
});

test("a database shows who created it and who edited it last", async () => {
  const { visitor, url, databaseId } = await start();
  const editor = createClient({ baseUrl: url, apiKey: await visitor.createKey("Editor") });
  await editor.updateDatabase({ path: { database_id: databaseId }, body: { icon: { emoji: "🍵" } } });
  const page = await textOf(visitor, `/${databaseId}`);
  expect(page).toContain("Edited by Editor on");
  expect(page).toContain("created by Importer on");
});

test("a table is sorted and filtered by its address, and paged by cursor", async () => {
  const fixture = await start();
  const { visitor, databaseId } = fixture;
  for (let price = 1; price <= 105; price += 1) await addTea(fixture, `Tea ${price}`, price);
  const path = `/${databaseId}`;
  const sorted = await textOf(visitor, `${path}?sort=Price&direction=descending`);
  expect(rowTitles(sorted)).toHaveLength(100);
  expect(rowTitles(sorted)[0]).toBe("Tea 105");
  expect(sorted).toContain('aria-sort="descending"');
  const next = await textOf(visitor, path + linkOf(sorted, "next"));
  expect(rowTitles(next)).toEqual(["Tea 5", "Tea 4", "Tea 3", "Tea 2", "Tea 1"]);
  const filtered = await textOf(visitor, `${path}?filter=Price&condition=greater_than&value=103`);
  expect(rowTitles(filtered).sort()).toEqual(["Tea 104", "Tea 105"]);
});

test("numbers are shown in the format of their property, aligned right with their header", async () => {
  const fixture = await start();
  const { client, visitor, databaseId } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12345.6);
  for (const [format, shown] of [
    ["number", "12345.6"],
    ["dollar", "$12,345.60"],
  ] as const) {
    await client.updateDatabase({
      path: { database_id: databaseId },
      body: { properties: { Price: { number: { format } } } },
    });
    const table = await textOf(visitor, `/${databaseId}`);
    expect(table).toMatch(/<th\s+scope="col"\s+class="number"[^>]*>\s*<a[^>]*>Price<\/a>/);
    expect(table).toContain(`<td class="number">${shown}</td>`);
    expect(table).not.toMatch(/class="number"[^>]*>\s*<a[^>]*>Site/);
    expect(await textOf(visitor, `/${page.id}`)).toContain(`<dd>${shown}</dd>`);
  }
});

test("rollups are shown in the format of the property that they read, and link to the pages of a relation", async () => {
  const fixture = await start();
  const { client, visitor, databaseId } = fixture;
  const { body: tea } = await addTea(fixture, "Sencha", 12.5);
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: {
      properties: {
        Price: { number: { format: "dollar" } },
        Origin: { relation: { database_id: databaseId, single_property: {} } },
      },
    },
  });
  await client.updatePage({
    path: { page_id: tea.id },
    body: { properties: { Origin: { relation: [{ id: tea.id }] } } },
  });
  const rollup = (name: string, of: string) => ({
    rollup: { relation_property_name: "Teas", rollup_property_name: of, function: name as "sum" },
  });
  const { body: shops } = await client.createDatabase({
    body: {
      parent: { page_id: tea.id },
      title: [{ text: { content: "Shops" } }],
      properties: {
        Name: { title: {} },
        Teas: { relation: { database_id: databaseId, single_property: {} } },
        Total: rollup("sum", "Price"),
        Prices: rollup("show_original", "Price"),
        Filled: rollup("percent_not_empty", "Price"),
        Count: rollup("count", "Price"),
        Origins: rollup("show_original", "Origin"),
      },
    },
  });
  const { body: shop } = await client.createPage({
    body: { parent: { database_id: shops.id }, properties: { Teas: { relation: [{ id: tea.id }] } } },
  });
  const table = await textOf(visitor, `/${shops.id}`);
  for (const shown of ["$12.50", "100%", "1"]) expect(table).toContain(`<td class="number">${shown}</td>`);
  expect(table).toMatch(/<td\s*>\$12\.50<\/td>/);
  expect(table).toMatch(/class="number"[^>]*>\s*<a[^>]*>Total/);
  expect(table).not.toMatch(/class="number"[^>]*>\s*<a[^>]*>Prices/);
  const page = await textOf(visitor, `/${shop.id}`);
  for (const shown of ["$12.50", "100%", "1"]) expect(page).toContain(`<dd>${shown}</dd>`);
  const link = `<a href="/${tea.id.replaceAll("-", "")}">Sencha</a>`;
  expect([table.split(link).length, page.split(link).length]).toEqual([4, 4]);
});

test("a filter takes what the table shows, and explains values and conditions that do not fit", async () => {
  const fixture = await start();
  const { client, visitor, databaseId } = fixture;
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: {
      properties: {
        Note: { rich_text: {} },
        Mail: { email: {} },
        Phone: { phone_number: {} },
        State: { status: {} },
        Tags: { multi_select: {} },
        No: { unique_id: { prefix: "TEA" } },
        Done: { checkbox: {} },
        Due: { date: {} },
        Made: { created_time: {} },
        Changed: { last_edited_time: {} },
        Who: { people: {} },
        Files: { files: {} },
        Others: { relation: { database_id: databaseId, single_property: {} } },
        Author: { created_by: {} },
        Editor: { last_edited_by: {} },
      },
    },
  });
  await addTea(fixture, "Sencha", 12);
  const find = async (filter: string, condition: string, value: string): Promise<string | string[]> => {
    const query = new URLSearchParams({ filter, condition, value });
    const page = await textOf(visitor, `/${databaseId}?${query.toString()}`);
    return /role="alert">\s*<p>([^<]*)/.exec(page)?.[1] ?? rowTitles(page);
  };
  const values: Record<string, string> = { Price: "12", No: "TEA-1", Done: "no" };
  for (const name of ["Due", "Made", "Changed"]) values[name] = "2026-12-24";
  const { body: database } = await client.retrieveDatabase({ path: { database_id: databaseId } });
  for (const property of Object.keys(database.properties)) {
    for (const condition of Object.keys(CONDITIONS)) {
      const found = await find(property, condition, values[property] ?? "x");
      // Either the condition is refused with its name, or the query understands it.
      if (typeof found === "string") {
        expect([property, condition, found]).toEqual([
          property,
          condition,
          expect.stringMatching(
            /^“\w+” does not have this condition\. Choose one of: “(is|contains)|^Tables cannot be filtered by/,
          ),
        ]);
      }
    }
  }
  expect(await find("No", "equals", "TEA-1")).toEqual(["Sencha"]);
  expect(await find("Done", "equals", "no")).toEqual(["Sencha"]);
  expect(await find("Done", "equals", "maybe")).toContain("Enter “yes” or “no” to filter by “Done”.");
  expect(await find("Due", "before", "24 Dec 2026")).toContain("Enter a date such as 2026-12-24");
  expect(await find("Price", "greater_than", "cheap")).toContain("Enter a number such as 12.5");
  expect(await find("Name", "contains", "zzz")).toEqual([]);
  expect(await textOf(visitor, `/${databaseId}?filter=Name&condition=contains&value=zzz`)).toContain(
    "No pages match the filter.",
  );
  const sorted = `/${databaseId}?sort=Price&direction=descending`;
  const filtered = await textOf(visitor, `${sorted}&filter=Name&condition=contains&value=Sen`);
  expect(filtered).toContain('<a href="?sort=Price&#38;direction=descending">Clear</a>');
});

test("an empty database and an empty page say so", async () => {
  const fixture = await start();
  const { visitor, databaseId } = fixture;
  expect(await textOf(visitor, `/${databaseId}?filter=Name&condition=contains&value=`)).toContain(
    "This database has no pages yet.",
  );
  const { body: page } = await addTea(fixture, "Sencha", 12);
  expect(await textOf(visitor, `/${page.id}`)).toContain("This page has no content.");
});

test.each([
  "sort=Nothing",
  "filter=Price&condition=contains&value=a",
  "filter=Nothing&condition=equals&value=a",
  "filter=Price&condition=__proto__&value=1",
  "cursor=nonsense",
])("an address that does not fit the database (%s) is explained, with all rows below", async (query) => {
  const fixture = await start();
  await addTea(fixture, "Sencha", 12);
  const response = await fixture.visitor.get(`/${fixture.databaseId}?${query}`);
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain('role="alert"');
  expect(rowTitles(page)).toEqual(["Sencha"]);
});

test("search finds titles; the trash lists what was removed, and restores it", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const found = await textOf(visitor, "/search?q=senc");
  expect(found).toContain(">Sencha</a>");
  expect(found).not.toContain(">database</span>");
  expect(await textOf(visitor, "/search?q=teas")).toMatch(/>Teas<\/a>\s*<span class="badge">database</);
  await client.updatePage({ path: { page_id: page.id }, body: { in_trash: true } });
  expect(await textOf(visitor, "/search?q=senc")).not.toContain(">Sencha</a>");
  expect(await textOf(visitor, "/trash")).toContain(">Sencha</a>");
  const restored = await visitor.submit("/trash", `/trash/${page.id}/restore`);
  expect(restored.status).toBe(303);
  expect(await textOf(visitor, "/trash")).toContain("The trash is empty.");
  const { body } = await client.retrievePage({ path: { page_id: page.id } });
  expect(body.in_trash).toBe(false);
  expect(await textOf(visitor, `/${page.id}`)).toContain("Edited by Ada");
});

test("a page in a page of the trash cannot be restored alone, which is explained", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: outer } = await addTea(fixture, "Outer", 1);
  const { body: inner } = await client.createPage({
    body: {
      parent: { page_id: outer.id },
      properties: { title: { title: [{ text: { content: "Inner" } }] } },
    },
  });
  for (const { id } of [inner, outer]) {
    await client.updatePage({ path: { page_id: id }, body: { in_trash: true } });
  }
  const refused = await visitor.submit("/trash", `/trash/${inner.id}/restore`);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("is in the trash too. Restore that first.");
});

test("a member of two workspaces can switch on the page for unknown content", async () => {
  const { visitor, member } = await start();
  const eve = await member("Eve");
  const made = await visitor.submit("/settings/members", "/settings/members/invite", { role: "member" });
  const link = /\/join\/[\w-]{43}/.exec(await made.text())?.[0] ?? "";
  await eve.submit(link, link);
  const page = await textOf(eve, "/00000000-0000-7000-8000-000000000000");
  expect(page).toContain("<h1>Page not found</h1>");
  expect(page).toContain("or be in another workspace");
  expect(page).toContain(">Switch</button>");
});

test("content of another workspace gets the same 404 as unknown content", async () => {
  const fixture = await start();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const eve = await fixture.member("Eve");
  for (const id of [page.id, fixture.databaseId, "00000000-0000-7000-8000-000000000000"]) {
    const response = await eve.get(`/${id}`);
    expect([id, response.status, /Sencha|Teas/.exec(await response.text())]).toEqual([id, 404, null]);
  }
  expect(await textOf(eve, "/search?q=senc")).not.toContain(">Sencha</a>");
  expect(await textOf(eve, "/")).not.toContain("Sencha");
});

test("hostile text in names, values and links stays text", async () => {
  const fixture = await start();
  const hostile = '"><script>alert(1)</script>';
  const { body: page } = await addTea(fixture, hostile, 1, "javascript:alert(1)");
  for (const path of ["/", `/${fixture.databaseId}`, `/${page.id}`, "/search?q=script"]) {
    const response = await fixture.visitor.get(path);
    const text = await response.text();
    expect([path, /<script>|href="javascript/i.exec(text)]).toEqual([path, null]);
    expect([path, response.headers.get("content-security-policy")]).toEqual([
      path,
      expect.stringContaining("script-src 'self'"),
    ]);
  }
});

test("a page of 1,200 blocks is shown in two parts", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Long", 1);
  for (let part = 0; part < 12; part += 1) {
    const children = Array.from({ length: 100 }, (_, index) => ({
      paragraph: { rich_text: [{ text: { content: `Line ${part * 100 + index}.` } }] },
    }));
    await client.appendBlockChildren({ path: { block_id: page.id }, body: { children } });
  }
  const first = await textOf(visitor, `/${page.id}`);
  expect([first.includes("Line 999."), first.includes("Line 1000.")]).toEqual([true, false]);
  const second = await textOf(visitor, `/${page.id}${linkOf(first, "next")}`);
  expect([second.includes("Line 1000."), second.includes("Line 1199.")]).toEqual([true, true]);
});

test("a page with many copies of blocks is shown in parts that leave out none of its own blocks", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Copies", 1);
  const paragraph = (content: string) => ({ paragraph: { rich_text: [{ text: { content } }] } });
  const { body: added } = await client.appendBlockChildren({
    path: { block_id: page.id },
    body: {
      children: [
        {
          synced_block: {
            synced_from: null,
            children: Array.from({ length: 99 }, () => paragraph("Copied.")),
          },
        },
        paragraph("Before."),
      ],
    },
  });
  const copy = { synced_block: { synced_from: { block_id: added.results[0]?.id ?? "" } } };
  const children = [...Array.from({ length: 40 }, () => copy), paragraph("The end.")];
  await client.appendBlockChildren({ path: { block_id: page.id }, body: { children } });
  const first = await textOf(visitor, `/${page.id}`);
  expect([first.includes("Before."), first.includes("The end.")]).toEqual([true, false]);
  const second = await textOf(visitor, `/${page.id}${linkOf(first, "next")}`);
  expect([second.includes("Before."), second.includes("The end.")]).toEqual([false, true]);
});

test("each block whose children are not all shown says so", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Toggles", 1);
  const text = (content: string) => [{ text: { content } }];
  const lines = Array.from({ length: 99 }, () => ({ paragraph: { rich_text: text("Line.") } }));
  const toggle = { toggle: { rich_text: text("Toggle."), children: lines } };
  for (let part = 0; part < 23; part += 1) {
    await client.appendBlockChildren({ path: { block_id: page.id }, body: { children: [toggle] } });
  }
  const shown = await textOf(visitor, `/${page.id}`);
  // 2,000 lines: all of 20 blocks, 20 of another one, and none of the other two.
  expect([shown.split("Line.").length - 1, shown.split("Not all blocks").length - 1]).toEqual([2000, 3]);
});

import { expect, test } from "vitest";
import { type Client, createClient } from "../../../../src/client/index.js";
import { Visitor } from "../../../support/visitor.js";
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
  expect(await textOf(visitor, "/search?q=senc")).toContain(">Sencha</a>");
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

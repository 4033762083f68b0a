import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../../src/client/index.js";
import { NO_CURL } from "../../../support/curl.js";
import { testUnless } from "../../../support/requirements.js";
import { Visitor } from "../../../support/visitor.js";
import { CONDITION_LABELS } from "../../../../src/web/pages/content/table-view.js";
import { startWeb, readText } from "../visitors.js";

interface Fixture {
  readonly visitor: Visitor;
  readonly url: string;
  readonly client: Client;
  readonly databaseId: string;
  member(name: string): Promise<Visitor>;
}

type AppendedBlock = Parameters<Client["appendBlockChildren"]>[0]["body"]["children"][number];

/** Starts a service and signs in Ada, with an API key and a database of her workspace. */
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

/** Reads the titles of a table's rows in order. */
function readRowTitles(page: string): string[] {
  return [...page.matchAll(/<th scope="row">\s*<a[^>]*>([^<]*)<\/a>/g)].map(([, title = ""]) => title);
}

/** Returns the path of a link by its relation. */
function findLink(page: string, rel: string): string {
  return (new RegExp(`rel="${rel}"\\s+href="([^"]*)"`).exec(page)?.[1] ?? "").replaceAll("&#38;", "&");
}

test("the start page of a member lists the databases and the recently edited pages", async () => {
  const fixture = await start();
  await addTea(fixture, "Sencha", 12);
  const page = await readText(fixture.visitor, "/");
  expect(page).toContain(">Teas</a>");
  expect(page).toContain(">just now</time>");
  expect(page).toContain(">Sencha</a>");
});

testUnless(NO_CURL)("the command of the first steps creates a page, which replaces them", async () => {
  const { member, url } = await startWeb();
  const ada = await member("Ada");
  const API_KEY = await ada.createKey("First");
  const [, command = ""] = /<pre id="first-page"[^>]*><code>([^<]*)</.exec(await readText(ada, "/")) ?? [];
  const script = command.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  // Not spawnSync: this process serves the request.
  const { stdout } = spawn("sh", ["-c", script.replace("http://localhost:3000", url)], {
    env: { ...process.env, API_KEY },
  });
  expect(JSON.parse(await text(stdout))).toMatchObject({ object: "page" });
  const page = await readText(ada, "/");
  expect(page).toContain(">Hello</a>");
  expect(page).not.toContain("First steps");
});

test("a page is shown at its url, with properties, blocks, comments and last editor", async () => {
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
  const reviewer = createClient({ baseUrl: url, apiKey: await visitor.createKey("Reviewer") });
  await reviewer.createComment({
    body: { parent: { page_id: page.id }, rich_text: [{ text: { content: "Buy more" } }] },
  });
  const shown = await readText(visitor, page.url.replace(/^https?:\/\/[^/]+/, ""));
  for (const text of [
    "Sencha",
    "Brewing",
    "Steps",
    "Cool the water",
    "Buy more",
    "Reviewer",
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

test("links lead to the comments of a page that its first part does not show", async () => {
  const fixture = await start();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  for (let index = 1; index <= 101; index += 1) {
    await fixture.client.createComment({
      body: { parent: { page_id: page.id }, rich_text: [{ text: { content: `Comment ${index}.` } }] },
    });
  }
  const findCommentsLink = (html: string, text: string): string =>
    new RegExp(`href="([^"]*)">${text}</a>`).exec(html)?.[1] ?? "none";
  const first = await readText(fixture.visitor, `/${page.id}`);
  expect(first).toContain("Comment 100.");
  expect(first).not.toContain("Comment 101.");
  expect(findCommentsLink(first, "First comments")).toBe("none");
  const last = await readText(fixture.visitor, `/${page.id}${findCommentsLink(first, "Next comments")}`);
  expect(last.match(/Comment \d+\./g)).toEqual(["Comment 101."]);
  expect(findCommentsLink(last, "Next comments")).toBe("none");
  expect(findCommentsLink(last, "First comments")).toBe("?#comments");
  expect((await fixture.visitor.get(`/${page.id}?comments=x`)).status).toBe(400);
});

test("replies are shown below the first comment of their discussion", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const comment = async (content: string, discussionId?: string): Promise<string> => {
    const target =
      discussionId === undefined ? { parent: { page_id: page.id } } : { discussion_id: discussionId };
    const { body } = await client.createComment({ body: { ...target, rich_text: [{ text: { content } }] } });
    return body.discussion_id;
  };
  const discussionId = await comment("First.");
  await comment("Second.");
  await comment("Reply.", discussionId);
  const shown = await readText(visitor, `/${page.id}`);
  expect(shown.match(/<ol>|<\/ol>|(First|Second|Reply)\./g)?.slice(-7)).toEqual([
    "<ol>",
    "First.",
    "<ol>",
    "Reply.",
    "</ol>",
    "Second.",
    "</ol>",
  ]);
});

test("a page shows all its properties except the title, including those without a value", async () => {
  const { client, visitor, databaseId } = await start();
  const parent = { database_id: databaseId };
  const { body: page } = await client.createPage({ body: { parent, properties: { Price: { number: 12 } } } });
  const shown = await readText(visitor, `/${page.id}`);
  const properties = shown.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  expect([...properties].map(([, name, value = ""]) => [name, value.replaceAll(/<[^>]*>/g, "")])).toEqual([
    ["Price", "12"],
    ["Site", "Empty"],
    ["Kind", "Empty"],
  ]);
});

test("a database shows its author and its last editor", async () => {
  const { visitor, url, databaseId } = await start();
  const editor = createClient({ baseUrl: url, apiKey: await visitor.createKey("Editor") });
  await editor.updateDatabase({ path: { database_id: databaseId }, body: { icon: { emoji: "🍵" } } });
  const page = await readText(visitor, `/${databaseId}`);
  expect(page).toContain("Edited by Editor on");
  expect(page).toMatch(/created by Importer\s+on/);
});

test("a table is sorted and filtered by the query string, and paginated by cursor", async () => {
  const fixture = await start();
  const { visitor, databaseId } = fixture;
  for (let price = 1; price <= 105; price += 1) await addTea(fixture, `Tea ${price}`, price);
  const path = `/${databaseId}`;
  const sorted = await readText(visitor, `${path}?sort=Price&direction=descending`);
  expect(readRowTitles(sorted)).toHaveLength(100);
  expect(readRowTitles(sorted)[0]).toBe("Tea 105");
  expect(sorted).toContain('aria-sort="descending"');
  const next = await readText(visitor, path + findLink(sorted, "next"));
  expect(readRowTitles(next)).toEqual(["Tea 5", "Tea 4", "Tea 3", "Tea 2", "Tea 1"]);
  // A cursor belongs to one order, so another order begins with the first row.
  expect(next).not.toMatch(/<th[^>]*>\s*<a href="[^"]*cursor=/);
  const filtered = await readText(visitor, `${path}?filter=Price&condition=greater_than&value=103`);
  expect(readRowTitles(filtered).sort()).toEqual(["Tea 104", "Tea 105"]);
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
    const table = await readText(visitor, `/${databaseId}`);
    expect(table).toMatch(/<th\s+scope="col"\s+class="number"[^>]*>\s*<a[^>]*>Price<\/a>/);
    expect(table).toContain(`<td class="number"><div>${shown}</div></td>`);
    expect(table).not.toMatch(/class="number"[^>]*>\s*<a[^>]*>Site/);
    expect(await readText(visitor, `/${page.id}`)).toContain(`<dd>${shown}</dd>`);
  }
});

test("rollups are shown in the format of their source property, and link to related pages", async () => {
  const fixture = await start();
  const { client, visitor, databaseId } = fixture;
  const { body: tea } = await addTea(fixture, "Sencha", 12.5);
  const { body: origin } = await addTea(fixture, "Gyokuro", 20);
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
    body: { properties: { Origin: { relation: [{ id: origin.id }] } } },
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
  const table = await readText(visitor, `/${shops.id}`);
  for (const shown of ["$12.50", "100%", "1"]) {
    expect(table).toContain(`<td class="number"><div>${shown}</div></td>`);
  }
  expect(table).toMatch(/<td\s*><div>\$12\.50<\/div><\/td>/);
  expect(table).toMatch(/class="number"[^>]*>\s*<a[^>]*>Total/);
  expect(table).not.toMatch(/class="number"[^>]*>\s*<a[^>]*>Prices/);
  const page = await readText(visitor, `/${shop.id}`);
  for (const shown of ["$12.50", "100%", "1"]) expect(page).toContain(`<dd>${shown}</dd>`);
  // The breadcrumb, and the relation.
  const link = `<a href="/${tea.id.replaceAll("-", "")}">Sencha</a>`;
  expect([table.split(link).length, page.split(link).length]).toEqual([3, 3]);
  const originLink = `<a href="/${origin.id.replaceAll("-", "")}">Gyokuro</a>`;
  expect([table.split(originLink).length, page.split(originLink).length]).toEqual([2, 2]);
});

test("a filter accepts the formats of the table, and explains invalid values and conditions", async () => {
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
    const page = await readText(visitor, `/${databaseId}?${query.toString()}`);
    return /role="alert">\s*<p>([^<]*)/.exec(page)?.[1] ?? readRowTitles(page);
  };
  const values: Record<string, string> = { Price: "12", No: "TEA-1", Done: "no" };
  for (const name of ["Due", "Made", "Changed"]) values[name] = "2026-12-24";
  const { body: database } = await client.retrieveDatabase({ path: { database_id: databaseId } });
  for (const property of Object.keys(database.properties)) {
    for (const condition of Object.keys(CONDITION_LABELS)) {
      const found = await find(property, condition, values[property] ?? "x");
      // The page either names the invalid condition or shows the result of the query.
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
  expect(await find("Changed", "before", "soon")).toContain("Enter a date such as 2026-12-24");
  for (const value of ["No", "false", "0", "–"])
    expect(await find("Done", "equals", value)).toEqual(["Sencha"]);
  for (const value of ["Yes", "true", "1", "✓"]) expect(await find("Done", "equals", value)).toEqual([]);
  expect(await find("Price", "greater_than", "cheap")).toContain("Enter a number such as 12.5");
  expect(await find("Name", "contains", "zzz")).toEqual([]);
  expect(await readText(visitor, `/${databaseId}?filter=Name&condition=contains&value=zzz`)).toContain(
    "No pages match the filter.",
  );
  const sorted = `/${databaseId}?sort=Price&direction=descending`;
  const filtered = await readText(visitor, `${sorted}&filter=Name&condition=contains&value=Sen`);
  expect(filtered).toContain('<a href="?sort=Price&#38;direction=descending">Clear</a>');
});

test("an empty database and an empty page say so", async () => {
  const fixture = await start();
  const { visitor, databaseId } = fixture;
  expect(await readText(visitor, `/${databaseId}?filter=Name&condition=contains&value=`)).toContain(
    "This database has no pages yet.",
  );
  const { body: page } = await addTea(fixture, "Sencha", 12);
  expect(await readText(visitor, `/${page.id}`)).toContain("This page has no content.");
});

test.each([
  "sort=Nothing",
  "filter=Price&condition=contains&value=a",
  "filter=Nothing&condition=equals&value=a",
  "filter=Price&condition=__proto__&value=1",
  "cursor=nonsense",
])("explains a query string that does not fit the database (%s), and shows all rows", async (query) => {
  const fixture = await start();
  await addTea(fixture, "Sencha", 12);
  const response = await fixture.visitor.get(`/${fixture.databaseId}?${query}`);
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain('role="alert"');
  expect(readRowTitles(page)).toEqual(["Sencha"]);
});

test("an invalid cursor keeps the sort and filter of a table, and an invalid sort does not end its paging", async () => {
  const fixture = await start();
  for (const price of [12, 14]) await addTea(fixture, `Sencha ${price}`, price);
  await addTea(fixture, "Assam", 3);
  const path = `/${fixture.databaseId}`;
  const query = "sort=Price&direction=descending&filter=Name&condition=contains&value=Sencha";
  const page = await readText(fixture.visitor, `${path}?${query}&cursor=nonsense`);
  expect(page).toContain("The address of this part of the table is not valid.");
  expect(readRowTitles(page)).toEqual(["Sencha 14", "Sencha 12"]);
  for (let row = 0; row < 100; row += 1) await addTea(fixture, `Tea ${row}`, row);
  const first = await readText(fixture.visitor, `${path}?sort=Nothing`);
  const second = await readText(fixture.visitor, `${path}${findLink(first, "next")}`);
  expect(readRowTitles(second)).toHaveLength(3);
});

test("an invalid cursor leads to the first part of the same list", async () => {
  const fixture = await start();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const pagePath = `/${page.id}`;
  for (const [path, query, beginning] of [
    ["/search", "?q=a+%26+b&cursor=nonsense", "/search?q=a+%26+b"],
    ["/trash", "?cursor=nonsense", "/trash"],
    [pagePath, "?cursor=nonsense", pagePath],
    [pagePath, `?cursor=${fixture.databaseId}`, pagePath],
    [pagePath, "?comments=nonsense", pagePath],
  ] as const) {
    const response = await fixture.visitor.get(path + query);
    const text = await response.text();
    expect([path + query, response.status]).toEqual([path + query, 400]);
    expect(text).toContain("The address of this part is not valid.");
    expect(text).toContain(`<a href="${beginning.replaceAll("&", "&#38;")}">Start at the beginning</a>`);
    expect(text).not.toContain("Go to the start page");
  }
});

test("search finds titles; the trash lists and restores removed pages", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const found = await readText(visitor, "/search?q=senc");
  expect(found).toContain(">Sencha</a>");
  expect(found).not.toContain(">database</span>");
  expect(await readText(visitor, "/search?q=teas")).toMatch(/>Teas<\/a>\s*<span class="badge">database</);
  await client.updatePage({ path: { page_id: page.id }, body: { in_trash: true } });
  expect(await readText(visitor, "/search?q=senc")).not.toContain(">Sencha</a>");
  expect(await readText(visitor, `/search?q=${"y".repeat(2001)}`)).not.toContain("y".repeat(2001));
  expect(await readText(visitor, "/trash")).toContain(">Sencha</a>");
  const restored = await visitor.submit("/trash", `/trash/${page.id}/restore`);
  expect(restored.status).toBe(303);
  expect(await readText(visitor, "/trash")).toContain("The trash is empty.");
  const { body } = await client.retrievePage({ path: { page_id: page.id } });
  expect(body.in_trash).toBe(false);
  expect(await readText(visitor, `/${page.id}`)).toContain("Edited by Ada");
});

test("search ignores spaces around its words, and shows further results in the next part", async () => {
  const fixture = await start();
  const { visitor } = fixture;
  for (let index = 0; index < 51; index += 1) await addTea(fixture, `Sencha ${index}`, 1);
  const first = await readText(visitor, "/search?q=+sencha+");
  expect(first).toContain("Search for “sencha”");
  expect(first).toMatch(/name="q"[^>]*value="sencha"/);
  const next = findLink(first, "next");
  expect(new URLSearchParams(next).get("q")).toBe("sencha");
  const second = await readText(visitor, `/search${next}`);
  const listed = (page: string) => page.match(/>Sencha \d+<\/a>/g) ?? [];
  expect([listed(first).length, listed(second).length]).toEqual([50, 1]);
  expect(findLink(second, "next")).toBe("");
});

test("explains that a page in a page of the trash cannot be restored separately", async () => {
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

test("a member of two workspaces can switch between them on the page for unknown content", async () => {
  const { visitor, member } = await start();
  const eve = await member("Eve");
  const link = await visitor.invite();
  await eve.submit(link, link);
  const page = await readText(eve, "/00000000-0000-7000-8000-000000000000");
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
  expect(await readText(eve, "/search?q=senc")).not.toContain(">Sencha</a>");
  expect(await readText(eve, "/")).not.toContain("Sencha");
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
  const first = await readText(visitor, `/${page.id}`);
  expect([first.includes("Line 999."), first.includes("Line 1000.")]).toEqual([true, false]);
  const second = await readText(visitor, `/${page.id}${findLink(first, "next")}`);
  expect([second.includes("Line 1000."), second.includes("Line 1199.")]).toEqual([true, true]);
  expect([first, second].map((part) => part.includes("First blocks"))).toEqual([false, true]);
});

test("the address of a block leads to the part of the page that shows it", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Long", 1);
  const paragraph = (content: string) => ({ paragraph: { rich_text: [{ text: { content } }] } });
  const append = async (blockId: string, children: ReturnType<typeof paragraph>[]): Promise<string[]> => {
    const { body } = await client.appendBlockChildren({ path: { block_id: blockId }, body: { children } });
    return body.results.map(({ id }) => id);
  };
  const [early = ""] = await append(page.id, [paragraph("Early.")]);
  const hundred = Array.from({ length: 100 }, () => paragraph("Between."));
  for (let part = 0; part < 10; part += 1) await append(page.id, hundred);
  const [late = "", removed = ""] = await append(page.id, [paragraph("Late."), paragraph("Removed.")]);
  const [nested = ""] = await append(late, [paragraph("Nested.")]);
  await client.deleteBlock({ path: { block_id: removed } });
  const path = `/${page.id.replaceAll("-", "")}`;
  for (const [id, query] of [
    [early, ""],
    [late, `?cursor=${late}`],
    [nested, `?cursor=${late}`],
    [removed, ""],
  ] as const) {
    const response = await visitor.get(`/${id}`);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `${path}${query}#${id.replaceAll("-", "")}`,
    ]);
  }
  const part = await readText(visitor, `${path}?cursor=${late}`);
  expect(part).toContain(`id="${nested.replaceAll("-", "")}"`);
});

test("a page with many copies of blocks is shown in parts with all of its own blocks", async () => {
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
  const first = await readText(visitor, `/${page.id}`);
  expect([first.includes("Before."), first.includes("The end.")]).toEqual([true, false]);
  const second = await readText(visitor, `/${page.id}${findLink(first, "next")}`);
  expect([second.includes("Before."), second.includes("The end.")]).toEqual([false, true]);
});

test("links to the other children of each block whose children are not all shown", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Toggles", 1);
  const text = (content: string) => [{ text: { content } }];
  const lines = Array.from({ length: 99 }, () => ({ paragraph: { rich_text: text("Line.") } }));
  const toggle = { toggle: { rich_text: text("Toggle."), children: lines } };
  for (let part = 0; part < 23; part += 1) {
    await client.appendBlockChildren({ path: { block_id: page.id }, body: { children: [toggle] } });
  }
  const shown = await readText(visitor, `/${page.id}`);
  // 2,000 lines: all lines of some blocks, a part of another block, and none of the last two.
  const links = [...shown.matchAll(/href="([^"]+)">Show more blocks/g)].map(([, link = ""]) => link);
  expect([shown.split("Line.").length - 1, links.length]).toEqual([2000, 3]);
  // 99 lines of each of the last two blocks, and of the first one its last line again with the lines that were not shown.
  for (const [index, lines] of [80, 99 * 2, 99].entries()) {
    const rest = await readText(visitor, links[index] ?? "");
    expect([index, rest.split("Line.").length - 1]).toEqual([index, lines]);
  }
});

test("blocks in more than 24 levels, and their copies on other pages, can be reached by links", async () => {
  const fixture = await start();
  const { client, visitor } = fixture;
  const text = (content: string) => [{ text: { content } }];
  const append = async (id: string, child: AppendedBlock): Promise<string> => {
    const { body } = await client.appendBlockChildren({
      path: { block_id: id },
      body: { children: [child] },
    });
    return body.results[0]?.id ?? "";
  };
  const { body: page } = await addTea(fixture, "Deep", 1);
  const original = await append(page.id, { synced_block: { synced_from: null } });
  let deepest = original;
  for (let level = 1; level <= 60; level += 1) {
    deepest = await append(deepest, { toggle: { rich_text: text(`Level ${level}.`) } });
  }
  const { body: other } = await addTea(fixture, "Copy", 1);
  await append(other.id, { synced_block: { synced_from: { block_id: original } } });
  for (const { id } of [page, other]) {
    let shown = await readText(visitor, `/${id}`);
    for (const last of [24, 48]) {
      expect([shown.includes(`Level ${last}.`), shown.includes(`Level ${last + 1}.`)]).toEqual([true, false]);
      shown = await readText(visitor, /href="([^"]+)">Show more blocks/.exec(shown)?.[1] ?? "");
    }
    expect(shown).toContain("Level 60.");
    expect(shown).not.toContain("Show more blocks");
  }
  const response = await visitor.get(`/${deepest}`);
  expect(await readText(visitor, response.headers.get("location") ?? "")).toContain("Level 60.");
});

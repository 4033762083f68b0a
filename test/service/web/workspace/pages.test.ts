import { spawn } from "node:child_process";
import * as stream from "node:stream/consumers";
import { expect, test } from "vitest";
import { createClient } from "../../../../src/client/index.js";
import { append, appendIds, paragraph, toggle } from "../../../support/blocks.js";
import { text, title } from "../../../support/contract.js";
import { NO_CURL } from "../../../support/curl.js";
import { testUnless } from "../../../support/requirements.js";
import { Visitor } from "../../../support/visitor.js";
import { startWeb, readText } from "../visitors.js";
import { addTea, findLink, startWithTeas } from "./teas.js";

test("the start page of a member lists the databases and the recently edited pages", async () => {
  const fixture = await startWithTeas();
  await addTea(fixture, "Sencha", 12);
  const page = await readText(fixture.visitor, "/");
  expect(page).toContain(">Teas</a>");
  expect(page).toContain(">just now</time>");
  expect(page).toMatch(/>Sencha<\/a>\s*<span class="muted small">in Teas<\/span>/);
  const found = await readText(fixture.visitor, "/search?q=sencha");
  expect(found).toMatch(/>Sencha<\/a>\s*<span class="muted small">in Teas<\/span>/);
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
  expect(JSON.parse(await stream.text(stdout))).toMatchObject({ object: "page" });
  const page = await readText(ada, "/");
  expect(page).toContain(">Hello</a>");
  expect(page).not.toContain("First steps");
});

test("a page with a single property besides its title shows it", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: tea } = await addTea(fixture, "Sencha", 12);
  const { body: shops } = await client.createDatabase({
    body: { parent: { page_id: tea.id }, properties: { Name: { title: {} }, Stock: { number: {} } } },
  });
  const { body: shop } = await client.createPage({
    body: { parent: { database_id: shops.id }, properties: { Stock: { number: 47 } } },
  });
  expect(await readText(visitor, `/${shop.id}`)).toContain("<dd>47</dd>");
});

test("a page is shown at its url, with properties, blocks, comments and last editor", async () => {
  const fixture = await startWithTeas();
  const { client, visitor, url } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12);
  await append(client, page.id, [
    { heading_1: { rich_text: text("Brewing") } },
    toggle("Steps", [paragraph("Cool the water")]),
  ]);
  const reviewer = createClient({ baseUrl: url, apiKey: await visitor.createKey("Reviewer") });
  await reviewer.createComment({ body: { parent: { page_id: page.id }, rich_text: text("Buy more") } });
  const shown = await readText(visitor, page.url.replace(/^https?:\/\/[^/]+/, ""));
  const content = ["Sencha", "Brewing", "Steps", "Cool the water", "Buy more"];
  for (const part of [...content, "12", "Green", "Reviewer", "Importer"]) expect(shown).toContain(part);
  expect(shown).toContain(`<a href="/${fixture.databaseId.replaceAll("-", "")}">Teas</a>`);
  expect(page.url).toBe(`http://localhost:3000/${page.id.replaceAll("-", "")}`);
  expect((await new Visitor(url).get(`/${page.id}`)).headers.get("location")).toMatch(/^\/sign-in\?next=/);
});

test("links lead to the comments of a page that its first part does not show", async () => {
  const fixture = await startWithTeas();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  for (let index = 1; index <= 101; index += 1) {
    const rich_text = text(`Comment ${index}.`);
    await fixture.client.createComment({ body: { parent: { page_id: page.id }, rich_text } });
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
  const [, second = ""] = await appendIds(fixture.client, page.id, [{ divider: {} }, { divider: {} }]);
  const part = await readText(fixture.visitor, `/${page.id}?cursor=${second}`);
  expect(findCommentsLink(part, "Next comments")).toMatch(`?cursor=${second}&#38;comments=`);
  expect((await fixture.visitor.get(`/${page.id}?comments=x`)).status).toBe(400);
});

test("replies are shown below the first comment of their discussion", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const comment = async (content: string, discussionId?: string): Promise<string> => {
    const target =
      discussionId === undefined ? { parent: { page_id: page.id } } : { discussion_id: discussionId };
    const { body } = await client.createComment({ body: { ...target, rich_text: text(content) } });
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

test("a page shows all its properties except the title, and names those without a value in one line", async () => {
  const { client, visitor, databaseId } = await startWithTeas();
  const parent = { database_id: databaseId };
  const { body: page } = await client.createPage({ body: { parent, properties: { Price: { number: 12 } } } });
  const shown = await readText(visitor, `/${page.id}`);
  const properties = shown.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  expect([...properties].map(([, name, value = ""]) => [name, value.replaceAll(/<[^>]*>/g, "")])).toEqual([
    ["Price", "12"],
    ["Empty properties", "Site, Kind"],
  ]);
});

test("an empty database and an empty page say so", async () => {
  const fixture = await startWithTeas();
  const { visitor, client, databaseId } = fixture;
  const empty = await readText(visitor, `/${databaseId}?filter=Name&condition=contains&value=`);
  expect(empty).toContain("This database has no pages yet.");
  expect(empty).not.toContain('aria-label="Filter"');
  const { body: page } = await addTea(fixture, "Sencha", 12);
  expect(await readText(visitor, `/${page.id}`)).toContain("This page has no content.");
  // Their content is in the trash with them.
  await client.updateDatabase({ path: { database_id: databaseId }, body: { in_trash: true } });
  expect(await readText(visitor, `/${databaseId}`)).toContain("Restore the database to see its pages.");
  expect(await readText(visitor, `/${page.id}`)).toContain("Restore the page to see its content.");
});

test("an invalid cursor leads to the first part of the same list", async () => {
  const fixture = await startWithTeas();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const pagePath = `/${page.id}`;
  const table = `/${fixture.databaseId}?sort=Price&direction=descending`;
  for (const [path, query, beginning] of [
    ["/search", "?q=a+%26+b&cursor=nonsense", "/search?q=a+%26+b"],
    ["/trash", "?cursor=nonsense", "/trash"],
    [pagePath, "?cursor=nonsense", pagePath],
    [pagePath, `?cursor=${fixture.databaseId}`, pagePath],
    [pagePath, "?comments=nonsense", pagePath],
    [table, "&cursor=nonsense", table],
  ] as const) {
    const response = await fixture.visitor.get(path + query);
    const text = await response.text();
    expect([path + query, response.status]).toEqual([path + query, 400]);
    expect(text).toContain("The address of this part is not valid. It may be incomplete or out of date.");
    expect(text).toContain(`<a href="${beginning.replaceAll("&", "&#38;")}">Start at the beginning</a>`);
    expect(text).not.toContain("Go to the start page");
  }
});

test("search finds titles; the trash lists and restores removed pages", async () => {
  const fixture = await startWithTeas();
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
  expect(await readText(visitor, "/trash")).toContain("The trash has no pages or databases.");
  const { body } = await client.retrievePage({ path: { page_id: page.id } });
  expect(body.in_trash).toBe(false);
  expect(await readText(visitor, `/${page.id}`)).toContain("Edited by Ada");
});

test("search finds all texts of the address, and an empty list says so", async () => {
  const { visitor, client } = await startWithTeas();
  expect(await readText(visitor, "/search?q=what?who?")).toContain(
    "No page or database has “what?who?” in its title.",
  );
  const long = await readText(visitor, `/search?q=${"x".repeat(1000)}`);
  expect(long).toContain(`No page or database has “${"x".repeat(100)}…” in its title.`);
  expect(long).toContain(`value="${"x".repeat(1000)}"`);
  for (const database of (await client.search({ body: {} })).body.results) {
    if (database.object === "database")
      await client.updateDatabase({ path: { database_id: database.id }, body: { archived: true } });
  }
  expect(await readText(visitor, "/search")).toContain("This workspace has no pages or databases.");
});

test("search ignores spaces around its words, and shows further results in the next part", async () => {
  const fixture = await startWithTeas();
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
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: outer } = await addTea(fixture, "Outer", 1);
  const { body: inner } = await client.createPage({
    body: {
      parent: { page_id: outer.id },
      properties: { title: title("Inner") },
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
  const { visitor, member } = await startWithTeas();
  const eve = await member("Eve");
  const link = await visitor.invite();
  await eve.submit(link, link);
  const page = await readText(eve, "/00000000-0000-7000-8000-000000000000");
  expect(page).toContain("<h1>Page not found</h1>");
  expect(page).toContain("or be in another workspace");
  expect(page).toContain(">Switch</button>");
});

test("content of another workspace gets the same 404 as unknown content", async () => {
  const fixture = await startWithTeas();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const eve = await fixture.member("Eve");
  for (const id of [page.id, fixture.databaseId, "00000000-0000-7000-8000-000000000000"]) {
    const response = await eve.get(`/${id}`);
    expect([id, response.status, /Sencha|Teas/.exec(await response.text())]).toEqual([id, 404, null]);
  }
  expect(await readText(eve, "/search?q=senc")).not.toContain(">Sencha</a>");
  expect(await readText(eve, "/")).not.toContain("Sencha");
});

test("pages can show images of other sites", async () => {
  const fixture = await startWithTeas();
  const { body: page } = await addTea(fixture, "Sencha", 12);
  const { headers } = await fixture.visitor.get(`/${page.id}`);
  expect(headers.get("content-security-policy")).toContain("img-src 'self' https: http:");
});

test("hostile text in names, values and links stays text", async () => {
  const fixture = await startWithTeas();
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

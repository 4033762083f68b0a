import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createClient } from "../../../../src/client/index.js";
import { appendIds } from "../../../support/blocks.js";
import { NO_BROWSER, openPage, takeScreenshot } from "../../../support/browser.js";
import { text, title } from "../../../support/contract.js";
import { testUnless } from "../../../support/requirements.js";
import { addTea, type Fixture, startWithTeas } from "./teas.js";

/** Opens a page of Chromium, in which the member of the fixture is signed in. */
async function openSignedIn({ visitor, url }: Fixture, width = 1280): Promise<Page> {
  const page = await openPage({ viewport: { width, height: 800 }, bypassCSP: true });
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  return page;
}

testUnless(NO_BROWSER)("links take the place of images that cannot be loaded", async () => {
  const fixture = await startWithTeas();
  const { client, url } = fixture;
  const external = (name: string) =>
    ({ type: "external", external: { url: `https://example.org/${name}` } }) as const;
  const { body } = await client.createPage({
    body: {
      parent: { workspace: true },
      properties: { title: title("Harbour") },
      icon: external("icon.png"),
      cover: external("cover.png"),
    },
  });
  const images = ["missing.png", "drawing.svg"].map((name) => ({ image: external(name) }));
  const space = Array.from({ length: 200 }, () => ({ divider: {} }));
  for (const blocks of [images, space, [{ image: external("missing-below.png") }]]) {
    for (let start = 0; start < blocks.length; start += 100) {
      await appendIds(client, body.id, blocks.slice(start, start + 100));
    }
  }
  const page = await openSignedIn(fixture);
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="5"/></svg>';
  await page.route("https://example.org/**", (route) =>
    route.request().url().endsWith(".svg")
      ? route.fulfill({ body: drawing, contentType: "image/svg+xml" })
      : route.fulfill({ status: 404 }),
  );
  await page.goto(`${url}/${body.id}`);
  await page.getByText("Image that cannot be loaded https://example.org/missing.png").waitFor();
  await page.locator("hr").last().scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: "https://example.org/missing-below.png" }).waitFor();
  await expect
    .poll(() => page.evaluate("[...document.querySelectorAll('main img')].map(({ src }) => src)"))
    .toEqual(["https://example.org/drawing.svg"]);
});

testUnless(NO_BROWSER)("pages fit a phone whose browser is set to text of twice the size", async () => {
  const fixture = await startWithTeas();
  const { url, databaseId } = fixture;
  const { body: tea } = await addTea(fixture, "Sencha", 1);
  const page = await openSignedIn(fixture, 320);
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  for (const path of [
    "/",
    "/search?q=tea",
    `/${databaseId}`,
    "/trash",
    "/settings/api",
    "/settings/members",
    `/${tea.id}`,
  ]) {
    await page.goto(url + path);
    const readSizes = "[getComputedStyle(document.body).fontSize, document.documentElement.scrollWidth]";
    expect([path, await page.evaluate(readSizes)]).toEqual([path, ["32px", 320]]);
  }
  // The values of properties keep the space for words.
  expect((await page.locator("dd").first().boundingBox())?.width).toBeGreaterThan(110);
});

testUnless(NO_BROWSER)("fields on a phone have texts of 16 px, into which Safari does not zoom", async () => {
  const fixture = await startWithTeas();
  const { url, databaseId, visitor, member } = fixture;
  await addTea(fixture, "Sencha", 1);
  const page = await openSignedIn(fixture, 375);
  const expectLargeTexts = async (path: string): Promise<void> => {
    await page.goto(url + path);
    const sizes = await page.evaluate<string[]>(
      `[...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [hidden]), select")].map(
        (field) => getComputedStyle(field).fontSize,
      )`,
    );
    expect([path, sizes.length > 0, new Set(sizes)]).toEqual([path, true, new Set(["16px"])]);
  };
  for (const path of [`/${databaseId}`, "/settings/api", "/settings/account"]) await expectLargeTexts(path);
  const invitation = await (await member("Bob")).invite();
  await visitor.submit(invitation, invitation);
  // The start page has the choice of workspaces.
  await expectLargeTexts("/");
});

testUnless(NO_BROWSER)("a shadow shows that a table has more columns on the right", async () => {
  const fixture = await startWithTeas();
  const { client, url, databaseId } = fixture;
  const columns = Object.fromEntries([..."abcdefghij"].map((name) => [name, { checkbox: {} }]));
  await client.updateDatabase({ path: { database_id: databaseId }, body: { properties: columns } });
  await client.createPage({
    body: { parent: { database_id: databaseId }, properties: { Name: { title: text("Sencha") } } },
  });
  const page = await openSignedIn(fixture, 375);
  await page.goto(`${url}/${databaseId}`);
  const row = await page.locator("tbody tr").boundingBox();
  const frame = await page.locator(".rows").boundingBox();
  if (row === null || frame === null) throw new Error("The table is not visible.");
  const clip = { x: frame.x + frame.width - 5, y: row.y + row.height - 5, width: 3, height: 2 };
  const takePicture = async (): Promise<string> => (await takeScreenshot(page, { clip })).toString("base64");
  const withShadow = await takePicture();
  await page.evaluate("document.querySelector('.rows').scrollLeft = 10_000");
  expect(await takePicture()).not.toBe(withShadow);
});

testUnless(NO_BROWSER)(
  "a table that is scrolled sideways on a phone still shows the names of its rows",
  async () => {
    const fixture = await startWithTeas();
    await addTea(fixture, `Gyokuro from the gardens of Uji ${"x".repeat(60)}`, 30);
    await addTea(fixture, "Sencha, harvest 17", 20);
    const page = await openSignedIn(fixture, 375);
    await page.goto(`${fixture.url}/${fixture.databaseId}`);
    const hidden = await page
      .getByRole("link", { name: "Sencha, harvest 17" })
      .evaluate((link) => [link.scrollWidth - link.clientWidth, link.scrollHeight - link.clientHeight]);
    expect(hidden).toEqual([0, 0]);
    await page.evaluate("document.querySelector('.rows').scrollLeft = 10_000");
    const frame = await page.locator(".rows").boundingBox();
    const name = await page.locator("tbody th").first().boundingBox();
    if (name === null || frame === null) throw new Error("The table is not visible.");
    expect(name.x - frame.x).toBe(1);
    expect(name.width / frame.width).toBeLessThanOrEqual(0.4);
  },
);

testUnless(NO_BROWSER)("lists mark databases with a table, and pages with a sheet", async () => {
  const fixture = await startWithTeas();
  const { client, url, databaseId } = fixture;
  await client.createPage({
    body: { parent: { database_id: databaseId }, properties: { Name: { title: text("Sencha") } } },
  });
  const page = await openSignedIn(fixture);
  await page.goto(url);
  const readMark = (kind: string): Promise<unknown> =>
    page.evaluate(
      `getComputedStyle(document.querySelector(".object-title.${kind}"), "::before").backgroundSize`,
    );
  expect(await readMark("database")).not.toBe(await readMark("page"));
});

testUnless(NO_BROWSER)(
  "right-to-left texts of a database and names of authors are in reading order",
  async () => {
    const fixture = await startWithTeas();
    const { visitor, url, databaseId } = fixture;
    const client = createClient({ baseUrl: url, apiKey: await visitor.createKey("مفتاح") });
    const { body } = await addTea({ ...fixture, client }, "Sencha", 1);
    await client.updateDatabase({
      path: { database_id: databaseId },
      body: {
        title: text("قاعدة."),
        description: text("وصف."),
        properties: { Kind: { name: "نوع." }, Price: { name: "سعر." } },
      },
    });
    await client.createComment({ body: { parent: { page_id: body.id }, rich_text: text("Fresh") } });
    const page = await openSignedIn(fixture);
    /** Returns the left edges of the first and the last character of an element. */
    const measureEnds = (selector: string) =>
      page.evaluate<[number, number]>(`
      const { firstChild } = document.querySelector(${JSON.stringify(selector)});
      [0, firstChild.length - 1].map((index) => {
        const range = document.createRange();
        range.setStart(firstChild, index);
        range.setEnd(firstChild, index + 1);
        return range.getBoundingClientRect().x;
      });
    `);
    await page.goto(`${url}/${databaseId}`);
    for (const selector of ["h1", "h1 + p", "thead th:last-child a"]) {
      const [first, last] = await measureEnds(selector);
      expect([selector, last < first]).toEqual([selector, true]);
    }
    // The header of numbers is above them, at the right.
    const header = await page.locator("thead .number a").boundingBox();
    const [, stop] = await measureEnds("thead .number a");
    expect(stop).toBeGreaterThan((header?.x ?? Infinity) + (header?.width ?? 0) / 2);
    await page.goto(`${url}/${body.id}`);
    const [day, zone] = await measureEnds(".comments time");
    expect(day).toBeLessThan(zone);
  },
);

testUnless(NO_BROWSER)(
  "the headers of columns show that they sort the table, and the sorted one how",
  async () => {
    const fixture = await startWithTeas();
    await addTea(fixture, "Sencha", 1);
    const page = await openSignedIn(fixture);
    await page.goto(`${fixture.url}/${fixture.databaseId}?sort=Name&direction=ascending`);
    const readHeaders = `[...document.querySelectorAll(".rows thead a")].map(
    (link) => link.textContent + getComputedStyle(link, "::after").content)`;
    const [sorted, ...others] = await page.evaluate<string[]>(readHeaders);
    expect(sorted).toBe("Name ↑none");
    expect(others).not.toEqual([]);
    for (const header of others) expect(header).toContain('" ↕\ufe0e" / ""');
  },
);

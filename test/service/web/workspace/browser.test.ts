import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createClient } from "../../../../src/client/index.js";
import { NO_BROWSER, openPage } from "../../../support/browser.js";
import { appendIds } from "../../../support/blocks.js";
import { text } from "../../../support/contract.js";
import { testUnless } from "../../../support/requirements.js";
import { expectAccessible } from "../browsing.js";
import { startWeb } from "../visitors.js";

/** Measures the left edges of the lines of a text, or of its character at an index. */
function measureLines(page: Page, shown: string, index?: number): Promise<number[]> {
  const range = index === undefined ? `0, ${shown.length}` : `${index}, ${index + 1}`;
  return page.evaluate(`
    const [start, end] = [${range}];
    const { firstChild } = [...document.querySelectorAll("p, td")].find(
      ({ textContent }) => textContent === ${JSON.stringify(shown)},
    );
    const range = document.createRange();
    range.setStart(firstChild, start);
    range.setEnd(firstChild, end);
    [...range.getClientRects()].map(({ x }) => x);
  `);
}

testUnless(NO_BROWSER)("long titles and values stay within a few lines and their columns", async () => {
  const { url, visitor, client } = await startWithOwner();
  const long = "W".repeat(400);
  const { body: database } = await client.createDatabase({
    body: {
      parent: { workspace: true },
      properties: { Name: { title: {} }, Site: { url: {} }, Kind: { select: {} }, Note: { rich_text: {} } },
    },
  });
  await client.createPage({
    body: {
      parent: { database_id: database.id },
      properties: {
        Name: { title: text(long) },
        Site: { url: `https://example.org/${long}` },
        Kind: { select: { name: "many words ".repeat(9).trim() } },
        Note: { rich_text: text("a line\n".repeat(60)) },
      },
    },
  });
  const page = await openPage({ viewport: { width: 375, height: 740 } });
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  await page.goto(url);
  const entry = page.locator(".objects li").filter({ hasText: long });
  expect((await entry.boundingBox())?.height).toBeLessThan(130);
  await page.goto(`${url}/${database.id}`);
  // The beginning of the second column shows that there is more beside the first one.
  expect((await page.getByRole("columnheader", { name: "Site" }).boundingBox())?.x).toBeLessThan(340);
  expect((await page.locator("tbody tr").boundingBox())?.height).toBeLessThan(100);
  const cells = await page.locator("tbody :is(th, td)").all();
  const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
  const contents = await Promise.all(cells.map((cell) => cell.locator("> *").boundingBox()));
  contents.forEach((content, index) => {
    const box = boxes[index];
    expect((content?.x ?? 0) + (content?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
  });
});

testUnless(NO_BROWSER)("a paragraph without text is as high as one with a line", async () => {
  const { url, visitor, client } = await startWithOwner();
  const { body: created } = await client.createPage({
    body: {
      parent: { workspace: true },
      properties: {},
      children: ["", "a line"].map((line) => ({ paragraph: { rich_text: text(line) } })),
    },
  });
  const page = await openPage();
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  await page.goto(`${url}/${created.id}`);
  const boxes = await Promise.all((await page.locator(".block > p").all()).map((each) => each.boundingBox()));
  const [blank, line] = boxes.map((box) => Math.round(box?.height ?? 0));
  expect(blank).toBeGreaterThan(10);
  expect(blank).toBe(line);
});

testUnless(NO_BROWSER)("the filter offers the conditions of the chosen property", async () => {
  const { url, visitor, client } = await startWithOwner();
  const { body: database } = await client.createDatabase({
    body: {
      parent: { workspace: true },
      properties: {
        Name: { title: {} },
        Done: { checkbox: {} },
        Kind: { select: { options: [{ name: "Green" }] } },
      },
    },
  });
  const { id: database_id } = database;
  await client.createPage({ body: { parent: { database_id }, properties: { Done: { checkbox: true } } } });
  const page = await openPage();
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  await page.goto(`${url}/${database_id}`);
  const offered = () => page.locator("#condition option:not([hidden])").allTextContents();
  const textConditions = ["contains", "does not contain", "is", "is not", "is empty", "is not empty"];
  expect(await offered()).toEqual(textConditions);
  const suggested = () => page.evaluate("document.getElementById('value').list?.options[0]?.value");
  await page.getByLabel("Property").selectOption("Kind");
  expect(await suggested()).toBe("Green");
  await page.getByLabel("Property").selectOption("Done");
  expect(await suggested()).toBeUndefined();
  expect(await offered()).toEqual(["is", "is not"]);
  expect(await page.getByLabel("Condition").inputValue()).toBe("equals");
  await page.getByPlaceholder("yes or no").fill("no");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("No pages match the filter.").waitFor();
  expect(await offered()).toEqual(["is", "is not"]);
});

/** Starts the service, and signs its owner in, with a client for a key of theirs. */
async function startWithOwner(name = "Ada") {
  const { url, member } = await startWeb();
  const visitor = await member(name);
  return {
    url,
    visitor,
    client: createClient({ baseUrl: url, apiKey: await visitor.createKey("Importer") }),
  };
}

testUnless(NO_BROWSER)(
  "the header and the first column of a table stay visible, and the target of a link in a toggle is shown",
  async () => {
    const { url, visitor, client } = await startWithOwner();
    const columns = Array.from({ length: 20 }, (_, index) => `Column ${index}`);
    const { body: database } = await client.createDatabase({
      body: {
        parent: { workspace: true },
        title: text("Wide"),
        properties: {
          Name: { title: {} },
          ...Object.fromEntries(
            columns.map((name, index) => [name, index < 15 ? { rich_text: {} } : { created_time: {} }]),
          ),
        },
      },
    });
    const toggle = {
      toggle: { rich_text: text("More"), children: [{ paragraph: { rich_text: text("Inside") } }] },
    };
    let lastId = "";
    for (let row = 0; row < 30; row += 1) {
      const { body } = await client.createPage({
        body: {
          parent: { database_id: database.id },
          properties: {
            Name: { title: text(`Row ${row}`) },
            "Column 0": { rich_text: text("long ".repeat(300)) },
            "Column 1": { rich_text: text("W".repeat(90)) },
          },
          ...(row === 29 && { children: [...Array.from({ length: 50 }, () => ({ divider: {} })), toggle] }),
        },
      });
      lastId = body.id;
    }
    const page = await openPage({ viewport: { width: 1280, height: 800 } });
    await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
    await page.goto(`${url}/${database.id}`);
    // A cut text is a tooltip; one that is shown whole is not.
    for (const name of ["Row 1", "long long"]) await page.getByText(name).first().hover();
    expect(await page.getByText("long long").first().getAttribute("title")).toBe("long ".repeat(300));
    expect(await page.getByText("Row 1").first().getAttribute("title")).toBeNull();
    // Long texts do not make rows higher than a few lines.
    expect((await page.getByRole("row", { name: "Row 0" }).boundingBox())?.height).toBeLessThan(200);
    await page.getByRole("region", { name: "Pages of the database" }).scrollIntoViewIfNeeded();
    await page.getByRole("link", { name: "Row 29" }).scrollIntoViewIfNeeded();
    await page.getByRole("link", { name: "Column 19" }).focus();
    for (const name of ["Row 29", "Column 19", "Name"]) {
      const link = page.getByRole("link", { name, exact: true });
      await link.click({ trial: true, timeout: 5_000, noWaitAfter: true });
      const { x = -1, y = -1 } = (await link.boundingBox()) ?? {};
      expect([name, x >= 0 && x < 1280, y >= 0 && y < 800]).toEqual([name, true, true]);
    }
    // Links that get the focus move into sight, beside the first column.
    await page.getByRole("region", { name: "Pages of the database" }).focus();
    await page.keyboard.press("Tab");
    const first = await page.getByRole("columnheader", { name: "Name" }).boundingBox();
    for (const name of columns) {
      await page.keyboard.press("Tab");
      const { x = -1 } = (await page.getByRole("link", { name, exact: true }).boundingBox()) ?? {};
      const left = (first?.x ?? 0) + (first?.width ?? 0);
      expect([name, x >= left, x < 1280]).toEqual([name, true, true]);
    }
    // In print, the whole table is on the paper.
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);

    const { body: blocks } = await client.listBlockChildren({ path: { block_id: lastId } });
    const { body: nested } = await client.listBlockChildren({
      path: { block_id: blocks.results.at(-1)?.id ?? "" },
    });
    // In print, toggles are open.
    await page.goto(`${url}/${lastId}`);
    const isInsideVisible = "document.querySelector('details p').checkVisibility()";
    expect(await page.evaluate(isInsideVisible)).toBe(true);
    // On white paper, the text is dark even in dark mode.
    const readColor = () => page.evaluate("getComputedStyle(document.body).color");
    const colorInPrint = await readColor();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await readColor()).toBe(colorInPrint);
    await page.emulateMedia({ media: "screen", colorScheme: null });
    expect(await page.evaluate(isInsideVisible)).toBe(false);
    await page.goto(`${url}/${nested.results[0]?.id}`);
    await page.getByText("Inside").waitFor({ state: "visible" });
    expect(await page.evaluate("scrollY")).toBeGreaterThan(0);
  },
);

testUnless(NO_BROWSER)(
  "axe finds no violations in pages and databases in light and dark mode and on a small screen; the policy blocks nothing",
  async () => {
    const { url, visitor, client } = await startWithOwner();
    const { body: found } = await client.search({
      body: { filter: { property: "object", value: "database" } },
    });
    const [database] = found.results;
    if (database === undefined) throw new Error("The demo workspace has no database.");
    const title = Object.entries(database.properties).find(([, { type }]) => type === "title")?.[0] ?? "";
    await client.updateDatabase({
      path: { database_id: database.id },
      body: {
        properties: {
          Done: { checkbox: {} },
          Site: { url: {} },
          Tags: { multi_select: {} },
          "Responsible department of the northern warehouse": { checkbox: {} },
          Mail: { email: {} },
        },
      },
    });
    const { body: page } = await client.createPage({
      body: {
        parent: { database_id: database.id },
        properties: {
          [title]: { title: text("Sencha") },
          Done: { checkbox: true },
          Site: { url: "https://example.com/" },
          Mail: { email: " " },
          Tags: {
            multi_select: [
              { name: "fresh", color: "green" },
              { name: "spring", color: "yellow" },
            ],
          },
        },
      },
    });
    await client.appendBlockChildren({
      path: { block_id: page.id },
      body: {
        children: [
          { table_of_contents: {} },
          { table_of_contents: {} },
          { breadcrumb: {} },
          { heading_1: { rich_text: text("Brewing") } },
          { bulleted_list_item: { rich_text: text("one") } },
          { to_do: { rich_text: text("Buy"), checked: true } },
          { toggle: { rich_text: text("More"), children: [{ paragraph: { rich_text: text("inside") } }] } },
          { callout: { rich_text: text("Careful"), icon: { emoji: "🔥" }, color: "red_background" } },
          { paragraph: { rich_text: [{ text: { content: "red" }, annotations: { color: "red" } }] } },
          { code: { rich_text: text("const tea = 1; // tea"), language: "javascript" } },
          { equation: { expression: "\\frac{1}{2} f' \\cancel{x} \\color{red}{y} \\tag{1}" } },
          { bookmark: { url: "https://example.com/a" } },
          {
            table: {
              table_width: 2,
              has_column_header: true,
              children: [
                { table_row: { cells: [text("Name"), text("Price")] } },
                { table_row: { cells: [text("Tea"), text("3")] } },
              ],
            },
          },
          { paragraph: { rich_text: text("one\ntwo") } },
          { paragraph: { rich_text: text("نص عربي.") } },
          // Texts of which nothing is visible.
          { heading_1: { rich_text: text(" ") } },
          { heading_2: { rich_text: [], is_toggleable: true } },
          { toggle: { rich_text: [] } },
          { to_do: { rich_text: [] } },
          { code: { rich_text: [], language: "plain text" } },
          { paragraph: { rich_text: [{ text: { content: " ", link: { url: "https://example.com/" } } }] } },
          { bulleted_list_item: { rich_text: text("ماء ساخن") } },
          {
            table: {
              table_width: 6,
              children: [{ table_row: { cells: Array(6).fill(text("Understanding")) } }],
            },
          },
        ],
      },
    });
    await client.createComment({ body: { parent: { page_id: page.id }, rich_text: text("Buy more") } });

    const { body: trashed } = await client.createPage({
      body: {
        parent: { database_id: database.id },
        properties: { [title]: { title: text("A long title ".repeat(8)) } },
      },
    });
    await client.updatePage({ path: { page_id: trashed.id }, body: { in_trash: true } });

    const browserPage = await openPage();
    const messages: string[] = [];
    browserPage.on("console", (message) => messages.push(message.text()));
    await browserPage
      .context()
      .addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
    const paths = {
      workspace: "/",
      database: `/${database.id}`,
      page: `/${page.id}`,
      search: "/search?q=sencha",
      trash: "/trash",
      deletion: `/trash/${trashed.id}/delete`,
      "empty-trash": "/trash/empty",
    };
    for (const [name, path] of Object.entries(paths)) {
      await browserPage.goto(url + path);
      await expectAccessible(browserPage, `content-${name}`);
    }
    await browserPage.goto(`${url}/${page.id}`);
    // Otherwise, checked to-dos are printed as unchecked.
    const readAdjustment = "getComputedStyle(document.querySelector('.to-do :checked')).printColorAdjust";
    expect(await browserPage.evaluate(readAdjustment)).toBe("exact");
    expect(messages).toEqual([]);

    await browserPage.setViewportSize({ width: 375, height: 740 });
    // In the trash, the time and the actions of an entry share one line.
    await browserPage.goto(`${url}/trash`);
    const time = await browserPage.locator(".objects time").boundingBox();
    const deletion = await browserPage.getByRole("link", { name: /^Delete/ }).boundingBox();
    expect(Math.abs((time?.y ?? 0) - (deletion?.y ?? Infinity))).toBeLessThan(10);
    await browserPage.goto(`${url}/${page.id}`);
    expect(await browserPage.getByText("one two").innerText()).toBe("one\ntwo");
    // The full stop of right-to-left text is at the left end.
    const [stop = 0] = await measureLines(browserPage, "نص عربي.", 7);
    const [first = 0] = await measureLines(browserPage, "نص عربي.", 0);
    expect(stop).toBeLessThan(first);
    // Its list has the bullets at the right.
    const lastList = "[...document.querySelectorAll('.blocks ul')].at(-1)";
    expect(await browserPage.evaluate(`getComputedStyle(${lastList}).direction`)).toBe("rtl");
    // Tables scroll and do not break words.
    expect(await measureLines(browserPage, "Understanding")).toHaveLength(1);
  },
);

testUnless(NO_BROWSER)("long words and deep blocks stay readable on a narrow screen", async () => {
  const word = "W".repeat(90);
  const { url, visitor, client } = await startWithOwner(word);
  const { body: database } = await client.createDatabase({
    body: {
      parent: { workspace: true },
      title: text(word),
      description: text(word),
      properties: {
        Name: { title: {} },
        Kind: { select: { options: [{ name: word }] } },
        Price: { number: {} },
      },
    },
  });
  const { body: created } = await client.createPage({
    body: {
      parent: { database_id: database.id },
      properties: { Name: { title: text(word) }, Kind: { select: { name: word } }, Price: { number: 1 } },
    },
  });
  for (const type of ["quote", "bulleted_list_item"] as const) {
    let id = created.id;
    for (let level = 1; level <= 20; level += 1) {
      const content = { rich_text: text(`Level ${level} of ${type}`) };
      const child = type === "quote" ? { quote: content } : { bulleted_list_item: content };
      [id = ""] = await appendIds(client, id, [child]);
    }
  }
  await visitor.createKey(word);
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  // The actions of the keys are in sight.
  await page.goto(`${url}/settings/api`);
  const { x = 1280, width = 0 } = (await page.getByText("Revoke").first().boundingBox()) ?? {};
  expect(x + width).toBeLessThan(1280);
  // A long option does not cover the next cell.
  await page.goto(`${url}/${database.id}`);
  const option = await page.locator(".option").boundingBox();
  const number = await page.locator("td.number").boundingBox();
  expect((option?.x ?? Infinity) + (option?.width ?? 0)).toBeLessThanOrEqual(number?.x ?? 0);
  for (const path of ["/", "/settings/api", "/settings/account", `/${database.id}`, `/${created.id}`]) {
    await page.goto(url + path);
    await expectAccessible(page, `long-words${path.replaceAll("/", "-").slice(0, 20)}`);
  }
  await page.setViewportSize({ width: 375, height: 740 });
  for (const shown of ["Level 20 of quote", "Level 20 of bulleted_list_item"]) {
    expect((await page.getByText(shown, { exact: true }).boundingBox())?.width).toBeGreaterThan(150);
  }
});

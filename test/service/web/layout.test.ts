import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { text, title } from "../../support/contract.js";
import { NO_BROWSER, openPage, takeScreenshot } from "../../support/browser.js";
import { testUnless } from "../../support/requirements.js";
import type { Visitor } from "../../support/visitor.js";
import { expectAccessible } from "./browsing.js";
import { startWeb } from "./visitors.js";
import { addTea, startWithTeas } from "./workspace/teas.js";

/** Opens a page of Chromium with the cookies of a visitor. */
async function openAs({ cookies }: Visitor, url: string, javaScriptEnabled = true): Promise<Page> {
  const page = await openPage({ viewport: { width: 1280, height: 800 }, javaScriptEnabled });
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  return page;
}

async function measureBox(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("The element is not visible.");
  return box;
}

testUnless(NO_BROWSER).each([
  ["Bob", 60, 130],
  ["Ada-Lovelace", 60, 130],
  ["W".repeat(90), 60, 170],
])(
  "the choice of workspaces is one line of the header (%s)",
  async (name, maxWideHeight, maxNarrowHeight) => {
    const { url, member } = await startWeb();
    const link = await (await member("Ada")).invite();
    const visitor = await member(name);
    await visitor.submit(link, link);
    const page = await openAs(visitor, url);
    await page.goto(url);
    for (const [width, maxHeight] of [
      [1920, maxWideHeight],
      [1280, maxWideHeight],
      [768, 100],
      [375, maxNarrowHeight],
      [320, maxNarrowHeight],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const select = await measureBox(page.getByLabel("Workspace"));
      const button = await measureBox(page.getByRole("button", { name: "Switch" }));
      expect([width, button.y - select.y, button.x > select.x + select.width]).toEqual([width, 0, true]);
      expect((await measureBox(page.locator(".header"))).height, String(width)).toBeLessThan(maxHeight);
      expect((await measureBox(page.locator(".account-name"))).width, String(width)).toBeGreaterThan(20);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  },
);

testUnless(NO_BROWSER)("a new key is shown whole without JavaScript", async () => {
  const { url, member } = await startWeb();
  const page = await openAs(await member("Ada"), url, false);
  await page.goto(`${url}/settings/api`);
  await page.getByLabel("Name", { exact: true }).fill("Import");
  await page.getByRole("button", { name: "Create key" }).click();
  const field = page.getByLabel("The new key");
  const setValue = (value: string) =>
    page.evaluate(`document.querySelector("#new-key").value = ${JSON.stringify(value)}`);
  for (const width of [1280, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const key = await field.inputValue();
    expect(key).toMatch(/^ps_\w{36}$/);
    const hidden = await page.evaluate(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#new-key'))",
    );
    expect([width, hidden]).toEqual([width, 0]);
    const picture = await takeScreenshot(field);
    await setValue(key.replace("_", " "));
    expect([width, (await takeScreenshot(field)).equals(picture)], "a visible underscore").toEqual([
      width,
      false,
    ]);
    await setValue(key);
  }
});

testUnless(NO_BROWSER)("long breadcrumbs are folded, and unfold to all levels", async () => {
  const { url, visitor, client, databaseId } = await startWithTeas();
  let parent: { page_id: string } | { database_id: string } = { database_id: databaseId };
  for (let level = 1; level <= 6; level += 1) {
    const properties = { title: title(`Level ${level} of the many levels`) };
    const { body } = await client.createPage({ body: { parent, properties } });
    parent = { page_id: body.id };
  }
  const page = await openAs(visitor, url);
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${url}/${Object.values(parent)[0]}`);
  const breadcrumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  expect(await breadcrumbs.getByRole("link").allTextContents()).toEqual([
    "Demo",
    ...[4, 5].map((level) => `Level ${level} of the many levels`),
  ]);
  expect((await measureBox(breadcrumbs.locator("ol").first())).height).toBeLessThan(100);
  await breadcrumbs.getByText("…").click();
  expect(await breadcrumbs.getByRole("link").count()).toBe(7);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  await expectAccessible(page, "breadcrumbs");
});

testUnless(NO_BROWSER)(
  "texts keep their indentation, table cells their width, and columns begin at one height",
  async () => {
    const { url, visitor, client, databaseId } = await startWithTeas();
    const { body } = await client.createPage({
      body: { parent: { database_id: databaseId }, properties: { title: title("Layout") } },
    });
    const cells = ["Words", "x".repeat(80), "many words ".repeat(20)].map((cell) => text(cell));
    await client.appendBlockChildren({
      path: { block_id: body.id },
      body: {
        children: [
          { paragraph: { rich_text: text("first\n    second") } },
          {
            column_list: {
              children: [
                { column: { children: [{ heading_3: { rich_text: text("Left") } }] } },
                { column: { children: [{ paragraph: { rich_text: text("Right") } }] } },
              ],
            },
          },
          { table: { table_width: 3, children: [{ table_row: { cells } }] } },
        ],
      },
    });
    const page = await openAs(visitor, url);
    await page.goto(`${url}/${body.id}`);
    expect(await page.getByText("first").innerText()).toBe("first\n    second");
    const left = await measureBox(page.getByText("Left"));
    const right = await measureBox(page.getByText("Right"));
    expect(Math.abs(left.y - right.y)).toBeLessThan(3);
    await page.setViewportSize({ width: 375, height: 800 });
    expect((await measureBox(page.getByRole("cell", { name: "many words" }))).width).toBeGreaterThan(90);
  },
);

testUnless(NO_BROWSER)("rows of a table that was moved keep their borders in the first column", async () => {
  const fixture = await startWithTeas();
  const { client, databaseId, url, visitor } = fixture;
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { properties: Object.fromEntries([..."abcdefghij"].map((name) => [name, { checkbox: {} }])) },
  });
  for (let row = 0; row < 8; row += 1)
    await addTea(fixture, `Tea ${row}`, row, `https://example.com/${"long-".repeat(20)}`);
  const page = await openAs(visitor, url);
  const rowHeaders = page.locator("tbody th");
  const takePictures = async (): Promise<string[]> => {
    const pictures: string[] = [];
    for (const rowHeader of (await rowHeaders.all()).slice(1)) {
      const { x, y } = await measureBox(rowHeader);
      const clip = { x, y: Math.floor(y) - 2, width: 8, height: 5 };
      pictures.push((await takeScreenshot(page, { clip })).toString("base64"));
    }
    return pictures;
  };
  // Fractions of pixels decide which cells are rounded in another direction than their neighbours.
  for (const distance of [30.25, 30.5, 30.75]) {
    await page.goto(`${url}/${databaseId}`);
    await takeScreenshot(page);
    await page.evaluate(`document.querySelector(".rows").style.marginTop = "${distance}px"`);
    const withBorders = await takePictures();
    await page.evaluate(
      "for (const { style } of document.querySelectorAll('tbody th')) style.borderColor = 'transparent'",
    );
    const withoutBorders = await takePictures();
    const hidden = withBorders.flatMap((picture, row) => (picture === withoutBorders[row] ? [row] : []));
    expect([distance, hidden]).toEqual([distance, []]);
  }
});

testUnless(NO_BROWSER)("the menu is one line on phones, and leads to the trash from every page", async () => {
  const { url, visitor, databaseId } = await startWithTeas();
  const page = await openAs(visitor, url);
  await page.goto(`${url}/${databaseId}`);
  const search = page.getByRole("link", { name: "Search", exact: true });
  for (const [width, name] of [
    [375, "Docs"],
    [360, "Docs"],
    [320, "Members"],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    const last = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
    expect([width, (await measureBox(last)).y]).toEqual([width, (await measureBox(search)).y]);
  }
  await page.getByRole("link", { name: "Trash", exact: true }).click();
  expect(await page.locator("[aria-current=page]").innerText()).toBe("Trash");
});

testUnless(NO_BROWSER)(
  "the menu of signed-in people hides the docs only on the narrowest phones",
  async () => {
    const { url, member } = await startWeb();
    const readMenu = (page: Page): Promise<string[]> =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
    const page = await openAs(await member("Ada"), url);
    const anonymous = await openPage({ viewport: { width: 320, height: 740 } });
    for (const path of ["/settings/api", "/search", "/trash"]) {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(url + path);
      expect(await readMenu(page)).toEqual(["Search", "Trash", "Settings", "Members", "Docs"]);
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await readMenu(page)).toEqual(["Search", "Trash", "Settings", "Members"]);
    }
    // It does not depend on the number of entries.
    await page.evaluate("document.querySelector('.header li').before(document.createElement('li'))");
    expect(await readMenu(page)).toEqual(["Search", "Trash", "Settings", "Members"]);
    await anonymous.goto(url);
    expect(await readMenu(anonymous)).toEqual(["Settings", "Docs"]);
  },
);

testUnless(NO_BROWSER)("icons move no titles in lists, and stay beside right-to-left titles", async () => {
  const fixture = await startWithTeas();
  const { url, visitor, client, databaseId } = fixture;
  const icon = { type: "emoji", emoji: "🍵" } as const;
  const addIcon = async (name: string): Promise<void> => {
    const { body } = await addTea(fixture, name, 1);
    await client.updatePage({ path: { page_id: body.id }, body: { icon } });
  };
  await addTea(fixture, "W".repeat(60), 1);
  await addIcon("Sencha");
  await addIcon("شاي");
  const page = await openAs(visitor, url);
  await page.goto(url);
  const list = page.getByRole("region", { name: "Recently edited" });
  const positions = new Set<number>();
  for (const entry of await list.getByRole("listitem").all()) {
    const title = await measureBox(entry.getByRole("link"));
    positions.add(title.x);
    // The first line of the title begins at the top of the entry, not below the icon.
    expect(title.y - (await measureBox(entry)).y).toBeLessThan(20);
  }
  expect(positions.size).toBe(1);
  await page.goto(`${url}/${databaseId}`);
  const icons = await page.evaluate<string[]>(
    `[...document.querySelectorAll(".rows a .icon")].map((icon) => {
      const { direction, marginLeft, marginRight } = getComputedStyle(icon);
      return direction + (direction === "rtl" ? marginLeft : marginRight);
    })`,
  );
  expect(icons.toSorted()).toEqual([expect.stringMatching(/^ltr[1-9]/), expect.stringMatching(/^rtl[1-9]/)]);
});

testUnless(NO_BROWSER)("a notice has the focus, but no outline, because it is not operable", async () => {
  const { url } = await startWeb();
  const page = await openPage();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail address").fill("ada@example.org");
  await page.getByLabel("Password").fill("wrong password");
  await page.keyboard.press("Enter");
  await page.locator('[role="alert"]:focus').waitFor();
  const [name, outline] = await page.evaluate<string[]>(
    "[document.activeElement.className, getComputedStyle(document.activeElement).outlineStyle]",
  );
  expect([name, outline]).toEqual(["notice bad", "none"]);
});

testUnless(NO_BROWSER)("long equations and deeply nested callouts fit into a page", async () => {
  const fixture = await startWithTeas();
  const { client, url, visitor } = fixture;
  const { body: tea } = await addTea(fixture, "Deep", 1);
  const expression = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join(" + ");
  const children = [
    { paragraph: { rich_text: [{ equation: { expression } }] } },
    { equation: { expression } },
    { equation: { expression: "\\frac{a}{b}" } },
  ];
  await client.appendBlockChildren({ path: { block_id: tea.id }, body: { children } });
  let parent = tea.id;
  for (let level = 1; level <= 20; level += 1) {
    const callout = { callout: { rich_text: text(`The note of level ${level}`), icon: { emoji: "🧭" } } };
    const { body } = await client.appendBlockChildren({
      path: { block_id: parent },
      body: { children: [callout] },
    });
    parent = body.results[0]?.id ?? "";
  }
  const page = await openAs(visitor, url);
  // On a busy machine, a page can show the source of an equation.
  const countEquations = async (): Promise<number> => {
    await page.goto(`${url}/${tea.id}`);
    return page.locator("math").count();
  };
  await expect.poll(countEquations).toBe(3);
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect((await measureBox(page.getByText("The note of level 20"))).width).toBeGreaterThan(140);
    const hidden =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.equation'))";
    expect(await page.evaluate(hidden)).toBe(0);
    expect((await measureBox(page.locator("mfrac"))).width).toBeLessThan(50);
  }
});

import { expect } from "vitest";
import { NO_BROWSER, openPage } from "../../../support/browser.js";
import { testUnless } from "../../../support/requirements.js";
import { addTea, startWithTeas } from "./teas.js";

/** CSS pixels between the margins of a landscape page of A4. */
const PAPER_WIDTH = 1046;

testUnless(NO_BROWSER)(
  "a printed table has all its columns on the paper, each below its header",
  async () => {
    const fixture = await startWithTeas();
    const { client, url, visitor, databaseId } = fixture;
    await addTea(fixture, "Sencha", 1);
    const page = await openPage({ viewport: { width: PAPER_WIDTH, height: 700 } });
    await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
    await page.emulateMedia({ media: "print" });
    for (const count of [12, 36]) {
      const columns = Array.from({ length: count }, (_, index) =>
        `Column ${index} ${"with words ".repeat(6)}`.trim(),
      );
      const properties = Object.fromEntries(columns.map((name) => [name, { rich_text: {} }]));
      await client.updateDatabase({ path: { database_id: databaseId }, body: { properties } });
      await page.goto(`${url}/${databaseId}`);
      expect([count, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
        count,
        PAPER_WIDTH,
      ]);
      const readPositions = (cells: string): Promise<number[]> =>
        page.evaluate(
          `[...document.querySelectorAll("${cells}")].map((cell) => Math.round(cell.getBoundingClientRect().x))`,
        );
      const headers = await readPositions("thead th");
      expect(headers).toHaveLength(count + 4);
      expect(await readPositions("tbody tr > *")).toEqual(headers);
      // Names are whole, in as many lines as they need.
      const header = page.getByRole("columnheader", { name: "Column 0" });
      expect((await header.boundingBox())?.height).toBeGreaterThan(60);
    }
  },
);

testUnless(NO_BROWSER)("options have visible borders where backgrounds are not shown", async () => {
  const fixture = await startWithTeas();
  const { url, visitor } = fixture;
  const { body: tea } = await addTea(fixture, "Sencha", 1);
  const page = await openPage();
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  await page.goto(`${url}/${tea.id}`);
  const readBorder = (): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector(".option")).borderTopColor`);
  const transparent = "rgba(0, 0, 0, 0)";
  expect(await readBorder()).toBe(transparent);
  for (const media of [{ media: "print" }, { media: "screen", forcedColors: "active" }] as const) {
    await page.emulateMedia(media);
    expect([media, await readBorder()]).not.toEqual([media, transparent]);
  }
});

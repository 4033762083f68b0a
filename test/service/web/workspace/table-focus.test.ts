import { expect } from "vitest";
import { NO_BROWSER, openPage } from "../../../support/browser.js";
import { text, title } from "../../../support/contract.js";
import { testUnless } from "../../../support/requirements.js";
import { startWithTeas } from "./teas.js";

/** Measures the focused link of a table: its visible width beside the names of the rows, and how far its cell is scrolled. */
const MEASURE_FOCUS = `
  const link = document.activeElement;
  const { left, right, top, width } = link.getClientRects()[0];
  const frame = link.closest(".rows").getBoundingClientRect();
  const corner = document.querySelector(".rows thead th").getBoundingClientRect();
  ({
    name: link.textContent,
    isName: link.closest("th:first-child") !== null,
    isBelowHeader: link.closest("thead") !== null || top >= corner.bottom - 1,
    visibleWidth: Math.min(right, frame.right) - Math.max(left, corner.right),
    width,
    scrolled: link.parentElement.scrollLeft,
  })`;

interface Focus {
  readonly name: string;
  readonly isName: boolean;
  readonly isBelowHeader: boolean;
  readonly visibleWidth: number;
  readonly width: number;
  readonly scrolled: number;
}

testUnless(NO_BROWSER).each([1280, 375])(
  "links of a table that get the focus are beside its first column at %i px, and their cell shows them",
  async (width) => {
    const { url, visitor, client, databaseId } = await startWithTeas();
    const names = Array.from({ length: 8 }, (_, index) => `Site ${index}`);
    const columns = Object.fromEntries(names.map((name) => [name, { url: {} }]));
    await client.updateDatabase({
      path: { database_id: databaseId },
      body: { properties: { Note: { rich_text: {} }, ...columns } },
    });
    for (let row = 0; row < 4; row += 1) {
      const sites = names.map((name) => [name, { url: `https://example.org/${"path/".repeat(40)}` }]);
      const note = [
        ...text("long text ".repeat(30)),
        { text: { content: "source", link: { url: "https://example.org/" } } },
      ];
      await client.createPage({
        body: {
          parent: { database_id: databaseId },
          properties: {
            Name: title(`Row ${row} with a long title`),
            Note: { rich_text: note },
            ...Object.fromEntries(sites),
          },
        },
      });
    }
    const page = await openPage({ viewport: { width, height: 800 } });
    await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
    await page.goto(`${url}/${databaseId}`);
    await page.getByRole("region", { name: "Pages of the database" }).focus();
    for (const [key, count] of [
      ["Tab", 24],
      ["Shift+Tab", 22],
    ] as const) {
      for (let presses = 0; presses < count; presses += 1) {
        await page.keyboard.press(key);
        await page.evaluate("new Promise(requestAnimationFrame)");
        const focus = await page.evaluate<Focus>(MEASURE_FOCUS);
        if (focus.isName) continue;
        const isInSight = focus.visibleWidth >= Math.min(focus.width, 40) - 1;
        expect([key, focus.name, focus, isInSight, focus.isBelowHeader, focus.scrolled]).toEqual([
          key,
          focus.name,
          focus,
          true,
          true,
          0,
        ]);
      }
    }
  },
);

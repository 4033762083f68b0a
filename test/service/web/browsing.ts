import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findColorViolations, findViolations } from "../../support/axe.js";
import { PASSWORD } from "../../support/visitor.js";

/** Width of the narrowest supported screen in CSS pixels, which equals 1,280 at 400 % zoom. */
const NARROW_WIDTH = 320;

/** Fills in the sign-up form for Ada. */
export async function fillInAccount(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("E-mail address").fill("ada@example.org");
  await page.getByLabel("Password").fill(PASSWORD);
}

/** Expects that axe finds no violations in a page in light and dark mode and on a narrow screen, where all content fits. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect([name, "light", await findViolations(page)]).toEqual([name, "light", []]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect([name, "dark", await findColorViolations(page)]).toEqual([name, "dark", []]);
  await page.setViewportSize({ width: NARROW_WIDTH, height: 740 });
  expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, NARROW_WIDTH]);
  expect([name, "small", await findViolations(page)]).toEqual([name, "small", []]);
  await page.setViewportSize({ width: 1200, height: 900 });
}

import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { createSetupToken } from "../../../src/access/invitations.js";
import { provisionDemo } from "../../../src/access/demo.js";
import { createPageService, type PageService } from "../../../src/service.js";
import { findViolations } from "../../support/axe.js";
import { keepScreenshot } from "../../support/browser.js";
import { PASSWORD } from "../../support/visitor.js";

/** Points of the narrowest screen, which is also 1,280 of them at four times the size. */
const NARROW = 320;

/** A service as the first start leaves it. */
export async function firstStart(): Promise<{ service: PageService; url: string; setupLink: string }> {
  const service = await createPageService({ database: ":memory:", registration: "open" });
  onTestFinished(() => service.close());
  await provisionDemo(service.store);
  const setupLink = `/join/${await createSetupToken(service.store)}`;
  return { service, setupLink, url: `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}` };
}

/** Fills in the form to sign up, for Ada. */
export async function fillInAccount(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("E-mail address").fill("ada@example.org");
  await page.getByLabel("Password").fill(PASSWORD);
}

/** Expects that axe finds nothing in a page, in light, in dark and on a narrow screen, on which nothing sticks out. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect([name, colorScheme, await findViolations(page)]).toEqual([name, colorScheme, []]);
    await keepScreenshot(page, `${name}-${colorScheme}`);
  }
  await page.setViewportSize({ width: NARROW, height: 740 });
  expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, NARROW]);
  expect([name, "small", await findViolations(page)]).toEqual([name, "small", []]);
  await keepScreenshot(page, `${name}-small`);
  await page.setViewportSize({ width: 1200, height: 900 });
}

import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { PROJECT } from "./api-document.js";

/** Where Chromium is; undefined where it is not. */
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);

/** Whether tests that need a browser run: always where everything is required, else where there is one. */
export const HAS_BROWSER = CHROMIUM !== undefined || process.env.CI !== undefined;
if (!HAS_BROWSER)
  console.warn("Left out: tests in a browser, because Chromium is not installed (apt-get install chromium).");

/** Starts Chromium, which ends with the test. */
export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("Chromium is not installed: apt-get install chromium");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  return browser;
}

/**
 * Keeps a picture of a page beside the build, for people to look at.
 *
 * @param fullPage whether it shows what lies below the window, too
 */
export async function keepScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  const folder = process.env.SCREENSHOTS ?? path.join(PROJECT, "dist/screenshots");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage });
}

import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type PageScreenshotOptions,
} from "playwright-core";
import { onTestFinished } from "vitest";
import { TEST_TIMEOUT_MS } from "./load.js";
import { missingProgram } from "./requirements.js";

/**
 * Path of Chromium; undefined if it is not installed. The headless shell comes first: it starts and shows a page in a third of the
 * processor time.
 */
export const CHROMIUM = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => existsSync(file));

const NOT_INSTALLED = "Chromium is not installed (apt-get install chromium-headless-shell)";

/** Reason why browser tests are skipped; undefined if Chromium is installed, and in CI, where they must run. */
export const NO_BROWSER = missingProgram(CHROMIUM !== undefined, NOT_INSTALLED);

/** Started once, because starting takes longer than most tests. Playwright ends it with this process. */
let started: Promise<Browser> | undefined;

/** Opens a page of Chromium with its own cookies, which is closed after the test. It waits as long as a test may take. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  if (CHROMIUM === undefined) throw new Error(NOT_INSTALLED);
  started ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox"],
    timeout: TEST_TIMEOUT_MS,
  });
  const context = await (await started).newContext(options);
  context.setDefaultTimeout(TEST_TIMEOUT_MS);
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Attempts to take a screenshot. */
const ATTEMPTS = 5;

/** Takes a screenshot of a page or an element. Chromium refuses it now and then on a busy machine, so it is tried again. */
export async function takeScreenshot(target: Page | Locator, options: PageScreenshotOptions = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await target.screenshot(options);
    } catch (error) {
      const isRefused = error instanceof Error && error.message.includes("Unable to capture screenshot");
      if (!isRefused || attempt === ATTEMPTS) throw error;
    }
  }
}

import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { ApiDocument } from "../support/api-document.js";
import { HAS_BROWSER, keepScreenshot, openBrowser } from "../support/browser.js";
import { startService } from "../support/service.js";

/** The docs of a running service in a browser, and what went wrong there: an error, or a request for anything else. */
async function openDocs(size: {
  width: number;
  height: number;
}): Promise<{ page: Page; problems: string[] }> {
  const running = await startService();
  onTestFinished(() => running.service.close());
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: size, colorScheme: "light" });
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && url !== `${running.baseUrl}/docs`) problems.push(`asked for ${url}`);
  });
  await page.goto(`${running.baseUrl}/docs`);
  await heading(page, "Your first page").waitFor();
  return { page, problems };
}

function heading(page: Page, name: string): Locator {
  return page.getByRole("heading", { name });
}

/** Goes from one control to the next until one has this text, and presses Enter there. */
async function chooseByKeyboard(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.locator(":focus").textContent();
    if (focused === text) return page.keyboard.press("Enter");
  }
  throw new Error(`Nothing in reach of the keyboard says ${text}.`);
}

test.runIf(HAS_BROWSER)(
  "the docs need no network, and are read by keyboard: guides, operations, samples in both languages, search",
  { timeout: 180_000 },
  async () => {
    const { page, problems } = await openDocs({ width: 1280, height: 600 });

    await page.keyboard.press("Control+k");
    const search = page.getByPlaceholder("Search docs...");
    await search.fill("append children");
    await page.getByText("/v1/blocks/{block_id}/").first().waitFor();
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "hidden" });

    await chooseByKeyboard(page, "Filters and sorts");
    await page.waitForURL(/#\/filters-and-sorts/);
    await heading(page, "Filters and sorts").waitFor();

    await page.getByRole("link", { name: "Pages", exact: true }).click();
    await page.getByRole("link", { name: /^Create a page/ }).click();
    await page.getByText("curl", { exact: true }).first().click();
    await page.getByText("TypeScript", { exact: true }).click();
    await page.getByText("createPage").first().waitFor();
    await keepScreenshot(page, "docs", false);

    expect(problems).toEqual([]);
  },
);

test.runIf(HAS_BROWSER)("the docs fit a small screen", { timeout: 120_000 }, async () => {
  const { page, problems } = await openDocs({ width: 390, height: 800 });
  expect(await page.locator("html").evaluate((html) => html.scrollWidth)).toBe(390);
  expect(problems).toEqual([]);
});

test("every operation has samples in the docs", async () => {
  const running = await startService();
  onTestFinished(() => running.service.close());
  const text = await (await fetch(`${running.baseUrl}/docs`)).text();
  expect(text.split('"x-codeSamples":[{').length - 1).toBe(ApiDocument.committed().operations().length);
});

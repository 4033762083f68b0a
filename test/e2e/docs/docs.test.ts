import { readFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { ApiDocument, PROJECT } from "../../support/api-document.js";
import { NO_BROWSER, openPage } from "../../support/browser.js";
import { type RunningService, startService } from "../../support/service.js";
import { testUnless } from "../../support/requirements.js";
import { findColorViolations, findViolations } from "../../support/axe.js";

let running: RunningService;
beforeAll(async () => {
  running = await startService();
});
afterAll(() => running.service.close());

/** Opens the docs of a service in a browser, and collects errors and requests to other addresses. */
async function openDocs(
  size: { width: number; height: number },
  { baseUrl } = running,
): Promise<{ page: Page; problems: string[] }> {
  const page = await openPage({ viewport: size, colorScheme: "light" });
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && url !== `${baseUrl}/docs`) problems.push(`requested ${url}`);
  });
  await page.goto(`${baseUrl}/docs`);
  await findHeading(page, "Your first page").waitFor();
  return { page, problems };
}

function findHeading(page: Page, name: string): Locator {
  return page.getByRole("heading", { name });
}

/** Presses Tab until a control with this text has the focus, and then Enter. */
async function chooseByKeyboard(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.locator(":focus").textContent();
    if (focused === text) return page.keyboard.press("Enter");
  }
  throw new Error(`The keyboard reaches no control with the text ${text}.`);
}

testUnless(NO_BROWSER)(
  "the docs need no network, and the keyboard reaches guides, operations, samples in both languages and search",
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
    await findHeading(page, "Filters and sorts").waitFor();

    await page.getByRole("link", { name: "Pages", exact: true }).click();
    await page.getByRole("link", { name: /^Create a page/ }).click();
    // The list of languages opens outside the viewport while the page still scrolls to the operation.
    const chooseTypeScript = async (): Promise<void> => {
      await page.getByText("curl", { exact: true }).first().click();
      await page.getByText("TypeScript", { exact: true }).click({ timeout: 2000 });
    };
    await vi.waitFor(chooseTypeScript, { timeout: 20_000 });
    await page.getByText("createPage").first().waitFor();
    // The copy button covers no code.
    const sample = page.locator(".panel-request-samples");
    const button = await sample.getByRole("button", { name: "copy" }).first().boundingBox();
    const code = await sample.getByText('"page-service/client"').boundingBox();
    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);

    expect(problems).toEqual([]);
  },
);

const ADDRESSES = { baseUrl: "https://api.example.org", appUrl: "https://app.example.org" };

testUnless(NO_BROWSER)(
  "the docs contain the addresses of the service, link to its app, and offer no AI assistants",
  async () => {
    const published = await startService(ADDRESSES);
    onTestFinished(() => published.service.close());
    const { page, problems } = await openDocs({ width: 1280, height: 800 }, published);
    const text = await page.locator("body").innerText();
    expect(text).not.toMatch(/\{(?:base|app)_url\}|localhost:3000|ChatGPT|Claude|Copy for LLM/);
    expect(text).toContain("https://app.example.org/settings/api");
    expect(text).toContain("curl https://api.example.org/v1/pages");
    const link = page.getByRole("link", { name: "Open the app" });
    expect(await link.getAttribute("href")).toBe("https://app.example.org/");
    await expect.poll(() => page.locator("pre + .copy-code, .copy-code").count()).toBeGreaterThan(2);
    const colored = await page.evaluate(
      "[...CSS.highlights.values()].reduce((sum, { size }) => sum + size, 0)",
    );
    expect(colored).toBeGreaterThan(20);
    await page.getByText("Changelog", { exact: true }).first().click();
    await page.getByRole("link", { name: /^\[0.1.0\]/ }).waitFor();
    await findHeading(page, "Versions").waitFor();
    expect(problems).toEqual([]);
  },
);

testUnless(NO_BROWSER)(
  "the search is a dialog without violations of axe, and the keyboard reaches the button that clears its field",
  async () => {
    const { page } = await openDocs({ width: 1280, height: 800 });
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.type("delete page");
    await dialog.getByText("Update a page").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear the search field" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByPlaceholder("Search docs...").inputValue()).toBe("");
  },
);

testUnless(NO_BROWSER)("search finds errors by code and status, and operations by intent", async () => {
  const { page } = await openDocs({ width: 1280, height: 800 });
  const results = page.locator('[data-component-name="Search/SearchItem"]');
  await page.keyboard.press("Control+k");
  for (const [query, wanted] of [
    ["object_not_found", /^object_not_found/],
    ["rate_limited", /^rate_limited/],
    ["conflict_error", /^conflict_error/],
    ["429", /^rate_limited/],
    ["413", /^validation_error/],
    ["delete page", /^PATCH\/v1\/pages\/\{page_id\}Update a page.*A value is replaced as a whole/],
  ] as const) {
    await page.getByPlaceholder("Search docs...").fill(query);
    await expect.poll(() => results.first().textContent()).toMatch(wanted);
  }
  for (const [query, wanted] of [
    ["token", /^AuthenticationAn API key is a bearer token/m],
    ["webhook", /There are no OAuth, file uploads or webhooks/],
    ["formula", /^Differences.*Formulas/m],
    ["https", /For HTTPS/],
  ] as const) {
    await page.getByPlaceholder("Search docs...").fill(query);
    await expect.poll(async () => (await results.allTextContents()).join("\n")).toMatch(wanted);
  }
});

testUnless(NO_BROWSER).each([
  ["database.ts", "Create a page"],
  ["workspace.ts", "Create a database"],
])("the link in %s of the app opens an operation", async (file, heading) => {
  const source = readFileSync(path.join(PROJECT, "src/web/pages/workspace", file), "utf8");
  const [link = ""] = /\/docs#[^"]+/.exec(source) ?? [];
  const page = await openPage();
  await page.goto(new URL(link, running.baseUrl).href);
  await findHeading(page, heading).first().waitFor();
});

testUnless(NO_BROWSER)("Enter in the search field opens the first result on a small screen", async () => {
  const { page } = await openDocs({ width: 375, height: 740 });
  await page.getByRole("button", { name: "Open navigation menu" }).click();
  await page.getByText("Search Ctrl+K").click();
  const search = page.getByPlaceholder("Search docs...");
  await search.press("Enter");
  await search.fill("delete page");
  await page.getByText("/v1/blocks/{block_id}").first().waitFor();
  await search.press("Enter");
  await page.waitForURL(/#\/pages\/updatepage/);
  await findHeading(page, "Update a page").waitFor({ state: "visible" });
  await search.waitFor({ state: "hidden" });
});

testUnless(NO_BROWSER).each([1280, 375])("no content of the docs is cut off at %i px", async (width) => {
  const { page } = await openDocs({ width, height: 800 });
  for (const [chapter, heading] of [
    ["errors", "Errors"],
    ["identifiers-and-sizes", "Identifiers and sizes"],
    ["running-it-yourself", "Running it yourself"],
    ["writing-safely", "Writing safely"],
    ["pages/createpage", "Create a page"],
  ] as const) {
    await page.evaluate(`location.hash = "#/${chapter}"`);
    await findHeading(page, heading).first().waitFor();
    const cutOff = await page.evaluate(
      `[...document.querySelectorAll("pre, p, h2, td, th")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .map((element) => element.textContent.slice(0, 60))`,
    );
    expect(cutOff, chapter).toEqual([]);
    expect(await page.locator("html").evaluate((html) => html.scrollWidth)).toBe(width);
  }
});

testUnless(NO_BROWSER)("axe finds no violations in the docs in light and dark mode", async () => {
  const { page } = await openDocs({ width: 1280, height: 800 });
  const expectNone = async (findIn: typeof findViolations, colorScheme: string): Promise<void> => {
    await page.locator(`html.${colorScheme}`).waitFor();
    for (const [chapter, heading] of [
      ["", "Your first page"],
      ["errors", "Errors"],
      ["changelog", "Changelog"],
      ["pages/createpage", "Create a page"],
    ] as const) {
      if (chapter !== "") await page.evaluate(`location.hash = "#/${chapter}"`);
      await findHeading(page, heading).first().waitFor();
      expect([chapter, colorScheme, await findIn(page)]).toEqual([chapter, colorScheme, []]);
    }
  };
  const url = page.url();
  await expectNone(findViolations, "light");
  // Redoc reads the color scheme when it starts.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("about:blank");
  await page.goto(url);
  await expectNone(findColorViolations, "dark");
});

testUnless(NO_BROWSER)("the docs fit a small screen, where the link to the app covers no text", async () => {
  const { page, problems } = await openDocs({ width: 390, height: 800 });
  const link = page.getByRole("link", { name: "Open the app" });
  expect((await link.boundingBox())?.y).toBeLessThan(50);
  await page.evaluate("scrollTo(0, 1000)");
  await expect.poll(async () => (await link.boundingBox())?.y).toBeLessThan(0);
  expect(await page.locator("html").evaluate((html) => html.scrollWidth)).toBe(390);
  expect(problems).toEqual([]);
});

testUnless(NO_BROWSER)("without JavaScript, the docs link to the document", async () => {
  const { baseUrl } = running;
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(`${baseUrl}/docs`);
  // Nothing is shown that does not work.
  await page.getByRole("heading", { name: "Your first page" }).waitFor();
  for (const control of [
    page.getByRole("button"),
    page.getByText("Loading..."),
    page.getByText("Pagination"),
  ]) {
    expect(await control.filter({ visible: true }).count()).toBe(0);
  }
  await page.getByRole("link", { name: "OpenAPI document" }).click();
  expect(page.url()).toBe(`${baseUrl}/openapi.json`);
});

test("every operation has samples in the docs", async () => {
  const text = await (await fetch(`${running.baseUrl}/docs`)).text();
  expect(text.split('"x-codeSamples":[{').length - 1).toBe(ApiDocument.committed().operations().length);
});

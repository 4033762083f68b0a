import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { provisionDemo } from "../../src/access/provision.js";
import { createClient } from "../../src/client/index.js";
import { createPageService } from "../../src/service.js";
import { HAS_BROWSER, keepScreenshot, openBrowser } from "../support/browser.js";
import { failure } from "../support/contract.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PASSWORD = "correct horse battery";

/** What has the focus: its element, and what it is called. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const name = element.labels?.[0] ?? element;
  return element.tagName + " " + name.textContent.trim().replaceAll(/\\s+/g, " ");
})()`;

/** A service as the first start leaves it. */
async function firstStart(): Promise<string> {
  const service = await createPageService({ database: ":memory:" });
  onTestFinished(() => service.close());
  await provisionDemo(service.store);
  return `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
}

/** What axe finds wrong with a page; it looks in from outside, past the policy that keeps other scripts out. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  // The cast: the line before defined it.
  const { violations: found } = (await page.evaluate("axe.run()")) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

async function fillInAccount(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("E-mail address").fill("ada@example.org");
  await page.getByLabel("Password").fill(PASSWORD);
}

describe.runIf(HAS_BROWSER)("in a browser", () => {
  for (const javaScriptEnabled of [true, false]) {
    test(
      `sign up, make a key, call with it, see the usage, revoke it, 401; ${javaScriptEnabled ? "with" : "without"} JavaScript`,
      { timeout: 90_000 },
      async () => {
        const url = await firstStart();
        const context = await (await openBrowser()).newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(url);
        await page.getByRole("link", { name: "Create an account" }).click();
        expect(await page.textContent("main")).toContain("it will own the workspace Demo");
        await fillInAccount(page);
        await page.getByRole("button", { name: "Create account" }).click();

        await page.getByLabel("Name", { exact: true }).fill("Nightly import");
        await page.getByRole("button", { name: "Create key" }).click();
        const key = await page.getByLabel("The new key").inputValue();
        expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(javaScriptEnabled ? 1 : 0);
        if (javaScriptEnabled) {
          await context.grantPermissions(["clipboard-read", "clipboard-write"]);
          await page.getByRole("button", { name: "Copy" }).click();
          await page.getByText("Copied to the clipboard.").waitFor();
          expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
        }

        const client = createClient({ baseUrl: url, apiKey: key });
        for (let call = 0; call < 7; call += 1) await client.retrieveBotUser();
        await page.goto(`${url}/settings/api`);
        expect(await page.content()).not.toContain(key);
        expect(await page.getByRole("img", { name: /^Last hour/ }).getAttribute("aria-label")).toMatch(
          /: 7 passed, 0 refused/,
        );
        const keys = page.getByRole("table", { name: "Keys that work", exact: true });
        const row = keys.getByRole("row", { name: /Nightly import/ });
        expect(await row.textContent()).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/);

        await row.getByText("Revoke", { exact: false }).first().click();
        await row.getByRole("button", { name: "Revoke key" }).click();
        await page.getByText("The key is revoked").waitFor();
        // Within a second it is refused; until then it may be remembered.
        await new Promise((resolve) => setTimeout(resolve, 1000));
        expect(await failure(client.retrieveBotUser())).toMatchObject({ status: 401, code: "unauthorized" });

        await page.getByRole("button", { name: "Sign out" }).click();
        await page.goto(`${url}/settings/api`);
        expect(page.url()).toContain("/sign-in");
      },
    );
  }

  test(
    "no page has a fault that axe finds, in light, in dark and on a small screen",
    { timeout: 120_000 },
    async () => {
      const url = await firstStart();
      const page = await (await openBrowser()).newPage();
      const policyBroken: string[] = [];
      page.on("console", (message) => policyBroken.push(message.text()));
      const check = async (name: string): Promise<void> => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          expect([name, colorScheme, await violations(page)]).toEqual([name, colorScheme, []]);
          await keepScreenshot(page, `${name}-${colorScheme}`);
        }
        await page.setViewportSize({ width: 360, height: 740 });
        expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 360]);
        expect([name, "small", await violations(page)]).toEqual([name, "small", []]);
        await keepScreenshot(page, `${name}-small`);
        await page.setViewportSize({ width: 1200, height: 900 });
      };
      await page.goto(url);
      await check("start");
      await page.goto(`${url}/sign-up`);
      await check("sign-up");
      await fillInAccount(page);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Nightly import");
      await page.getByRole("button", { name: "Create key" }).click();
      await check("key-made");
      await page.goto(`${url}/settings/api`);
      for (const summary of await page.locator("summary").all()) await summary.click();
      await check("settings");
      await page.goto(`${url}/settings/members`);
      await page.getByRole("button", { name: "Make a link" }).click();
      await check("members");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.goto(`${url}/sign-in`);
      await page.getByLabel("E-mail address").fill("ada@example.org");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await check("sign-in-refused");
      await page.goto(`${url}/join/${"x".repeat(43)}`);
      await check("no-invitation");
      // Chromium says of each status that is an error that it is one.
      expect(policyBroken.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
    },
  );

  test("all of it goes with the keyboard alone", { timeout: 90_000 }, async () => {
    const url = await firstStart();
    const page = await (await openBrowser()).newPage();
    const focused = (): Promise<string> => page.evaluate(FOCUSED);
    /** Goes on with Tab until something has the focus, as somebody would who sees only where it is. */
    const tabTo = async (wanted: RegExp): Promise<void> => {
      const passed: string[] = [];
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press("Tab");
        const now = await focused();
        if (wanted.test(now)) {
          const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
          expect([now, outline]).toEqual([now, "solid"]);
          return;
        }
        passed.push(now);
      }
      throw new Error(`Tab does not lead to ${wanted}, but to ${passed.join(", ")}.`);
    };
    await page.goto(url);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("A Skip to the content");
    await tabTo(/^A Create an account/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/sign-up/);
    await tabTo(/^INPUT Your name/);
    await page.keyboard.type("Ada Lovelace");
    await tabTo(/^INPUT E-mail/);
    await page.keyboard.type("ada@example.org");
    await tabTo(/^INPUT Password/);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(/settings\/api/);
    await tabTo(/^INPUT Name/);
    await page.keyboard.type("By keyboard");
    await tabTo(/^BUTTON Create key/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/api\/keys/);
    await tabTo(/^BUTTON Copy/);
    await page.goto(`${url}/settings/api`);
    await tabTo(/^SUMMARY Revoke By keyboard/);
    await page.keyboard.press("Enter");
    await tabTo(/^BUTTON Revoke key/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/revoked/);
    await tabTo(/^BUTTON Sign out/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/`);
  });
});

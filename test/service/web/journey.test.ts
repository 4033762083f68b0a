import { expect, test } from "vitest";
import { createClient } from "../../../src/client/index.js";
import { NO_BROWSER, openPage } from "../../support/browser.js";
import { getError } from "../../support/contract.js";
import { PASSWORD } from "../../support/visitor.js";
import { fillInAccount } from "./browsing.js";
import { startWeb } from "./visitors.js";
import { describeUnless } from "../../support/requirements.js";

/** Describes the focused element by its tag and name. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const name = element.labels?.[0] ?? element;
  return element.tagName + " " + name.textContent.trim().replaceAll(/\\s+/g, " ");
})()`;

describeUnless(NO_BROWSER)("in a browser", () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`signs up, creates a key, calls the API, shows the usage, revokes the key and gets 401 ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const { url, setupLink } = await startWeb();
      const page = await openPage({ javaScriptEnabled });
      await page.goto(url + setupLink);
      expect(await page.textContent("main")).toMatch(/invited to the workspace Demo\s+as\s+owner/);
      await fillInAccount(page);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("link", { name: "Create an API key" }).click();

      await page.getByLabel("Name", { exact: true }).fill("Nightly import");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = await page.getByLabel("The new key").inputValue();
      // A script adds the button.
      const copyButton = page.getByRole("button", { name: "Copy" });
      if (javaScriptEnabled) {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await copyButton.click();
        await page.getByText("Copied to the clipboard.").waitFor();
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
      } else expect(await copyButton.count()).toBe(0);

      const client = createClient({ baseUrl: url, apiKey: key });
      for (let call = 0; call < 7; call += 1) await client.retrieveBotUser();
      await page.goto(`${url}/settings/api`);
      expect(await page.content()).not.toContain(key);
      expect(await page.getByRole("img", { name: /^Last hour/ }).getAttribute("aria-label")).toMatch(
        /: 7 passed, 0 refused/,
      );
      const keys = page.getByRole("table", { name: "Active keys", exact: true });
      const row = keys.getByRole("row", { name: /Nightly import/ });
      expect(await row.textContent()).toMatch(/just now|minutes? ago/);

      await row.getByText("Revoke", { exact: false }).first().click();
      await row.getByRole("button", { name: "Revoke key" }).click();
      await page.getByText("Key revoked. It stops working").waitFor();
      // Waits until the key is no longer cached.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(await getError(client.retrieveBotUser())).toMatchObject({ status: 401, code: "unauthorized" });

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.goto(`${url}/settings/api`);
      expect(page.url()).toContain("/sign-in");
    });
  }

  test("submits a form once when its button is clicked twice", async () => {
    const { url, setupLink } = await startWeb();
    const page = await openPage();
    await page.goto(url + setupLink);
    await fillInAccount(page);
    const submissions = await page.evaluate(`(() => {
      let count = 0;
      document.addEventListener("submit", (event) => {
        if (!event.defaultPrevented) count += 1;
        event.preventDefault();
      });
      const button = document.querySelector("main form button");
      button.click();
      button.click();
      return count;
    })()`);
    expect(submissions).toBe(1);
  });

  test("copies the command of the first steps, or selects it where the clipboard cannot be used", async () => {
    const { url, member } = await startWeb();
    const { cookies } = await member("Ada");
    const page = await openPage();
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(url);
    const command = await page.locator("#first-page").textContent();
    const copy = page.getByRole("button", { name: "Copy" });
    await copy.click();
    await page.getByText("Copied to the clipboard.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject()");
    await copy.click();
    await page.getByText("The text is selected: copy it now.").waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(command);
  });

  test("works with the keyboard alone", async () => {
    const { url, setupLink } = await startWeb();
    const page = await openPage();
    const focused = (): Promise<string> => page.evaluate(FOCUSED);
    /** Presses Tab until an element has the focus. */
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
      throw new Error(`Tab does not reach ${wanted}, only ${passed.join(", ")}.`);
    };
    await page.goto(url);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("A Skip to the content");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/^MAIN/);
    // A frame around the whole content would only confuse.
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("none");
    await tabTo(/^A Sign in/);
    await page.goto(url + setupLink);
    await page.waitForURL(/sign-up/);
    await tabTo(/^INPUT Your name/);
    await page.keyboard.type("Ada Lovelace");
    await tabTo(/^INPUT E-mail/);
    await page.keyboard.type("ada@example.org");
    await tabTo(/^INPUT Password/);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/`);
    await tabTo(/^A Create an API key/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/settings\/api/);
    await tabTo(/^INPUT Name/);
    await page.keyboard.type("By keyboard");
    await tabTo(/^BUTTON Create key/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/api\/keys/);
    await tabTo(/^BUTTON Copy/);
    await page.keyboard.press("Enter");
    await page.getByText(/^Copied|^The text is selected/).waitFor();
    await page.goto(`${url}/settings/api`);
    await tabTo(/^SUMMARY Rotate By keyboard/);
    await page.keyboard.press("Enter");
    await tabTo(/^SELECT A new key replaces it/);
    await tabTo(/^BUTTON Rotate key/);
    await page.keyboard.press("Enter");
    await page.getByText("was rotated").waitFor();
    await page.goto(`${url}/settings/api`);
    await tabTo(/^SUMMARY Revoke By keyboard/);
    await page.keyboard.press("Enter");
    await tabTo(/^BUTTON Revoke key/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/revoked/);
    await tabTo(/^A Members/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/members/);
    await tabTo(/^BUTTON Create a link/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Invitation created" }).waitFor();
    await page.goto(`${url}/settings/account`);
    await tabTo(/^BUTTON Sign out/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/`);
  });
});

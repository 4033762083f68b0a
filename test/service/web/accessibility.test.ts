import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createPasswordReset } from "../../../src/access/accounts/password-changes.js";
import { NO_BROWSER, openPage } from "../../support/browser.js";
import { createAccount } from "../../support/accounts.js";
import { PASSWORD, Visitor } from "../../support/visitor.js";
import { expectAccessible, fillInAccount } from "./browsing.js";
import { startWeb } from "./visitors.js";
import { describeUnless } from "../../support/requirements.js";

/** Collects console messages of a page, such as violations of the policy and failed scripts. */
function collectConsole(page: Page): string[] {
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  return messages;
}

/** Message of Chromium for each response with an error status. */
const STATUS_MESSAGE = /status of 4\d\d/;

describeUnless(NO_BROWSER)("axe finds no violations in light and dark mode and on a small screen", () => {
  test("from the start page to a new key", async () => {
    const { url, setupLink } = await startWeb();
    const page = await openPage();
    const messages = collectConsole(page);
    await page.goto(url);
    await expectAccessible(page, "start");
    await page.goto(url + setupLink);
    await expectAccessible(page, "sign-up");
    await fillInAccount(page);
    await page.getByRole("button", { name: "Create account" }).click();
    await expectAccessible(page, "first-steps");
    await page.getByRole("link", { name: "Create an API key" }).click();
    await expectAccessible(page, "settings-empty");
    await page.getByLabel("Name", { exact: true }).fill("Nightly import");
    await page.getByRole("button", { name: "Create key" }).click();
    await expectAccessible(page, "key-made");
    await page.getByText("Rotate").first().click();
    await page.getByRole("button", { name: "Rotate key" }).first().click();
    await page.getByText("was rotated").waitFor();
    await page.goto(`${url}/settings/api`);
    for (const width of [1280, 1000]) {
      await page.setViewportSize({ width, height: 900 });
      const hiddenWidth = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)";
      const frame = "document.querySelector('.table-frame')";
      expect([width, await page.evaluate(`${hiddenWidth}(${frame})`)]).toEqual([width, 0]);
    }
    for (const summary of await page.locator("summary").all()) await summary.click();
    await expectAccessible(page, "settings");
    await page.getByRole("button", { name: "Revoke key" }).last().click();
    await page.getByText("Key revoked. It stops working").waitFor();
    await expectAccessible(page, "revoked");
    await page.goto(`${url}/settings/members`);
    await page.getByRole("button", { name: "Create a link" }).click();
    await expectAccessible(page, "members");
    await page.goto(`${url}/settings/account`);
    await expectAccessible(page, "account");
    const color = "(selector) => getComputedStyle(document.querySelector(selector)).color";
    expect(await page.evaluate(`(${color})('.account-name')`)).not.toBe(
      await page.evaluate(`(${color})('body')`),
    );
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${url}/sign-in`);
    await expectAccessible(page, "sign-in");
    expect(messages).toEqual([]);
  });

  test("pages with errors", async () => {
    const { url, setupLink } = await startWeb();
    await new Visitor(url).signUp("Ada", setupLink);
    const page = await openPage();
    const messages = collectConsole(page);
    const submit = (button: string): Promise<void> => page.getByRole("button", { name: button }).click();
    await page.goto(`${url}/sign-up`);
    await submit("Create account");
    await page.getByText("Enter your name.").waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(3);
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    await expectAccessible(page, "sign-up-empty");
    await fillInAccount(page);
    await page.getByLabel("Password").fill("1q2w3e4r5t6y");
    await submit("Create account");
    await page.getByText("one of the most common passwords").waitFor();
    await expectAccessible(page, "sign-up-refused");
    await page.goto(`${url}/sign-in`);
    await page.getByLabel("E-mail address").fill("ada@example.org");
    await page.getByLabel("Password").fill("not the password");
    await submit("Sign in");
    await page.getByText("or the password is wrong").waitFor();
    await expectAccessible(page, "sign-in-refused");
    await page.getByLabel("Password").fill(PASSWORD);
    await submit("Sign in");
    await page.waitForURL(`${url}/`);
    await page.goto(`${url}/settings/api`);
    await page.getByLabel("Name", { exact: true }).fill("\u200b");
    await submit("Create key");
    await page.getByText("is invisible").waitFor();
    await expectAccessible(page, "key-refused");
    const controls = "document.querySelectorAll('.fields :is(input, select, button)')";
    const bottoms = await page.evaluate<number[]>(
      `[...${controls}].map((each) => each.getBoundingClientRect().bottom)`,
    );
    expect(bottoms).toEqual(Array.from({ length: 4 }, () => bottoms[0]));
    await page.goto(`${url}/settings/account`);
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("staple battery horse");
    await submit("Change password");
    await page.getByText("The current password is wrong.").waitFor();
    await expectAccessible(page, "account-refused");
    await page.goto(`${url}/settings/members`);
    await page.evaluate(
      "for (const field of document.querySelectorAll('input[name=csrf]')) field.value = 'another'",
    );
    await submit("Sign out");
    await page.getByText("This did not work").first().waitFor();
    await expectAccessible(page, "form-out-of-date");
    expect(messages.filter((text) => !STATUS_MESSAGE.test(text))).toEqual([]);
  });

  test("pages behind links", async () => {
    const { service, url, setupLink } = await startWeb();
    const ada = new Visitor(url);
    await ada.signUp("Ada", setupLink);
    const link = await ada.invite();
    const page = await openPage();
    const messages = collectConsole(page);
    await page.goto(url + link);
    await page.getByText("You are invited").waitFor();
    await expectAccessible(page, "invited");
    const none = "x".repeat(43);
    for (const path of [`/join/${none}`, `/reset/${none}`]) {
      await page.goto(url + path);
      await expectAccessible(page, `no-link-${path.slice(1, 5)}`);
    }
    await page.goto(`${url}/reset/${await createPasswordReset(service.store, "ada@example.org")}`);
    await expectAccessible(page, "reset");
    await page.getByLabel("New password").fill("aaaaaaaaaaaa");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("Use at least 4 different characters").waitFor();
    await expectAccessible(page, "reset-refused");
    await createAccount(service.store, "Bob");
    await page.goto(`${url}/sign-in`);
    await page.getByLabel("E-mail address").fill("bob@example.org");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${url}/`);
    await page.goto(url + link);
    await page.getByRole("button", { name: "Join the workspace" }).waitFor();
    await expectAccessible(page, "join");
    await page.getByRole("button", { name: "Join the workspace" }).click();
    await page.waitForURL(`${url}/`);
    // A member of two workspaces can choose one.
    await expectAccessible(page, "two-workspaces");
    expect(messages.filter((text) => !STATUS_MESSAGE.test(text))).toEqual([]);
  });
});

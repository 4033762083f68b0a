/** Creates the pictures of the README from the current pages and the built docs: `npm run pictures`. */
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { createSetupToken } from "../../../src/access/workspaces/invitations.js";
import { signUp } from "../../../src/access/accounts/sign-up.js";
import { createKeyAsMember } from "../../../src/access/keys/member-keys.js";
import { setPlan } from "../../../src/access/workspaces/workspaces.js";
import { createDemoWorkspace } from "../../../src/access/workspaces/demo.js";
import { continueSession } from "../../../src/access/accounts/sessions.js";
import { newId } from "../../../src/domain/ids.js";
import { createPageService, type PageService } from "../../../src/service.js";
import { setKeyUsed } from "../../../src/storage/access/keys.js";
import { addRequestCount } from "../../../src/storage/access/request-counts.js";
import { PROJECT } from "../../support/api-document.js";
import { CHROMIUM } from "../../support/browser.js";

const FOLDER = path.join(PROJECT, ".github/images");
const MAX_BYTES = 150_000;
const DAY = 24 * 3_600_000;

/** Creates a workspace with some keys, and a day of requests of which a few exceeded the limit. */
async function fill({ store }: PageService): Promise<string> {
  await createDemoWorkspace(store, true);
  await setPlan(store, "Demo", "enterprise", 600);
  const account = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
  const invitationToken = await createSetupToken(store);
  const token =
    (
      await signUp(
        store,
        { ...account, invitationToken },
        { registration: "invite", clientKey: "", checkRateLimit: async () => {} },
      )
    )?.sessionToken ?? "";
  const session = await continueSession(store, token);
  if (session === undefined) throw new Error("The account has no session.");
  const { workspaceId } = session;
  for (const [name, access, days] of [
    ["Nightly import", "full", 90],
    ["Reports", "read_only", 365],
    ["Website", "full", 5],
  ] as const) {
    const order = { id: newId(), name, access, expiresTime: Date.now() + days * DAY };
    const { stored } = await createKeyAsMember(store, session, order);
    await store.write(workspaceId, (scope) => setKeyUsed(scope, stored.id, Date.now(), 0));
  }
  const now = Math.floor(Date.now() / 60_000);
  await store.write(workspaceId, async (scope) => {
    for (let ago = 0; ago < 1440; ago += 1) {
      // Fewer requests at night, with random variation.
      const wave = 260 + 220 * Math.sin((ago / 1440) * 2 * Math.PI + 1.9);
      const asked = Math.round(wave + 70 * Math.sin(ago * 1.7) + 45 * Math.sin(ago * 0.37)) + 120;
      const passed = Math.min(Math.max(asked, 0), 600);
      await addRequestCount(scope, {
        minute: now - ago,
        passed,
        refused: Math.max(asked, 0) - passed,
      });
    }
  });
  return token;
}

/** Takes a picture of the visible part of a page. */
async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, name);
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  console.log(`${path.relative(PROJECT, file)}: ${Math.round(size / 1000)} KB`);
  if (size > MAX_BYTES) throw new Error(`${file} has more than ${MAX_BYTES} bytes.`);
}

const service = await createPageService({ database: ":memory:" });
const browser = await chromium.launch({
  ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
  args: ["--no-sandbox"],
});
try {
  const url = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
  const token = await fill(service);
  const context = await browser.newContext({ viewport: { width: 1280, height: 1200 } });
  await context.addCookies([{ name: "page-service-session", value: token, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/settings/api`);
  await takePicture(page, "settings.png");
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto(`${url}/docs#/pages/createpage`);
  await page.getByText("curl", { exact: true }).first().click();
  await page.getByText("TypeScript", { exact: true }).click();
  await page.getByText("createPage").first().waitFor();
  await takePicture(page, "docs.png");
} finally {
  await browser.close();
  await service.close();
}

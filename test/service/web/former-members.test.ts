import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createKey } from "../../../src/access/keys/keys.js";
import { MAX_SETTINGS_ROWS } from "../../../src/budgets.js";
import { OPERATOR } from "../../../src/access/audit.js";
import { startWeb, getApiStatus, readText } from "./visitors.js";

const MEMBERS = "/settings/members";

/** Creates a workspace of Ada with a key of Bob, who was removed. */
async function createWorkspaceWithFormerMember(revokeKeys: boolean) {
  const web = await startWeb({ registration: "invite" });
  const ada = await web.member("Ada");
  const page = await ada.submit(MEMBERS, `${MEMBERS}/invite`, { role: "member" });
  const bob = await web.member("Bob", /\/join\/[\w-]{43}/.exec(await page.text())?.[0]);
  const key = await bob.createKey("Bob's");
  const [remove = ""] = /\/settings\/members\/[0-9a-f-]{36}\/remove/.exec(await readText(ada, MEMBERS)) ?? [];
  await ada.submit(MEMBERS, remove, revokeKeys ? { "revoke-keys": "yes" } : {});
  return { web, ada, key };
}

test("the keys of a removed member are shown by name, and revoked with one click", async () => {
  const { web, ada, key } = await createWorkspaceWithFormerMember(false);
  expect(await getApiStatus(web.url, key)).toBe(404);
  const page = await readText(ada, "/settings/api");
  expect(page).toContain("People who are no longer members have active keys.");
  expect(page).toMatch(/data-label="By">\s*Bob\s*<span class="badge bad">removed member/);
  // Only owners can revoke them.
  const eve = await web.member("Eve", await ada.invite());
  expect(await readText(eve, "/settings/api")).not.toContain("no longer members");
  const revoked = await ada.submit("/settings/api", "/settings/api/keys/revoke-former");
  expect(await readText(ada, revoked.headers.get("location") ?? "")).toContain(
    "The keys of former members stop working within a second.",
  );
  await sleep(1000);
  expect(await getApiStatus(web.url, key)).toBe(401);
  expect(await readText(ada, "/settings/api")).not.toContain("no longer members");
});

test("the keys of a removed member can be revoked, although the list begins with many newer ones", async () => {
  const { web, ada } = await createWorkspaceWithFormerMember(false);
  const store = web.service.store;
  const { workspace_id: workspaceId } = await store.read
    .selectFrom("members")
    .select("workspace_id")
    .executeTakeFirstOrThrow();
  await store.write(workspaceId, async (scope) => {
    for (let index = 0; index < MAX_SETTINGS_ROWS; index += 1)
      await createKey(scope, { name: "Newer", access: "full", expiresTime: null }, OPERATOR);
  });
  const page = await readText(ada, "/settings/api");
  expect(page).not.toContain("removed member<");
  expect(page).toContain("People who are no longer members have active keys.");
});

test("removing a member can revoke their keys at once", async () => {
  const { web, ada, key } = await createWorkspaceWithFormerMember(true);
  expect(await readText(ada, "/settings/api")).toContain("<strong>Ada</strong> revoked the key “Bob&#39;s”");
  await sleep(1000);
  expect(await getApiStatus(web.url, key)).toBe(401);
});

test("every key shows who created it", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  await ada.createKey("Demo key");
  const page = await readText(ada, "/settings/api");
  // The newest key comes first.
  expect(page).toMatch(/Demo key[^]*data-label="By">Ada<[^]*Demo key[^]*data-label="By">Operator</);
});

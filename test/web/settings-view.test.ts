import { expect, test } from "vitest";
import { revokeKeyOf, rotateKeyOf } from "../../src/access/keys.js";
import { setPlan } from "../../src/access/plans.js";
import { listKeys } from "../../src/access/provision.js";
import { setKeyUsed } from "../../src/storage/keys.js";
import { startWeb, statusWith, textOf } from "./visitors.js";

test("a page that is kept shows each change at once, and a form of its own each time", async () => {
  const { member, service, url } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  const settings = (): Promise<string> => textOf(ada, "/settings/api");
  const formId = (page: string): string | undefined => /name="id" value="([0-9a-f-]{36})"/.exec(page)?.[1];
  const [first, second] = [await settings(), await settings()];
  expect(formId(first)).not.toBe(formId(second));
  expect(first.replaceAll(formId(first) ?? "", "")).toBe(second.replaceAll(formId(second) ?? "", ""));
  expect(await textOf(eve, "/settings/api")).not.toContain("Demo");

  const key = await ada.createKey("Fresh");
  expect(await settings()).toContain("Fresh");
  await statusWith(url, key);
  expect(await settings()).toMatch(/Last hour, by minute: 1 passed/);
  await statusWith(url, key);
  expect(await settings()).toMatch(/Last hour, by minute: 2 passed/);
  await setPlan(service.store, "Demo", "enterprise", 4321);
  expect(await settings()).toContain("4,321");
  const fresh = (await listKeys(service.store, "Demo")).find(({ name }) => name === "Fresh");
  if (fresh === undefined) throw new Error("There is no such key.");
  // By another process, and later than this clock: nothing here has noted it.
  const used = Date.parse("2099-05-06T07:08:00Z");
  await service.store.write((tx) => setKeyUsed(tx, fresh, used, used), null);
  expect(await settings()).toContain("6 May 2099");
  const rotated = await rotateKeyOf(service.store, key.slice(0, 9), 3_600_000);
  expect(await settings()).toContain(rotated.stored.lastFour);
  await revokeKeyOf(service.store, rotated.stored.id);
  expect(await settings()).toContain("1 key works no more");
  await ada.submit("/settings/api", "/sign-out");
  expect((await ada.get("/settings/api")).status).toBe(303);
});

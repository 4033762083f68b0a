import { expect, test, vi } from "vitest";
import { createClient } from "../../../src/client/index.js";
import { freezeDate } from "../../support/clock.js";
import { readHiddenFields, Visitor } from "../../support/visitor.js";
import { isSignedIn, startWeb, getApiStatus, readCsrfToken, readText } from "./visitors.js";

test("an invitation adds a new account to the workspace, once", async () => {
  const { member, url, service } = await startWeb();
  const ada = await member("Ada");
  const link = await ada.invite();
  const eve = new Visitor(url);
  const lead = await eve.get(link);
  expect([lead.status, lead.headers.get("location")]).toEqual([
    303,
    `/sign-up?next=${encodeURIComponent(link)}`,
  ]);
  const place = lead.headers.get("location") ?? "";
  expect(await readText(eve, place)).toContain("invited to the workspace <strong>Demo</strong>");
  expect((await eve.signUp("Eve", place)).status).toBe(303);
  expect(await readText(eve, "/settings/api")).toContain("<strong>Demo</strong>");
  expect((await new Visitor(url).get(link)).status).toBe(404);
  const log = (await readText(ada, "/settings/api"))
    .split('id="log-title"')[1]
    ?.replaceAll(/<[^>]*>|\s+/g, " ");
  expect(log?.replaceAll(/ +/g, " ")).toContain("Eve (eve@example.org) joined the workspace as member");
  const people = await service.store.read
    .selectFrom("users")
    .select("name")
    .where("type", "=", "person")
    .execute();
  expect(people.map(({ name }) => name).sort()).toEqual(["Ada", "Eve"]);
});

test("an existing account joins with an invitation and can switch between workspaces", async () => {
  const { member } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  const link = await ada.invite();
  expect(await readText(eve, "/settings/api")).not.toContain('action="/settings/workspace"');
  expect(await readText(eve, link)).toContain("Join Demo");
  expect((await eve.submit(link, link)).status).toBe(303);
  const used = await eve.get(link);
  expect([used.status, await used.text()]).toEqual([
    404,
    expect.stringContaining("Go to the start page if you have joined already, or ask for a new link."),
  ]);
  const page = await readText(eve, "/settings/api");
  expect(page).toContain("<strong>Demo</strong>");
  const own = /<option\s+value="([^"]+)"\s*>\s*Eve&#39;s workspace/.exec(page)?.[1] ?? "";
  await eve.submit("/settings/api", "/settings/workspace", { workspace: own });
  const ownPage = await readText(eve, "/settings/api");
  expect(ownPage).toContain("<strong>Eve&#39;s workspace</strong>");
  expect(ownPage).toContain(`<option value="${own}" selected>`);
});

test("a page of another workspace of the person can be opened there, and of no other workspace", async () => {
  const { member, url } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  const client = createClient({ baseUrl: url, apiKey: await ada.createKey() });
  const [database] = (await client.search({})).body.results;
  const path = `/${database?.id.replaceAll("-", "")}?sort=Title`;
  const readNotFound = async () => {
    const response = await eve.get(path);
    expect(response.status).toBe(404);
    return response.text();
  };
  expect(await readNotFound()).toContain("This workspace has no page or database at this address.");
  const link = await ada.invite();
  await eve.submit(link, link);
  expect((await eve.get(path)).status).toBe(200);
  const home = await readText(eve, "/");
  const [own = "", demo = ""] = [...home.matchAll(/<option\s+value="([^"]+)"/g)].map(([, id]) => id);
  await eve.submit("/", "/settings/workspace", { workspace: own });
  const page = await readNotFound();
  expect(page).toContain("<button>Open in Demo</button>");
  // The last form is the one below the message; the first one is in the header.
  const fields = readHiddenFields(page.slice(page.indexOf("<main")), "/settings/workspace");
  expect(fields).toMatchObject({ workspace: demo, next: path });
  expect((await eve.send("/settings/workspace", fields)).headers.get("location")).toBe(path);
  expect((await eve.get(path)).status).toBe(200);
  const unsafe = await eve.send("/settings/workspace", { ...fields, next: "//example.org" });
  expect(unsafe.headers.get("location")).toBe("/");
});

test("a form sent again, as by a reload, creates no second invitation", async () => {
  const { member } = await startWeb();
  const ada = await member("Ada");
  const action = "/settings/members/invite";
  const fields = { ...readHiddenFields(await readText(ada, "/settings/members"), action), role: "member" };
  expect((await ada.send(action, fields)).status).toBe(200);
  const again = await ada.send(action, fields);
  expect([again.status, await again.text()]).toEqual([
    400,
    expect.stringContaining("This link was created already and cannot be shown again."),
  ]);
  expect((await readText(ada, "/settings/members")).match(/As member, created/g)).toHaveLength(1);
});

test("an invitation that gives its reader nothing stays valid for another person", async () => {
  const { member } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  const link = await ada.invite();
  const explanation = await readText(ada, link);
  expect(explanation).toContain("You are in this workspace already");
  expect(explanation).toContain("Your role in Demo is owner.");
  expect(await readText(eve, link)).toContain("Join Demo");
  await eve.submit(link, link);
  expect(await readText(eve, await ada.invite())).toContain("You are in this workspace already");
});

test("an invitation as owner makes a member an owner", async () => {
  const { member } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  const first = await ada.invite();
  await eve.submit(first, first);
  expect((await eve.get("/settings/members")).status).toBe(200);
  expect(await readText(eve, "/settings/members")).not.toContain('action="/settings/members/invite"');
  const second = await ada.invite("owner");
  await eve.submit(second, second);
  expect(await readText(eve, "/settings/members")).toContain('action="/settings/members/invite"');
  expect(await readText(ada, "/settings/api")).toContain(
    "<strong>Eve (eve@example.org)</strong> became an owner",
  );
});

test("an invitation is one as member unless its form has the role of owner", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  for (const role of ["owner", "admin", ""])
    await ada.submit("/settings/members", "/settings/members/invite", { role });
  const { read } = service.store;
  const invitations = await read.selectFrom("invitations").select("role").orderBy("id").execute();
  expect(invitations.map(({ role }) => role)).toEqual(["owner", "member", "member"]);
});

test("an account with the longest name signs in and gets a workspace", async () => {
  const { member } = await startWeb();
  await member("Ada");
  const eve = await member(`${"a".repeat(74)}🙂${"b".repeat(24)}`);
  expect(await readText(eve, "/settings/api")).toContain(
    `<strong>${"a".repeat(74)}&#39;s workspace</strong>`,
  );
});

test("switching the workspace changes only this session", async () => {
  const { member, url } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  const link = await ada.invite();
  await eve.submit(link, link);
  const other = new Visitor(url);
  expect((await other.signIn("eve@example.org")).status).toBe(303);
  const shown = async (visitor: Visitor) =>
    /<strong>([^<]*)<\/strong>/.exec(await readText(visitor, "/settings/api"))?.[1];
  const [before, options] = [await shown(other), await readText(eve, "/settings/api")];
  const ids = [...options.matchAll(/<option\s+value="([^"]+)"/g)].map(([, id]) => id ?? "");
  for (const workspace of ids) {
    await eve.submit("/settings/api", "/settings/workspace", { workspace });
    expect(await shown(other)).toBe(before);
  }
  expect(await shown(ada)).toBe("Demo");
  // The id of a workspace that the person does not belong to changes nothing.
  const current = await shown(eve);
  await eve.submit("/settings/api", "/settings/workspace", { workspace: crypto.randomUUID() });
  expect(await shown(eve)).toBe(current);
});

test("an invitation works for a week", async () => {
  const { member, url } = await startWeb();
  const ada = await member("Ada");
  const link = await ada.invite();
  const now = freezeDate();
  const statusAfter = async (days: number): Promise<number> => {
    vi.setSystemTime(now + days * 24 * 3_600_000);
    return (await new Visitor(url).get(link)).status;
  };
  expect(await statusAfter(6.9)).toBe(303);
  expect(await readText(ada, "/settings/members")).toContain("Open invitations");
  expect(await statusAfter(7.1)).toBe(404);
  expect(await readText(ada, "/settings/members")).not.toContain("Open invitations");
});

test("members manage only their own keys, see no log and cannot invite", async () => {
  const { member, url, service } = await startWeb();
  const ada = await member("Ada");
  const adasKey = await ada.createKey("Ada's");
  const eve = await member("Eve", await ada.invite());
  const evesKey = await eve.createKey("Eve's");
  expect([await getApiStatus(url, adasKey), await getApiStatus(url, evesKey)]).toEqual([404, 404]);
  const page = await readText(eve, "/settings/api");
  expect(page).not.toContain('id="log-title"');
  expect(page).toContain("Ada&#39;s");
  expect(page.match(/\/revoke"/g)).toHaveLength(1);
  expect(await readText(eve, "/settings/members")).not.toContain("/settings/members/invite");

  const ids = await service.store.read.selectFrom("api_keys").select(["id", "name"]).execute();
  const findId = (name: string): string => ids.find((key) => key.name === name)?.id ?? "";
  const csrf = await readCsrfToken(eve);
  for (const action of ["revoke", "rotate"]) {
    const response = await eve.send(`/settings/api/keys/${findId("Ada's")}/${action}`, {
      csrf,
      overlap: "0m",
    });
    expect([action, response.status]).toEqual([action, 400]);
    expect(await response.text()).toContain("Only an owner");
  }
  expect((await eve.send("/settings/members/invite", { csrf, role: "owner" })).status).toBe(403);
  // The owner can do all of this.
  expect((await ada.submit("/settings/api", `/settings/api/keys/${findId("Eve's")}/revoke`)).status).toBe(
    303,
  );
});

test("a removed member loses access at once; the last owner cannot be removed", async () => {
  const { member } = await startWeb();
  const ada = await member("Ada");
  const eve = await member("Eve", await ada.invite("owner"));
  const remove = /\/settings\/members\/[0-9a-f-]{36}\/remove/;
  const [evesPath = ""] = remove.exec(await readText(ada, "/settings/members")) ?? [];
  const [adasPath = ""] = remove.exec(await readText(eve, "/settings/members")) ?? [];
  const you = /<strong>([^<]*)<\/strong>\s*<span class="muted">\(you\)/g;
  const marked = [...(await readText(eve, "/settings/members")).matchAll(you)].map(([, name]) => name);
  expect(marked).toEqual(["Eve"]);
  const removed = await ada.submit("/settings/members", evesPath);
  expect(removed.status).toBe(303);
  expect(await readText(ada, removed.headers.get("location") ?? "")).toContain("Member removed.");
  expect(await readText(ada, "/settings/api")).toContain(
    "<strong>Ada</strong> removed Eve (eve@example.org)",
  );
  expect(await isSignedIn(eve)).toBe(false);
  const signIn = (await eve.get("/search?q=a")).headers.get("location") ?? "";
  expect(signIn).toBe("/sign-in?notice=signed-out&next=%2Fsearch%3Fq%3Da");
  expect(await readText(eve, signIn)).toContain("You were signed out: ");
  const last = await ada.send(adasPath, { csrf: await readCsrfToken(ada) });
  expect([last.status, await last.text()]).toEqual([
    400,
    expect.stringContaining("needs at least one owner"),
  ]);
  // An account without a workspace gets a new one, because registration is open.
  expect((await eve.signIn("eve@example.org")).status).toBe(303);
  expect(await readText(eve, "/settings/api")).toContain("Eve&#39;s workspace");
});

test("a withdrawn invitation no longer works", async () => {
  const { member, url } = await startWeb();
  const ada = await member("Ada");
  const link = await ada.invite();
  const page = await readText(ada, "/settings/members");
  const [withdraw = ""] = /\/settings\/members\/invitations\/[0-9a-f-]{36}\/withdraw/.exec(page) ?? [];
  const withdrawn = await ada.submit("/settings/members", withdraw);
  expect(await readText(ada, withdrawn.headers.get("location") ?? "")).toContain("Invitation withdrawn.");
  expect(await readText(ada, "/settings/api")).toContain("<strong>Ada</strong> withdrew an invitation");
  expect((await new Visitor(url).get(link)).status).toBe(404);
});

test("a person who is removed from a workspace stays in their other workspace", async () => {
  const { member } = await startWeb();
  const [ada, eve] = [await member("Ada"), await member("Eve")];
  await eve.createKey("Eve's own");
  const link = await ada.invite();
  await eve.submit(link, link);
  const remove = /\/settings\/members\/[0-9a-f-]{36}\/remove/;
  const [path = ""] = remove.exec(await readText(ada, "/settings/members")) ?? [];
  await ada.submit("/settings/members", path);
  expect(await readText(ada, "/settings/members")).not.toContain("eve@example.org");
  expect((await eve.signIn("eve@example.org")).status).toBe(303);
  expect(await readText(eve, "/settings/api")).toContain("Eve&#39;s own");
});

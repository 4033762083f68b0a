import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { StorageUnavailableError } from "../../../src/errors.js";
import { hashToken } from "../../../src/access/accounts/tokens.js";
import { freezeDate } from "../../support/clock.js";
import { query } from "../../support/postgres.js";
import { testUnless } from "../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES } from "../../support/stores.js";
import { createAccount } from "../../support/accounts.js";
import { readHiddenFields, PASSWORD, Visitor } from "../../support/visitor.js";
import { isSignedIn, startWeb, readText } from "./visitors.js";

const COOKIE = "page-service-session";
const DAY = 24 * 3_600_000;

test("a person who signs up is a user of the workspace in the API", async () => {
  const { url, setupLink, service } = await startWeb();
  await new Visitor(url).signUp("Ada", setupLink);
  const people = await service.store.read
    .selectFrom("users")
    .selectAll()
    .where("type", "=", "person")
    .execute();
  expect(people).toMatchObject([{ name: "Ada", email: "ada@example.org" }]);
  const [account] = await service.store.read.selectFrom("accounts").selectAll().execute();
  expect(account?.id).toBe(people[0]?.id);
  expect(account?.password_hash).toMatch(/^scrypt\$15\$8\$3\$/);
});

test("signing in again invalidates the cookie of the previous session", async () => {
  const { member, url } = await startWeb();
  const ada = await member("Ada");
  const old = ada.cookies.get(COOKIE) ?? "";
  // Sends the form from another tab, because the sign-in page redirects signed-in visitors.
  const tab = new Visitor(url);
  const form = readHiddenFields(await readText(tab, "/sign-in"), "/sign-in");
  for (const [name, value] of tab.cookies) ada.cookies.set(name, value);
  const { csrf } = readHiddenFields(await readText(ada, "/settings/api"), "/sign-out");
  const fields = {
    ...form,
    ...(csrf === undefined ? {} : { csrf }),
    email: "ada@example.org",
    password: PASSWORD,
  };
  expect((await ada.send("/sign-in", fields)).status).toBe(303);
  const token = ada.cookies.get(COOKIE);
  expect(token).not.toBe(old);
  expect(await isSignedIn(ada)).toBe(true);
  const thief = new Visitor(url);
  thief.cookies.set(COOKIE, old);
  expect(await isSignedIn(thief)).toBe(false);
});

test("signing in does not reuse an existing session (session fixation)", async () => {
  const { member, url } = await startWeb();
  const ada = await member("Ada");
  const old = ada.cookies.get(COOKIE) ?? "";
  await ada.submit("/settings/api", "/sign-out");
  expect(ada.cookies.has(COOKIE)).toBe(false);
  expect(await isSignedIn(ada)).toBe(false);
  // The old cookie no longer works.
  ada.cookies.set(COOKIE, old);
  expect(await isSignedIn(ada)).toBe(false);
  // A session does not use a token that the client has chosen.
  const chosen = "x".repeat(43);
  ada.cookies.set(COOKIE, chosen);
  expect((await ada.signIn("ada@example.org")).status).toBe(303);
  expect(ada.cookies.get(COOKIE)).not.toBe(chosen);
  const thief = new Visitor(url);
  thief.cookies.set(COOKIE, chosen);
  expect(await isSignedIn(thief)).toBe(false);
});

test("a session ends after a week without use, and after a month with use", async () => {
  const { member, service } = await startWeb();
  const [idle, busy] = [await member("Ada"), await member("Eve")];
  const hash = hashToken(busy.cookies.get(COOKIE) ?? "");
  const lastSeen = async (): Promise<number> =>
    (
      await service.store.read
        .selectFrom("sessions")
        .select("last_seen_time")
        .where("hash", "=", hash)
        .executeTakeFirstOrThrow()
    ).last_seen_time;
  const start = freezeDate();
  for (let day = 1; day <= 29; day += 1) {
    vi.setSystemTime(start + day * DAY);
    expect([day, await isSignedIn(busy)]).toEqual([day, true]);
    // Written after the response.
    await expect.poll(lastSeen).toBe(start + day * DAY);
    if (day === 1) {
      vi.setSystemTime(start + DAY + 30_000);
      expect(await isSignedIn(busy)).toBe(true);
      // Runs after a write of the last use, if there was one. It is written at most once a minute.
      await service.store.writeWithoutInvalidation(async () => {});
      expect(await lastSeen()).toBe(start + DAY);
    }
    if (day === 8) {
      expect(await isSignedIn(idle)).toBe(false);
      // Deletes expired sessions.
      await idle.signIn("ada@example.org");
      expect(await service.store.read.selectFrom("sessions").select("hash").execute()).toHaveLength(2);
    }
  }
  vi.setSystemTime(start + 30 * DAY + 1000);
  expect(await isSignedIn(busy)).toBe(false);
});

test("cookies are HttpOnly, SameSite, and __Host- over https", async () => {
  const plain = await startWeb();
  const ada = new Visitor(plain.url);
  const response = await ada.signUp("Ada");
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^page-service-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    ),
    expect.stringMatching(
      /^page-service-device=[\w.-]{87}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  const secure = await startWeb({ appUrl: "https://pages.example.org" });
  const eve = new Visitor(secure.url);
  const [visitor] = (await eve.get("/sign-up")).headers.getSetCookie();
  expect(visitor).toMatch(
    /^__Host-page-service-visitor=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/,
  );
  const [session] = (await eve.signUp("Eve")).headers.getSetCookie();
  expect(session).toMatch(
    /^__Host-page-service-session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
  );
});

test("people sign in to the table view that they requested, and to the page of a form whose session had ended", async () => {
  const { member, url } = await startWeb();
  const ada = await member("Ada");
  const database = /href="(\/[\da-f]{32})">Pages</.exec(await (await ada.get("/")).text())?.[1] ?? "";
  const signIn = async (location: string | null): Promise<string | null> => {
    const fields = { email: "ada@example.org", password: PASSWORD };
    const response = await new Visitor(url).submit(location ?? "", "/sign-in", fields);
    return response.headers.get("location");
  };
  const view = `${database}?sort=Points&direction=descending`;
  const requested = await new Visitor(url).get(view);
  expect(await signIn(requested.headers.get("location"))).toBe(view);

  const sent = await new Visitor(url).send("/settings/api/keys", { name: "Import", csrf: "x" });
  const form = sent.headers.get("location") ?? "";
  expect(await (await new Visitor(url).get(form)).text()).toContain("Your session has ended");
  expect(await signIn(form)).toBe("/settings/api");

  const emptied = await new Visitor(url).get("/trash/empty");
  expect(await signIn(emptied.headers.get("location"))).toBe("/trash/empty");

  // Signing out after the session has ended.
  const signedOut = await new Visitor(url).send("/sign-out", {});
  expect([signedOut.status, signedOut.headers.get("location")]).toEqual([303, "/"]);

  // The form of an invitation is a page with the same path.
  const invitation = await ada.invite();
  const joined = await new Visitor(url).send(invitation, {});
  expect(await signIn(joined.headers.get("location"))).toBe(invitation);
});

test("the form redirects only to pages of the application", async () => {
  const { member, url } = await startWeb();
  await member("Ada");
  const page = "/00000000-0000-7000-8000-000000000000";
  for (const [next, place] of [
    ["/settings/members", "/settings/members"],
    ["/settings/api", "/settings/api"],
    ["/search", "/search"],
    ["/search?q=green+tea%22", "/search?q=green+tea%22"],
    ["/search?q=\r\nX-Injected: 1", "/"],
    ["/search?q=ü", "/"],
    [page, page],
    [`${page}?sort=Name&direction=descending`, `${page}?sort=Name&direction=descending`],
    [page.replaceAll("-", ""), page.replaceAll("-", "")],
    [`${page.slice(0, -1)}A`, `${page.slice(0, -1)}A`],
    [`${page.replaceAll("-", "").slice(0, -1)}A`, `${page.replaceAll("-", "").slice(0, -1)}A`],
    ["/trash/empty", "/trash/empty"],
    [`/trash${page}/delete`, `/trash${page}/delete`],
    [`/trash${page}/restore`, "/"],
    [`/${page}`, "/"],
    ["https://evil.example", "/"],
    ["//evil.example", "/"],
    ["/settings/api/../../evil", "/"],
  ] as const) {
    const form = `/sign-in?next=${encodeURIComponent(next)}`;
    const fields = { email: "ada@example.org", password: PASSWORD, next };
    const response = await new Visitor(url).submit(form, "/sign-in", fields);
    expect([next, response.status, response.headers.get("location")]).toEqual([next, 303, place]);
  }
});

test.each([
  ["a short password", { password: "short" }, "Use at least 10 characters."],
  ["a password of one letter", { password: "a".repeat(20) }, "Use at least 4 different characters"],
  ["no address", { email: "ada" }, "is not an e-mail address"],
  ["no name", { name: "  " }, "Enter your name."],
])("%s is refused, and the form keeps the entered values", async (_, wrong, message) => {
  const { url, service } = await startWeb();
  const fields = { name: "Ada", email: "ada@example.org", password: PASSWORD, ...wrong };
  const response = await new Visitor(url).submit("/sign-up", "/sign-up", fields);
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text).toContain(message);
  if (!("email" in wrong)) expect(text).toContain('value="ada@example.org"');
  expect(text).not.toContain(fields.password === PASSWORD ? PASSWORD : `value="${fields.password}"`);
  expect(await service.store.read.selectFrom("accounts").select("id").execute()).toEqual([]);
});

testUnless(NO_POSTGRES)("lookups of unknown sessions and links leave connections for others", async () => {
  const database = await newPostgresDatabase();
  const { service, url } = await startWeb({ database });
  const token = "a".repeat(43);
  const visit = (path: string, cookie = "") =>
    Array.from({ length: 20 }, () => fetch(url + path, { redirect: "manual", headers: { cookie } }));
  for (const [table, start] of [
    ["sessions", () => visit("/settings/api", `${COOKIE}=${token}`)],
    ["invitations", () => visit(`/join/${token}`)],
    ["password_resets", () => visit(`/reset/${token}`)],
  ] as const) {
    const lock = new Client({ connectionString: database });
    await lock.connect();
    await lock.query(`BEGIN; LOCK TABLE ${table}`);
    const responses = Promise.all(start());
    await vi.waitFor(async () => expect(await countWaiting(database)).toBeGreaterThan(0), 20_000);
    await sleep(100);
    // Without a free connection it would be refused.
    const read = await service.store.read.selectFrom("workspaces").select("id").execute();
    expect([table, read]).toEqual([table, expect.any(Array)]);
    await lock.end();
    await responses;
  }
});

/** Counts the statements that wait for a lock of another transaction. */
async function countWaiting(database: string): Promise<number> {
  const rows = await query<{ count: string }>(database, "SELECT count(*) FROM pg_locks WHERE NOT granted");
  return Number(rows[0]?.count);
}

test("without a session, a form leads to the sign-in page, which leads back to its whole address", async () => {
  const { url } = await startWeb();
  const response = await new Visitor(url).send("/trash/empty?a=1&b=2", {});
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/sign-in?notice=session-ended&next=%2Ftrash%2Fempty%3Fa%3D1%26b%3D2",
  ]);
});

test("the forms to sign in and to create an account redirect signed-in people to the page to continue with", async () => {
  const ada = await (await startWeb()).member("Ada");
  for (const form of ["/sign-in", "/sign-up"]) {
    for (const [next, place] of [
      ["/search", "/search"],
      ["//evil.example", "/"],
    ] as const) {
      const path = `${form}?next=${next}`;
      const response = await ada.get(path);
      expect([path, response.status, response.headers.get("location")]).toEqual([path, 303, place]);
    }
  }
});

test("wrong passwords from an address do not delay a browser at it that has signed in before", async () => {
  const { member, url } = await startWeb();
  const device = (await member("Ada")).cookies.get("page-service-device") ?? "";
  for (let count = 0; count < 5; count += 1)
    await new Visitor(url).signIn("ada@example.org", "wrong password");
  const signIn = async (): Promise<number> => {
    const visitor = new Visitor(url);
    visitor.cookies.set("page-service-device", device);
    return (await visitor.signIn("ada@example.org")).status;
  };
  // One of two delayed attempts would be refused.
  expect(await Promise.all([signIn(), signIn()])).toEqual([303, 303]);
});

test("signing out and switching the workspace are not confirmed if they cannot be stored", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  const { csrf = "" } = readHiddenFields(await readText(ada, "/settings/api"), "/sign-out");
  const { id } = await service.store.read.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  service.store.writeWithoutInvalidation = () => Promise.reject(new StorageUnavailableError("full"));
  for (const path of ["/sign-out", "/settings/workspace"])
    expect([path, (await ada.send(path, { csrf, workspace: id })).status]).toEqual([path, 503]);
});

test("a form to sign in that was opened before signing in in another tab still works", async () => {
  const { url, service } = await startWeb();
  for (const name of ["Ada", "Bob"]) await createAccount(service.store, name);
  const visitor = new Visitor(url);
  const form = readHiddenFields(await readText(visitor, "/sign-in?next=/trash"), "/sign-in");
  expect((await visitor.signIn("ada@example.org")).status).toBe(303);
  // The token of the browser is not enough for forms of the session.
  expect((await visitor.send("/sign-out", form)).status).toBe(403);
  expect(await readText(visitor, "/settings/account")).toContain("ada@example.org");
  const response = await visitor.send("/sign-in", { ...form, email: "bob@example.org", password: PASSWORD });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/trash"]);
  expect(await readText(visitor, "/settings/account")).toContain("bob@example.org");
  const refused = await visitor.send("/sign-in", { ...form, email: "bob@example.org", password: "wrong" });
  expect([refused.status, await isSignedIn(visitor)]).toEqual([400, true]);
});

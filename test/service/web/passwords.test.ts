import { expect, test, vi } from "vitest";
import { createPasswordReset } from "../../../src/access/accounts/password-changes.js";
import { createAccount } from "../../support/accounts.js";
import { freezeDate } from "../../support/clock.js";
import { PASSWORD, Visitor } from "../../support/visitor.js";
import { isSignedIn, startWeb, readText, type WebService } from "./visitors.js";

const COOKIE = "page-service-session";
const NEW = "staple battery horse";
const HOUR = 3_600_000;
const CHANGE = "/settings/account/password";

function change(visitor: Visitor, present: string, next: string): Promise<Response> {
  return visitor.submit("/settings/account", CHANGE, { "current-password": present, password: next });
}

async function listActions({ service }: WebService): Promise<string[]> {
  const events = await service.store.read
    .selectFrom("audit_events")
    .select(["actor_name", "action", "subject_name"])
    .orderBy("id")
    .execute();
  return events.map((event) => `${event.actor_name} ${event.action} ${event.subject_name}`);
}

test("changing the password requires the current one, ends all other sessions and renews this one", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const elsewhere = new Visitor(web.url);
  await elsewhere.signIn("ada@example.org");
  const before = ada.cookies.get(COOKIE);
  const response = await change(ada, PASSWORD, NEW);
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/settings/account?notice=password-changed",
  ]);
  expect(ada.cookies.get(COOKIE)).not.toBe(before);
  expect([await isSignedIn(ada), await isSignedIn(elsewhere)]).toEqual([true, false]);
  expect(await readText(ada, "/settings/account?notice=password-changed")).toContain("Password changed.");
  expect((await elsewhere.signIn("ada@example.org")).status).toBe(400);
  expect((await elsewhere.signIn("ada@example.org", NEW)).status).toBe(303);
  expect(await listActions(web)).toContain("Ada password.changed Ada (ada@example.org)");
  expect(await readText(ada, "/settings/api")).toContain("changed their password");
});

test("forms for a new password name the account and the passwords for password managers", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const page = await readText(ada, "/settings/account");
  expect(page).toMatch(/<input[^>]*value="ada@example.org"[^>]*autocomplete="username"/);
  expect(page).toMatch(/<input[^>]*name="current-password"[^>]*autocomplete="current-password"/);
  expect(page).toMatch(/<input[^>]*name="password"[^>]*autocomplete="new-password"/);
});

test.each([
  ["a wrong current password", "not the password", NEW, "The current password is wrong."],
  ["a short new one", PASSWORD, "short", "Use at least 10 characters"],
  ["the e-mail address", PASSWORD, "ada@example.org", "Do not use your e-mail address as the password."],
  ["the same again", PASSWORD, PASSWORD, "The new password is the same as the current one."],
])("%s is refused, and nothing changes", async (_, present, next, message) => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const elsewhere = new Visitor(web.url);
  await elsewhere.signIn("ada@example.org");
  const response = await change(ada, present, next);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
  expect([await isSignedIn(ada), await isSignedIn(elsewhere)]).toEqual([true, true]);
  expect((await new Visitor(web.url).signIn("ada@example.org")).status).toBe(303);
  expect((await listActions(web)).join()).not.toContain("password.");
});

test("a refused new password does not delay the form like a wrong current one", async () => {
  const ada = await (await startWeb()).member("Ada");
  for (let count = 0; count < 6; count += 1)
    await change(ada, PASSWORD, count % 2 === 0 ? "short" : PASSWORD);
  // The delayed attempts of a person exclude each other.
  const responses = await Promise.all(["short", "short"].map((next) => change(ada, PASSWORD, next)));
  expect(responses.map(({ status }) => status)).toEqual([400, 400]);
});

test("a reset link sets the password once, ends all sessions and is logged", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const eve = await web.member("Eve");
  const link = `/reset/${await createPasswordReset(web.service.store, " ADA@example.org")}`;
  const visitor = new Visitor(web.url);
  expect(await readText(visitor, link)).toContain(
    "for the account ada@example.org, and ends all its sessions",
  );
  for (const [password, message] of [
    ["short", "Use at least 10 characters"],
    ["ada@example.org", "Do not use your e-mail address as the password."],
  ] as const) {
    const refused = await visitor.submit(link, link, { password });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(message)]);
  }
  const response = await visitor.submit(link, link, { password: NEW });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  expect([await isSignedIn(visitor), await isSignedIn(ada)]).toEqual([true, false]);
  expect((await new Visitor(web.url).get(link)).status).toBe(404);
  expect((await ada.signIn("ada@example.org")).status).toBe(400);
  expect((await ada.signIn("ada@example.org", NEW)).status).toBe(303);
  expect(await isSignedIn(eve)).toBe(true);
  expect((await new Visitor(web.url).signIn("eve@example.org")).status).toBe(303);
  expect((await listActions(web)).filter((text) => text.includes("password."))).toEqual([
    "Operator password.link_created Ada (ada@example.org)",
    "Ada password.reset Ada (ada@example.org)",
  ]);
  expect(await readText(ada, "/settings/api")).toContain(
    "<strong>Ada (ada@example.org)</strong> reset their password",
  );
});

test("a reset link sets the password of an account without a workspace", async () => {
  const web = await startWeb({ registration: "invite" });
  const { email } = await createAccount(web.service.store, "Eve");
  const link = `/reset/${await createPasswordReset(web.service.store, email)}`;
  const visitor = new Visitor(web.url);
  const response = await visitor.submit(link, link, { password: NEW });
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/sign-in?notice=password-reset",
  ]);
  expect(await readText(visitor, "/sign-in?notice=password-reset")).toContain("Your password has changed.");
  expect(await (await visitor.signIn(email, NEW)).text()).toContain("Your account has no workspace.");
});

test("a reset form needs its CSRF token and the same origin", async () => {
  const web = await startWeb();
  await web.member("Ada");
  const link = `/reset/${await createPasswordReset(web.service.store, "ada@example.org")}`;
  const visitor = new Visitor(web.url);
  await visitor.get(link);
  const csrf = visitor.cookies.get("page-service-visitor") ?? "";
  for (const [form, headers] of [
    [{ csrf, password: NEW }, { Origin: "https://evil.example" }],
    [{ csrf, password: NEW }, { "Sec-Fetch-Site": "cross-site" }],
    [{ password: NEW }, {}],
    [{ csrf: "x".repeat(43), password: NEW }, {}],
  ] as [Record<string, string>, Record<string, string>][])
    expect((await visitor.send(link, form, headers)).status).toBe(403);
  expect((await visitor.signIn("ada@example.org")).status).toBe(303);
});

test("concurrent uses of one reset link set the password once", async () => {
  const web = await startWeb();
  await web.member("Ada");
  const link = `/reset/${await createPasswordReset(web.service.store, "ada@example.org")}`;
  const visitors = Array.from({ length: 5 }, () => new Visitor(web.url));
  for (const visitor of visitors) await visitor.get(link);
  const statuses = await Promise.all(
    visitors.map(
      async (visitor, n) => (await visitor.submit(link, link, { password: `${NEW} ${n}` })).status,
    ),
  );
  expect(statuses.sort()).toEqual([303, 404, 404, 404, 404]);
});

test("a reset link ends after an hour, with the next link, and with a password change", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const { email } = await createAccount(web.service.store, "Eve");
  const createLink = async (owner = "ada@example.org"): Promise<string> =>
    `/reset/${await createPasswordReset(web.service.store, owner)}`;
  const status = async (link: string): Promise<number> => (await new Visitor(web.url).get(link)).status;
  const other = await createLink(email);
  const [first, second] = [await createLink(), await createLink()];
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  await change(ada, PASSWORD, NEW);
  expect([await status(second), await status(other)]).toEqual([404, 200]);
  const start = freezeDate();
  const third = await createLink();
  const visitor = new Visitor(web.url);
  vi.setSystemTime(start + HOUR - 1);
  expect((await visitor.get(third)).status).toBe(200);
  vi.setSystemTime(start + HOUR);
  expect(await status(third)).toBe(404);
  const csrf = visitor.cookies.get("page-service-visitor") ?? "";
  expect((await visitor.send(third, { csrf, password: `${NEW}!` })).status).toBe(404);
  expect((await new Visitor(web.url).signIn("ada@example.org", NEW)).status).toBe(303);
});

test("tokens and passwords are stored only as hashes, and an unknown account gets no link", async () => {
  const { service, member } = await startWeb();
  await member("Ada");
  const token = await createPasswordReset(service.store, "ada@example.org");
  for (const table of ["accounts", "password_resets", "audit_events", "sessions"] as const) {
    const text = JSON.stringify(await service.store.read.selectFrom(table).selectAll().execute());
    expect([table, text.includes(token), text.includes(PASSWORD)]).toEqual([table, false, false]);
  }
  await expect(createPasswordReset(service.store, "eve@example.org")).rejects.toThrow(
    "No account has the e-mail address eve@example.org. Check the spelling, or invite the person with `page-service users invite`.",
  );
});

test("signing in with the old password during a change creates no session", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const late = new Visitor(web.url);
  const [changed, signedIn] = await Promise.all([change(ada, PASSWORD, NEW), late.signIn("ada@example.org")]);
  expect(changed.status).toBe(303);
  // In either order, there is no session of the old password.
  expect([303, 400]).toContain(signedIn.status);
  expect(await isSignedIn(late)).toBe(false);
});

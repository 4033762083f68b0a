import { expect, test } from "vitest";
import { createSetupToken, inviteToWorkspace } from "../../../src/access/workspaces/invitations.js";
import { createAccount } from "../../support/accounts.js";
import { PASSWORD, readHiddenFields, Visitor } from "../../support/visitor.js";
import { isSignedIn, startWeb, readText, type WebService } from "./visitors.js";

async function listAccounts({ service }: WebService): Promise<string[]> {
  const rows = await service.store.read.selectFrom("accounts").select("email").execute();
  return rows.map(({ email }) => email).toSorted();
}

async function register(visitor: Visitor, email: string, next = "/settings/api"): Promise<Response> {
  const fields = { name: "Somebody", email, password: PASSWORD };
  return visitor.submit(`/sign-up?next=${encodeURIComponent(next)}`, "/sign-up", fields);
}

test("the first visitor does not become owner of the demo workspace; the setup link creates one owner", async () => {
  const web = await startWeb({ registration: "invite" });
  const thief = new Visitor(web.url);
  expect((await thief.get("/sign-up")).status).toBe(403);
  await thief.get("/sign-in");
  const csrf = thief.cookies.get("page-service-visitor") ?? "";
  const fields = { csrf, name: "Eve", email: "eve@example.org", password: PASSWORD, invitation: "" };
  expect((await thief.send("/sign-up", fields)).status).toBe(403);
  expect(await listAccounts(web)).toEqual([]);

  const another = `/join/${await createSetupToken(web.service.store)}`;
  const invitation = `/join/${await inviteToWorkspace(web.service.store, "Demo", "member")}`;
  const ada = new Visitor(web.url);
  const joined = await ada.signUp("Ada", web.setupLink);
  expect([joined.status, joined.headers.get("location")]).toEqual([303, "/"]);
  expect(await readText(ada, "/settings/api")).toContain("<strong>Demo</strong>");
  expect(await readText(ada, "/settings/members")).toContain("owner");
  // All setup links become invalid with the first owner, and no new link is created. Other invitations stay valid.
  for (const link of [web.setupLink, another]) expect((await thief.get(link)).status).toBe(404);
  expect(await readText(thief, web.setupLink)).toContain('<a href="/sign-in?next=/">Sign in</a>');
  expect((await thief.get(invitation)).status).toBe(303);
  expect(await createSetupToken(web.service.store)).toBeUndefined();
});

test.each([
  ["open", true],
  ["invite", false],
  ["closed", false],
] as const)(
  "with registration %s the start page and the sign-in form link to an account: %s",
  async (registration, isOpen) => {
    const visitor = new Visitor((await startWeb({ registration })).url);
    for (const path of ["/", "/sign-in"]) {
      expect([path, (await readText(visitor, path)).includes(">Create an account</a>")]).toEqual([
        path,
        isOpen,
      ]);
    }
  },
);

test("an account with an invitation joins by signing in; without one it has no workspace", async () => {
  const web = await startWeb({ registration: "invite" });
  const ada = await web.member("Ada");

  const link = await ada.invite();
  const late = new Visitor(web.url);
  await register(late, "late@example.org", link);
  // Mail programs add parameters to links.
  const bob = await web.member("Bob", `${link}?from=mail`);
  expect(await readText(bob, "/settings/api")).toContain("<strong>Demo</strong>");
  const refused = await late.signIn("late@example.org");
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("were removed from it"),
  ]);
  expect(await isSignedIn(late)).toBe(false);
  const next = `/sign-in?next=${encodeURIComponent(await ada.invite())}`;
  const page = await readText(late, next);
  expect(page).toContain("Sign in to accept your invitation.");
  expect(page).toContain(`<a href="${next.replace("sign-in", "sign-up")}">Create an account</a>`);
  await late.submit(next, "/sign-in", { email: "late@example.org", password: PASSWORD });
  expect(await isSignedIn(late)).toBe(true);
});

test("with open registration, a person whose invitation is withdrawn meanwhile gets a workspace of their own", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const invite = async () => {
    const link = await ada.invite();
    const withdraw = async (): Promise<void> => {
      const page = await readText(ada, "/settings/members");
      const [path = ""] = /\/settings\/members\/invitations\/[0-9a-f-]{36}\/withdraw/.exec(page) ?? [];
      await ada.submit("/settings/members", path);
    };
    return { form: `?next=${encodeURIComponent(link)}`, withdraw };
  };
  /** Fills in the form again that a response shows. */
  const retry = async (
    visitor: Visitor,
    response: Response,
    action: string,
    fields: Record<string, string>,
  ) => visitor.send(action, { ...readHiddenFields(await response.text(), action), ...fields });

  const bob = new Visitor(web.url);
  const account = { name: "Bob", email: "bob@example.org", password: PASSWORD };
  const first = await invite();
  const form = await bob.get(`/sign-up${first.form}`);
  await first.withdraw();
  const refused = await retry(bob, form, "/sign-up", account);
  expect(refused.status).toBe(400);
  const registered = await retry(bob, refused, "/sign-up", account);
  expect((await retry(bob, registered, "/sign-in", account)).status).toBe(303);
  expect(await readText(bob, "/settings/api")).toContain("Bob&#39;s workspace");

  const eve = new Visitor(web.url);
  const second = await invite();
  const { email } = await createAccount(web.service.store, "Eve");
  const signInForm = await eve.get(`/sign-in${second.form}`);
  await second.withdraw();
  const login = { email, password: PASSWORD };
  const failed = await retry(eve, signInForm, "/sign-in", login);
  expect(failed.status).toBe(400);
  expect((await retry(eve, failed, "/sign-in", login)).status).toBe(303);
});

const SETUP_TEXT = "This service has no accounts yet. If you run it, open the setup link that it printed.";

test.each([
  ["invite", "Ask an owner of a workspace for an invitation link."],
  ["closed", "This service accepts no new accounts."],
] as const)("registration %s: the setup link is mentioned until it was used", async (registration, text) => {
  const web = await startWeb({ registration });
  const visitor = new Visitor(web.url);
  for (const path of ["/sign-in", "/sign-up"]) {
    expect(await readText(visitor, path)).toContain(SETUP_TEXT);
    expect(await readText(visitor, path)).not.toContain(text);
  }
  await web.member("Ada");
  for (const path of ["/sign-in", "/sign-up"]) {
    expect(await readText(visitor, path)).toContain(text);
    expect(await readText(visitor, path)).not.toContain("setup link");
  }
});

test("closed registration accepts only the first owner", async () => {
  const web = await startWeb({ registration: "closed" });
  const visitor = new Visitor(web.url);
  const ada = await web.member("Ada");
  const page = await ada.submit("/settings/members", "/settings/members/invite", { role: "member" });
  const link = /\/join\/[\w-]{43}/.exec(await page.text())?.[0] ?? "";
  // Somebody who has an account can still join with the link.
  const signIn = `/sign-in?next=${encodeURIComponent(link)}`;
  expect((await visitor.get(link)).headers.get("location")).toBe(signIn);
  expect(await readText(visitor, signIn)).toContain("This service accepts no new accounts.");
  const csrf = visitor.cookies.get("page-service-visitor") ?? "";
  const invitation = link.slice("/join/".length);
  const fields = { csrf, name: "Bob", email: "bob@example.org", password: PASSWORD, invitation };
  for (const response of [
    await visitor.get(`/sign-up?next=${encodeURIComponent(link)}`),
    await visitor.send("/sign-up", fields),
  ])
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("is closed")]);
  expect(await listAccounts(web)).toEqual(["ada@example.org"]);
});

test("creating an account gives identical responses for used and unused addresses", async () => {
  const web = await startWeb();
  await web.member("Ada");
  const describe = async (email: string) => {
    const visitor = new Visitor(web.url);
    const response = await register(visitor, email);
    const text = await response.text();
    // The visitor only has to repeat the password.
    expect(text).toContain(`value="${email}"`);
    expect(text).not.toContain("New here?");
    const body = text.replaceAll(/value="[\w-]{43}"/g, "").replaceAll(email, "");
    return { status: response.status, body, cookies: [...visitor.cookies.keys()] };
  };
  expect(await describe("ada@example.org")).toEqual(await describe("new@example.org"));
  // Ada's password is unchanged.
  expect((await new Visitor(web.url).signIn("ada@example.org")).status).toBe(303);
});

test("one address can create 10 accounts and workspaces an hour, and refused forms do not count", async () => {
  const web = await startWeb();
  await web.member("Ada");
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    await new Visitor(web.url).submit("/sign-up", "/sign-up", {
      name: "",
      email: "x@y.z",
      password: PASSWORD,
    });
    statuses.push((await register(new Visitor(web.url), `${n}@example.org`)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect(await listAccounts(web)).toHaveLength(11);
  expect((await new Visitor(web.url).signIn("9@example.org")).status).toBe(303);
});

test("fullwidth and internationalized spellings of an e-mail address are one account", async () => {
  const web = await startWeb();
  await web.member("Ada");
  for (const email of [
    "ａｄａ@example.org",
    "ada@ｅｘａｍｐｌｅ.org",
    "ADA@EXAMPLE.ORG",
    "ada@example。org",
  ]) {
    await register(new Visitor(web.url), email);
    expect((await new Visitor(web.url).signIn(email)).status, email).toBe(303);
  }
  expect(await listAccounts(web)).toEqual(["ada@example.org"]);
});

test.each(["password123", "Qwertyuiop", "1Q2W3E4R5T6Y", "ｑwertyuiop"])(
  "%s is refused as one of the most common passwords, at its field",
  async (password) => {
    const { url } = await startWeb();
    const fields = { name: "Ada", email: "ada@example.org", password };
    const response = await new Visitor(url).submit("/sign-up", "/sign-up", fields);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toMatch(/id="password-error">This is one of the most common passwords/);
    expect(text).not.toContain('role="alert"');
    expect(text).toMatch(/aria-invalid="true" autofocus\s+aria-describedby="password-error password-hint"/);
  },
);

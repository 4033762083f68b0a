import { Agent, request } from "node:http";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { isPostgres } from "../../../src/storage/engine/dialect.js";
import { TABLE_NAMES } from "../../../src/storage/tables.js";
import { MAX_FORM_BYTES } from "../../../src/budgets.js";
import { BusyError } from "../../../src/errors.js";
import { toFormError } from "../../../src/web/form.js";
import { startServer } from "../../support/server.js";
import { readHiddenFields, PASSWORD, Visitor } from "../../support/visitor.js";
import { startWeb, getApiStatus, readText, type WebService } from "./visitors.js";

/** Lists the actions that change something, with the fields of their forms. */
async function listForms(ada: Visitor): Promise<[string, Record<string, string>][]> {
  const page = await readText(ada, "/settings/api");
  const rotate = /action="(\/settings\/api\/keys\/[^"]+\/rotate)"/.exec(page)?.[1] ?? "";
  const key = { name: "Stolen", expires: "never", access: "full" };
  return [
    ["/settings/api/keys", { ...readHiddenFields(page, "/settings/api/keys"), ...key }],
    [rotate, { ...readHiddenFields(page, rotate), overlap: "24h" }],
    [rotate.replace("rotate", "revoke"), readHiddenFields(page, rotate)],
    ["/settings/members/invite", { ...readHiddenFields(page, "/sign-out"), role: "owner" }],
    ["/settings/api/keys/revoke-former", readHiddenFields(page, "/sign-out")],
    ["/trash/empty", readHiddenFields(page, "/sign-out")],
    ["/trash/00000000-0000-7000-8000-000000000000/delete", readHiddenFields(page, "/sign-out")],
    ["/settings/workspace", { ...readHiddenFields(page, "/sign-out"), workspace: "x" }],
    ["/sign-out", readHiddenFields(page, "/sign-out")],
    ["/settings/account/name", { ...readHiddenFields(page, "/sign-out"), name: "Stolen" }],
    [
      "/settings/account/password",
      {
        ...readHiddenFields(page, "/sign-out"),
        "current-password": PASSWORD,
        password: "staple battery horse",
      },
    ],
  ];
}

async function readState({ service }: WebService): Promise<string> {
  const tables = ["accounts", "api_keys", "invitations", "sessions", "audit_events"] as const;
  const rows = await Promise.all(
    tables.map((table) => service.store.read.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(rows);
}

test("a form from another site gets 403 and changes nothing, even with a valid token", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const before = await readState(web);
  const own = new URL(web.url).origin;
  let refused = 0;
  for (const [path, fields] of await listForms(ada)) {
    const { csrf: _, ...withoutToken } = fields;
    const tries: [Record<string, string>, Record<string, string>][] = [
      [fields, { Origin: "https://evil.example" }],
      [fields, { Origin: "null" }],
      [fields, { Origin: `${own}.evil.example` }],
      [fields, { "Sec-Fetch-Site": "cross-site" }],
      [fields, { "Sec-Fetch-Site": "same-site" }],
      [fields, { "Sec-Fetch-Site": "cross-site", Origin: own }],
      [withoutToken, {}],
      [withoutToken, { Origin: own, "Sec-Fetch-Site": "same-origin" }],
      [{ ...fields, csrf: "" }, {}],
      [{ ...fields, csrf: "x".repeat(43) }, {}],
    ];
    for (const [sent, headers] of tries) {
      const response = await ada.send(path, sent, headers);
      expect([path, headers, response.status]).toEqual([path, headers, 403]);
      refused += 1;
    }
  }
  expect(refused).toBe(110);
  console.log(`Forms of other sites: ${refused} of ${refused} refused`);
  expect(await readState(web)).toBe(before);
});

test("a form without a session redirects and keeps the cookies; with another session's token it gets 403", async () => {
  const web = await startWeb();
  const [ada, eve] = [await web.member("Ada"), await web.member("Eve")];
  const before = await readState(web);
  for (const [path, fields] of await listForms(ada)) {
    const stranger = await new Visitor(web.url).send(path, fields);
    expect([path, stranger.status, stranger.headers.getSetCookie()]).toEqual([path, 303, []]);
    expect([path, (await eve.send(path, fields)).status]).toEqual([path, 403]);
  }
  expect(await readState(web)).toBe(before);
});

test("forms of other sites cannot sign in or sign up", async () => {
  const { url, service } = await startWeb();
  const visitor = new Visitor(url);
  const fields = readHiddenFields(await readText(visitor, "/sign-up"), "/sign-up");
  const account = { name: "Eve", email: "eve@example.org", password: "correct horse battery" };
  for (const [sent, headers] of [
    [{ ...fields, ...account }, { Origin: "https://evil.example" }],
    [account, {}],
    [{ ...account, csrf: "x".repeat(43) }, {}],
  ] as const) {
    expect((await visitor.send("/sign-up", sent, headers)).status).toBe(403);
    expect((await visitor.send("/sign-in", sent, headers)).status).toBe(403);
  }
  // A browser sends this header after a reload.
  const reloaded = await visitor.send("/sign-in", { ...fields, ...account }, { "Sec-Fetch-Site": "none" });
  expect(reloaded.status).toBe(400);
  expect(await service.store.read.selectFrom("accounts").select("id").execute()).toEqual([]);
});

test("a form with an outdated token is shown again with its entries", async () => {
  const { url, member } = await startWeb();
  const ada = await member("Ada");
  const entries = { name: "Eve “E”", email: "eve@example.org", password: PASSWORD };
  const outdated = "This form is out of date, and nothing was changed. Send it again.";
  for (const action of ["/sign-in", "/sign-up"]) {
    const visitor = new Visitor(url);
    const response = await visitor.send(action, { ...entries, next: "/search?q=a", invitation: "" });
    const page = await response.text();
    expect([action, response.status, page.includes(outdated)]).toEqual([action, 403, true]);
    expect(page).toContain('value="eve@example.org"');
    expect(page).toContain('name="next" value="/search?q=a"');
    expect(page.includes('value="Eve “E”"')).toBe(action === "/sign-up");
    expect(page).not.toContain(PASSWORD);
    // The form has a new token, so that it can be sent again.
    const fields = { ...readHiddenFields(page, action), ...entries };
    expect((await visitor.send(action, fields)).status).toBe(action === "/sign-up" ? 200 : 400);
  }

  const id = "00000000-0000-7000-8000-000000000000";
  const key = { id, name: "Import “A”", expires: "7d", access: "read_only", csrf: "x".repeat(43) };
  const response = await ada.send("/settings/api/keys", key);
  const page = await response.text();
  expect([response.status, page.includes(outdated)]).toEqual([403, true]);
  expect(page).toContain('value="Import “A”"');
  expect(page).toContain('<option value="7d" selected');
  expect(page).toContain('<option value="read_only" selected');
  const changed = await ada.send("/settings/account/password", { "current-password": PASSWORD });
  expect([changed.status, (await changed.text()).includes(outdated)]).toEqual([403, true]);

  const invited = await ada.send("/settings/members/invite", { role: "owner" });
  expect([invited.status, (await invited.text()).includes(outdated)]).toEqual([403, true]);

  // The confirmation of a deletion has no entries. Its page is opened again.
  const refused = await ada.send("/trash/empty", {});
  const text = await refused.text();
  expect(refused.status).toBe(403);
  expect(text).toContain('<a href="/trash/empty">Open the form again</a>');
  expect(text).toContain("This form is out of date, and nothing was changed. Open it again.");
  expect(text).not.toContain("Send it again");
});

test("oversized and invalid forms are refused", async () => {
  const { url, member } = await startWeb();
  const ada = await member("Ada");
  expect((await ada.send("/settings/api/keys", { name: "x".repeat(20_000) })).status).toBe(413);
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const [type, status] of [
    ["text/plain", 400],
    // The token is wrong, but the media type is that of a form (RFC 9110, section 8.3.1).
    ["Application/X-WWW-Form-URLEncoded ; charset=utf-8", 403],
  ] as const) {
    const headers = { cookie, "Content-Type": type };
    const response = await fetch(`${url}/settings/api/keys`, { method: "POST", headers, body: "csrf=x" });
    expect([type, response.status]).toEqual([type, status]);
  }
});

test.each([
  ["the service", ({ url }: WebService) => url],
  ["another HTTP server", ({ service }: WebService) => startServer(service.handle)],
])("with %s, the connection of an oversized form can be used for further requests", async (_, getUrl) => {
  const { hostname, port } = new URL(await getUrl(await startWeb()));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const requestStatus = (method: string, path: string, body: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": body.length };
      request({ hostname, port, agent, method, path, headers }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      })
        .once("error", reject)
        .end(body);
    });
  expect(await requestStatus("POST", "/sign-in", "x".repeat(500_000))).toBe(413);
  expect(await requestStatus("POST", "/sign-in", "x".repeat(MAX_FORM_BYTES + 1))).toBe(413);
  expect(await requestStatus("POST", "/sign-in", "x".repeat(MAX_FORM_BYTES))).toBe(403);
  expect(await requestStatus("GET", "/sign-in", "")).toBe(200);
});

test("a form that is sent twice creates one key and shows it once", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  const hidden = readHiddenFields(await readText(ada, "/settings/api"), "/settings/api/keys");
  const fields = { ...hidden, name: "Twice", expires: "30d", access: "full" };
  const first = await ada.send("/settings/api/keys", fields);
  expect([first.status, await first.text()]).toEqual([
    200,
    expect.stringMatching(/>\nps_\w{36}<\/textarea>/),
  ]);
  expect(first.headers.get("cache-control")).toBe("no-store");
  const again = await ada.send("/settings/api/keys", fields);
  const text = await again.text();
  expect(again.status).toBe(400);
  expect(text).toContain("was created already");
  expect(text).not.toMatch(/ps_[0-9A-Za-z]{36}/);
  const keys = await service.store.read
    .selectFrom("api_keys")
    .select("name")
    .where("name", "=", "Twice")
    .execute();
  expect(keys).toHaveLength(1);
});

test("a form with a value that its page does not offer creates no key", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  const count = async () => (await service.store.read.selectFrom("api_keys").select("id").execute()).length;
  const before = await count();
  const unknown: Record<string, string>[] = [
    { access: "admin" },
    { access: "" },
    { expires: "soon" },
    { id: "1" },
    { name: " " },
  ];
  for (const fields of unknown) {
    const form = { name: "Odd", expires: "7d", access: "full", ...fields };
    const response = await ada.submit("/settings/api", "/settings/api/keys", form);
    expect([fields, response.status]).toEqual([fields, 400]);
    expect([fields, await count()]).toEqual([fields, before]);
  }
});

test("a key is shown once and appears in no later page, log, table or response", async () => {
  const { member, service, url } = await startWeb();
  const ada = await member("Ada");
  const key = await ada.createKey("Secret");
  await getApiStatus(url, key);
  for (const path of ["/", "/settings/api", "/settings/members"])
    expect(await readText(ada, path)).not.toContain(key);
  const db = service.store.read;
  // PostgreSQL stores the trigrams in another table.
  const tables = isPostgres(db) ? TABLE_NAMES.filter((name) => name !== "page_trigrams") : TABLE_NAMES;
  for (const table of tables) {
    const { rows } = await sql`SELECT * FROM ${sql.table(table)}`.execute(db);
    expect([table, JSON.stringify(rows).includes(key)]).toEqual([table, false]);
  }
});

test("keys can be created read-only with an expiry, rotated and revoked on the page", async () => {
  const { member, service, url } = await startWeb();
  const ada = await member("Ada");
  const key = await ada.createKey(" CI ", { access: "read_only", expires: "7d" });
  await ada.createKey("Month", { expires: "30d" });
  await ada.createKey("Year", { expires: "365d" });
  const readKey = (name: string) =>
    service.store.read.selectFrom("api_keys").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
  const stored = await readKey("CI");
  expect(stored.access).toBe("read_only");
  for (const [{ expires_time, created_time }, days] of [
    [stored, 7],
    [await readKey("Year"), 365],
  ] as const) {
    expect(Math.round(((expires_time ?? 0) - created_time) / 60_000)).toBe(days * 24 * 60);
  }
  expect(await getApiStatus(url, key)).toBe(404);
  const rotated = await ada.submit("/settings/api", `/settings/api/keys/${stored.id}/rotate`, {
    overlap: "1h",
  });
  const rotatedPage = await rotated.text();
  const successor = /ps_[0-9A-Za-z]{36}/.exec(rotatedPage)?.[0] ?? "";
  const countMatches = (pattern: RegExp) => rotatedPage.match(pattern)?.length;
  expect([countMatches(/expires soon/g), countMatches(/>replaced</g)]).toEqual([1, 1]);
  expect([countMatches(/\/revoke"/g), countMatches(/\/rotate"/g)]).toEqual([5, 4]);
  expect([await getApiStatus(url, key), await getApiStatus(url, successor)]).toEqual([404, 404]);
  const revoked = await ada.submit("/settings/api", `/settings/api/keys/${stored.id}/revoke`);
  expect(await readText(ada, revoked.headers.get("location") ?? "")).toContain(
    "Key revoked. It stops working",
  );
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect([await getApiStatus(url, key), await getApiStatus(url, successor)]).toEqual([401, 404]);
  const page = await readText(ada, "/settings/api");
  for (const done of ["created the key", "rotated the key", "revoked the key"]) {
    expect(page).toMatch(new RegExp(`${done} “[^”]+” \\(ps_`));
  }
  expect(page).toContain("<summary>1 inactive key</summary>");
  expect(page).toMatch(/read-only, expires \d+ \w{3} \d{4}, \d\d:\d\d UTC/);
});

test("a refused form for a key keeps its values", async () => {
  const { member } = await startWeb();
  const fields = { name: "  ", expires: "7d", access: "read_only" };
  const refused = await (await member("Ada")).submit("/settings/api", "/settings/api/keys", fields);
  const page = await refused.text();
  expect(refused.status).toBe(400);
  for (const value of ["7d", "read_only"]) expect(page).toContain(`<option value="${value}" selected>`);
});

/** Lists the messages of the fields of a page, by the name of the field. The first one has the focus, and no notice takes it. */
async function readFieldMessages(response: Response): Promise<Record<string, string>> {
  const text = await response.text();
  const fields = [...text.matchAll(/name="([^"]*)"[^>]*aria-invalid="true"\s+(autofocus)?[^>]*>/g)];
  expect(fields.map(([, , focus]) => focus)).toEqual(
    fields.map((_, index) => (index === 0 ? "autofocus" : undefined)),
  );
  expect(text.match(/autofocus/g)).toHaveLength(1);
  const messages = fields.map(([field, name = ""]) => {
    expect(field).toMatch(new RegExp(`aria-describedby="${name}-error[ "]`));
    return [name, new RegExp(`id="${name}-error">([^<]*)`).exec(text)?.[1]];
  });
  return Object.fromEntries(messages);
}

test("a refused form shows the messages of all its invalid fields at the fields", async () => {
  const { url, member } = await startWeb();
  const ada = await member("Ada");
  const submit = async (path: string, fields: Record<string, string>) => {
    const response = await new Visitor(url).submit(path, path.replace(/\?.*/, ""), fields);
    expect(response.status).toBe(400);
    return readFieldMessages(response);
  };
  const noEmail = "Enter an e-mail address such as name@example.org.";
  expect(await submit("/sign-up", { name: " ", email: "ada", password: "short" })).toEqual({
    name: "Enter your name.",
    email: "&#34;ada&#34; is not an e-mail address. Enter one such as name@example.org.",
    password: "Use at least 10 characters.",
  });
  expect(await submit("/sign-up", { name: "Ada", email: "", password: PASSWORD })).toEqual({
    email: noEmail,
  });
  expect(await submit("/sign-in", {})).toEqual({ email: noEmail, password: "Enter your password." });
  const change = async (current: string) => {
    const fields = { "current-password": current, password: "short" };
    return readFieldMessages(await ada.submit("/settings/account", "/settings/account/password", fields));
  };
  const tooShort = { password: "Use at least 10 characters." };
  expect(await change("")).toEqual({ "current-password": "Enter your current password.", ...tooShort });
  expect(await change(PASSWORD)).toEqual(tooShort);
});

test("a refused form asks again for a password that it does not contain, and keeps the page to continue with", async () => {
  const { url, member } = await startWeb();
  const visitor = new Visitor(url);
  const refused = await visitor.submit("/sign-in?next=/trash", "/sign-in", {
    email: "ada",
    password: PASSWORD,
  });
  const page = await refused.text();
  expect(page).toContain('id="password-hint">Enter it again.<');
  expect(page).toContain('name="next" value="/trash"');
  const wrong = { email: "ada@example.org", password: "wrong password" };
  const failed = await visitor.submit("/sign-in?next=/trash", "/sign-in", wrong);
  expect(await failed.text()).toContain('name="next" value="/trash"');
  // The form for the name does not concern the passwords beside it.
  const renamed = await (
    await member("Ada")
  ).submit("/settings/account", "/settings/account/name", { name: "" });
  expect(await renamed.text()).not.toContain("Enter it again.");
});

test("an e-mail address with NUL gets an ordinary error", async () => {
  const { url } = await startWeb();
  expect((await new Visitor(url).signIn("a\0@example.org")).status).toBe(400);
});

test("a form explains that the service is busy, and only errors that a visitor can understand", () => {
  expect(toFormError(new BusyError("Too many requests."))).toMatchObject({
    message: "The service is busy. Try again soon.",
    status: 503,
  });
  const bug = new TypeError("a bug");
  expect(() => toFormError(bug)).toThrow(bug);
});

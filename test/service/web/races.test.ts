import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { raw } from "../../toolkit/http/server.js";
import { readHiddenFields, PASSWORD, Visitor } from "../../support/visitor.js";
import { createAccount } from "../../support/accounts.js";
import { createClient } from "../../../src/client/index.js";
import { startWeb, readCsrfToken, readText, type WebService } from "./visitors.js";

const MEMBERS = "/settings/members";

function sortStatuses(responses: readonly Response[]): number[] {
  return responses.map(({ status }) => status).toSorted((one, other) => one - other);
}

async function listMembers({ service }: WebService): Promise<{ name: string; role: string }[]> {
  return service.store.read
    .selectFrom("members")
    .innerJoin("accounts", "accounts.id", "members.account_id")
    .select(["accounts.name", "members.role"])
    .execute();
}

test("eight concurrent sign-ups with one address create one account with identical responses", async () => {
  const web = await startWeb();
  await web.member("Ada");
  const responses = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const fields = { name: "Bob", email: "bob@example.org", password: `${PASSWORD} ${n}` };
      const response = await new Visitor(web.url).submit("/sign-up", "/sign-up", fields);
      return `${response.status} ${(await response.text()).replaceAll(/value="[\w-]{43}"/g, "")}`;
    }),
  );
  expect([...new Set(responses)]).toEqual([expect.stringMatching(/^200 .*Your account is ready/s)]);
  const accounts = await web.service.store.read.selectFrom("accounts").select("name").execute();
  expect(accounts.map(({ name }) => name).toSorted()).toEqual(["Ada", "Bob"]);
});

test("six concurrent uses of one invitation add one member", async () => {
  const web = await startWeb({ registration: "invite" });
  const link = await (await web.member("Ada")).invite();
  const guests = Array.from({ length: 6 }, () => new Visitor(web.url));
  for (const n of guests.keys()) await createAccount(web.service.store, `Guest${n}`);
  // Loads all forms before sending any of them.
  const page = `/sign-in?next=${encodeURIComponent(link)}`;
  const forms = await Promise.all(
    guests.map(async (guest) => readHiddenFields(await readText(guest, page), "/sign-in")),
  );
  const responses = await Promise.all(
    guests.map((guest, n) =>
      guest.send("/sign-in", { ...forms[n], email: `guest${n}@example.org`, password: PASSWORD }),
    ),
  );
  expect(sortStatuses(responses)).toEqual([303, ...Array.from({ length: 5 }, () => 400)]);
  const members = await listMembers(web);
  expect(members.filter(({ role }) => role === "member")).toHaveLength(1);
  expect(members).toHaveLength(2);
});

test("when all owners leave at once, one stays", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const bob = await web.member("Bob", await ada.invite("owner"));
  const { read } = web.service.store;
  const leave = async (visitor: Visitor, name: string) => {
    const [account] = await read.selectFrom("accounts").select("id").where("name", "=", name).execute();
    // Uses the token of another form, because the page has no form to remove oneself.
    const fields = readHiddenFields(await readText(visitor, MEMBERS), `${MEMBERS}/invite`);
    return { visitor, path: `${MEMBERS}/${account?.id}/remove`, fields };
  };
  const forms = [await leave(ada, "Ada"), await leave(bob, "Bob")];
  const responses = await Promise.all(forms.map(({ visitor, path, fields }) => visitor.send(path, fields)));
  expect(sortStatuses(responses)).toEqual([303, 400]);
  expect((await listMembers(web)).map(({ role }) => role)).toEqual(["owner"]);
});

test("a key cannot have the id of a person of the workspace, or of one who could join it", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const { id: joinedId } = await web.service.store.read
    .selectFrom("users")
    .select("id")
    .where("name", "=", "Ada")
    .executeTakeFirstOrThrow();
  const { id: otherId } = await createAccount(web.service.store, "Bob");
  for (const id of [joinedId, otherId]) {
    const form = { id, name: "Mine", expires: "90d", access: "full" };
    const response = await ada.submit("/settings/api", "/settings/api/keys", form);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("This form is incomplete.");
  }
});

test("an owner who is removed while the body of a form arrives does not change the trash", async () => {
  const web = await startWeb();
  const { read } = web.service.store;
  const ada = await web.member("Ada");
  const bob = await web.member("Bob", await ada.invite("owner"));
  const client = createClient({ baseUrl: web.url, apiKey: await ada.createKey() });
  const { body: page } = await client.createPage({ body: { parent: { workspace: true }, properties: {} } });
  await client.updatePage({ path: { page_id: page.id }, body: { archived: true } });
  const csrf = await readCsrfToken(bob);
  const forms = [];
  for (const path of ["/trash/empty", `/trash/${page.id}/delete`, `/trash/${page.id}/restore`]) {
    forms.push(await beginForm(web, bob, path, `csrf=${csrf}`));
  }
  const { id } = await read
    .selectFrom("accounts")
    .select("id")
    .where("name", "=", "Bob")
    .executeTakeFirstOrThrow();
  expect((await ada.submit(MEMBERS, `${MEMBERS}/${id}/remove`)).status).toBe(303);
  // Finishes all of them before the first check, because the service waits for open requests when it stops.
  const responses = await Promise.all(forms.map((finish) => finish()));
  for (const response of responses) {
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("You are not a member of this workspace any more.");
  }
  expect((await client.retrievePage({ path: { page_id: page.id } })).body).toMatchObject({ archived: true });
});

/** Sends the first byte of a form. When the service has read the session, returns a function that sends the others. */
async function beginForm({ url, service }: WebService, visitor: Visitor, path: string, fields: string) {
  const { store } = service;
  // The service records the use of a session that was not used for a minute.
  await store.writeServiceWide((tx) =>
    tx
      .updateTable("sessions")
      .set({ last_seen_time: Date.now() - 90_000 })
      .execute(),
  );
  const { readable, writable } = new TransformStream<Uint8Array>();
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  };
  const init: RequestInit = { method: "POST", headers, body: readable, duplex: "half", redirect: "manual" };
  const response = fetch(url + path, init);
  const writer = writable.getWriter();
  const bytes = new TextEncoder().encode(fields);
  await writer.write(bytes.subarray(0, 1));
  const findUsed = () =>
    store.read
      .selectFrom("sessions")
      .select("hash")
      .where("last_seen_time", ">", Date.now() - 60_000)
      .execute();
  await expect.poll(findUsed).toHaveLength(1);
  return async () => {
    await writer.write(bytes.subarray(1));
    await writer.close();
    return response;
  };
}

test("interrupted and unreadable forms do not affect other requests", async () => {
  const { url } = await startWeb();
  const head =
    "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n";
  const broken = await raw(url, [`${head}Transfer-Encoding: chunked\r\n\r\n4\r\ncsrf\r\nzz\r\n`]);
  expect(broken).toMatch(/^HTTP\/1\.1 400 /);
  // Aborted before the response.
  const cutOff = new AbortController();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([99])) });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const init: RequestInit = { method: "POST", headers, body, duplex: "half", signal: cutOff.signal };
  const sent = fetch(`${url}/sign-in`, init).catch((error: Error) => error.name);
  await sleep(50);
  cutOff.abort();
  expect(await sent).toBe("AbortError");
  expect((await fetch(`${url}/sign-in`)).status).toBe(200);
});

test("pages for members are not cached and not shown in frames", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  for (const path of ["/settings/api", MEMBERS, "/settings/account", await ada.invite()]) {
    for (const { status, headers } of [await ada.get(path), await new Visitor(web.url).get(path)]) {
      expect([path, [200, 303].includes(status)]).toEqual([path, true]);
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      if (status === 200) expect(headers.get("x-frame-options")).toBe("DENY");
    }
  }
});

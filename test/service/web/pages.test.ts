import { expect, test, vi } from "vitest";
import { createPasswordReset } from "../../../src/access/accounts/password-changes.js";
import { DAY_MS } from "../../../src/units.js";
import { addRequestCount } from "../../../src/storage/access/request-counts.js";
import { findNotice, type withNotice } from "../../../src/web/notices.js";
import { ROUTES, toPathPattern } from "../../../src/web/routes.js";
import { createSend, fillWorkspace } from "../../contract/tenants/workspace.js";
import { freezeDate } from "../../support/clock.js";
import { WRITABLE_PROPERTIES } from "../../support/properties.js";
import { Visitor } from "../../support/visitor.js";
import { startWeb } from "./visitors.js";

// Compares pages with those in test/fixtures/pages, because no other test reads every text, label and attribute. After a change,
// `npm test -- --project main test/service/web/pages.test.ts -u` replaces the files. Review their diff.

/** Formats a page with a line for each element, and replaces ids, keys, tokens and sizes, which differ in each run. */
function format(page: string): string {
  const names = new Map<string, string>();
  const name =
    (kind: string) =>
    (found: string): string => {
      const id = found.replaceAll("-", "");
      if (!names.has(id)) names.set(id, `${kind}-${names.size + 1}`);
      return names.get(id) ?? "";
    };
  return (
    page
      .replaceAll(/\b[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\b/g, name("id"))
      .replaceAll(/(?<=options-)(?!title)[\w-]{8}/g, name("property"))
      .replaceAll(/ps_[\dA-Za-z]{4,36}(?:…[\dA-Za-z]{4})?/g, "KEY")
      .replaceAll(/[\w-]{43}(?=[."&<])/g, "TOKEN")
      // Also counted by a background task.
      .replaceAll(/<dd>[\d.]+ MB</g, "<dd>SIZE<")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://HOST")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ ?(<[a-z!])/g, "\n$1")
      .trimStart()
  );
}

/** Paths of the compared pages. */
const comparedPaths: string[] = [];

/**
 * Compares the title and the content of a page with its file, or only a section of it that differs from other pages. Compares the
 * whole page for "start", as all have the same layout.
 */
async function expectPage(
  name: string,
  pending: Response | Promise<Response>,
  section?: "create" | "keys",
): Promise<void> {
  const response = await pending;
  comparedPaths.push(new URL(response.url).pathname);
  const page = await response.text();
  const find = (pattern: RegExp): string => pattern.exec(page)?.[0] ?? "";
  const content =
    name === "start"
      ? page
      : section
        ? find(new RegExp(`<section[^>]* aria-labelledby="${section}-title".*?</section>`, "s"))
        : find(/<title>.*?<\/title>/s) + (find(/<main.*<\/main>/s) || page);
  await expect.soft(`${format(content)}\n`).toMatchFileSnapshot(`../../fixtures/pages/${name}.html`);
}

/** Opens a page until all its equations are formatted and its JavaScript is highlighted, which a busy machine can prevent. */
async function openFormatted(open: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await open();
    const page = await response.clone().text();
    const isFormatted =
      !page.includes('class="equation-source"') && !/Code, javascript"[^<]*<code>let/.test(page);
    if (isFormatted || attempt === 5) return response;
  }
}

const NOTICES: Record<Parameters<typeof withNotice>[1], true> = {
  "session-ended": true,
  "signed-out": true,
  "password-reset": true,
  "name-changed": true,
  "password-changed": true,
  "member-removed": true,
  "invitation-withdrawn": true,
  "key-revoked": true,
  "former-keys-revoked": true,
  restored: true,
  deleted: true,
  "deletion-begun": true,
};

test("notices", async () => {
  const texts = Object.keys(NOTICES).map((notice) => {
    const found = findNotice(new URLSearchParams({ notice }));
    return `${notice} (${found?.kind}): ${found?.text}\n`;
  });
  await expect(texts.join("")).toMatchFileSnapshot("../../fixtures/pages/notices.txt");
});

const text = (content: string) => [{ text: { content } }];

/** A request that creates a database with a property of each writable type. */
const EVERY_TYPE = {
  parent: { workspace: true },
  title: text("Every type"),
  properties: WRITABLE_PROPERTIES,
};

/** Values of a page with all properties, and of one without. */
const VALUES = [
  {
    Title: { title: text("Full") },
    Text: { rich_text: text("Text") },
    Number: { number: -1234.5 },
    Select: { select: { name: "One" } },
    Multi: { multi_select: [{ name: "a" }, { name: "b" }] },
    Status: { status: { name: "In progress" } },
    Date: { date: { start: "2030-05-04", end: "2030-05-06" } },
    Files: { files: [{ name: "sea.jpg", external: { url: "https://example.org/sea.jpg" } }] },
    Done: { checkbox: true },
    Link: { url: "https://example.org/a" },
    Mail: { email: "ada@example.org" },
    Phone: { phone_number: "+49 30 1234" },
  },
  { Title: { title: [] }, Date: { date: { start: "2030-05-04T10:00:00+02:00" } } },
];

/** Blocks with formatted texts, and variants of types of blocks. */
const BLOCKS = [
  {
    paragraph: {
      color: "red_background",
      rich_text: [
        ...text("plain "),
        { text: { content: "link", link: { url: "https://example.org/a" } } },
        ...["bold", "italic", "strikethrough", "underline", "code"].map((style) => ({
          text: { content: style },
          annotations: { [style]: true },
        })),
        { text: { content: "colored" }, annotations: { color: "blue" } },
        { equation: { expression: "x^2" } },
        { mention: { date: { start: "2030-02-03" } } },
      ],
    },
  },
  { heading_2: { rich_text: text("Toggle"), is_toggleable: true, children: [{ divider: {} }] } },
  { to_do: { rich_text: text("Done"), checked: true } },
  { callout: { rich_text: text("Callout"), icon: { emoji: "🧭" }, color: "green" } },
  { code: { rich_text: text("let x = 1;"), language: "javascript", caption: text("Caption") } },
  { image: { external: { url: "https://example.org/sea.jpg" }, caption: text("Sea") } },
  {
    table: {
      table_width: 2,
      has_column_header: true,
      has_row_header: true,
      children: ["a", "b"].map((cell) => ({ table_row: { cells: [text(cell), text(`${cell}2`)] } })),
    },
  },
];

test("pages", async () => {
  freezeDate();
  vi.setSystemTime("2030-02-03T04:05:06Z");
  const web = await startWeb();
  const { service, url } = web;
  const stranger = new Visitor(url);
  await expectPage("start-anonymous", stranger.get("/"));
  await expectPage("sign-in", stranger.get("/sign-in?next=/search&notice=signed-out"));
  await expectPage("sign-in-refused", stranger.signIn("nobody@example.org"));
  await expectPage("sign-up", stranger.get("/sign-up"));
  await expectPage("sign-up-invited", stranger.get(`/sign-up?next=${web.setupLink}`));
  await expectPage(
    "sign-up-refused",
    stranger.submit("/sign-up", "/sign-up", { name: "", email: "", password: "" }),
  );
  await expectPage("not-found", stranger.get("/nothing", { Accept: "text/html" }));

  const owner = await web.member("Ada");
  await expectPage("start", owner.get("/"));
  await expectPage("keys-none", owner.get("/settings/api"));
  const keys = "/settings/api/keys";
  const keyForm = { name: "Import", expires: "90d", access: "read_only" };
  await expectPage("key-created", owner.submit("/settings/api", keys, keyForm));
  await expectPage("key-refused", owner.submit("/settings/api", keys, { ...keyForm, name: "" }), "create");
  await expectPage("members-one", owner.get("/settings/members"));
  await expectPage(
    "invitation-created",
    owner.submit("/settings/members", "/settings/members/invite", { role: "owner" }),
  );
  const invitation = await owner.invite();
  const member = await web.member("Mel", invitation);
  await member.createKey("Of Mel", { expires: "7d" });
  await expectPage("join", member.get(await owner.invite()));
  await expectPage("members", owner.get("/settings/members"));
  await expectPage("members-as-member", member.get("/settings/members"));
  await expectPage("account", member.get("/settings/account"));
  await expectPage(
    "account-refused",
    member.submit("/settings/account", "/settings/account/password", {
      "current-password": "no",
      password: "short",
    }),
  );
  await expectPage(
    "reset",
    stranger.get(`/reset/${await createPasswordReset(service.store, "mel@example.org")}`),
  );

  const { id: workspaceId } = await service.store.read
    .selectFrom("workspaces")
    .select("id")
    .where("name", "=", "Demo")
    .executeTakeFirstOrThrow();
  const minute = Math.floor(Date.now() / 60_000) - 5;
  await service.store.write(workspaceId, async (scope) => {
    await addRequestCount(scope, { minute, passed: 1200, refused: 34 });
    await addRequestCount(scope, { minute: minute - 60, passed: 7, refused: 20 });
  });
  for (const [name, access] of [
    ["Rotated", "full"],
    ["Revoked", "full"],
  ] as const) {
    await owner.createKey(name, { access, expires: "never" });
    const page = await (await owner.get("/settings/api")).text();
    const row = page.split("<tr>").find((text) => text.includes(`>${name}<`)) ?? "";
    const action =
      new RegExp(`action="([^"]*/${name === "Rotated" ? "rotate" : "revoke"})"`).exec(row)?.[1] ?? "";
    await owner.submit("/settings/api", action, { overlap: "24h" });
  }
  await expectPage("keys", owner.get("/settings/api"));
  await expectPage("keys-as-member", member.get("/settings/api"));

  const key = await service.createKey({ workspaceName: "Demo" });
  const { ids } = await fillWorkspace(
    { ...key, service, baseUrl: url, createKey: service.createKey },
    key,
    "My",
  );
  const send = createSend(url, key.key);
  // The cast: the response is a database.
  const everyType = JSON.parse((await send("POST", "/v1/databases", EVERY_TYPE)).text) as {
    readonly id: string;
  };
  for (const properties of VALUES)
    expect(
      (await send("POST", "/v1/pages", { parent: { database_id: everyType.id }, properties })).text,
    ).toContain('"id"');
  expect((await send("PATCH", `/v1/blocks/${ids.databaseRow}/children`, { children: BLOCKS })).status).toBe(
    200,
  );
  const table = `/${ids.database}`;
  for (const [name, path] of [
    ["search", "/search?q=title"],
    ["search-none", "/search?q=nothing"],
    ["page", `/${ids.page}`],
    ["row", `/${ids.databaseRow}`],
    ["table", table],
    ["table-every-type", `/${everyType.id}`],
    ["table-two-columns", `/${everyType.id}?column=Date&column=Title&sort=Number&direction=descending`],
    ["table-filtered", `${table}?filter=Name&condition=contains&value=title&sort=Name&column=Name&column=To`],
    ["table-filter-none", `${table}?filter=Name&condition=equals&value=nothing`],
    ["table-filter-invalid", `${table}?filter=To&condition=nothing&value=nothing`],
    ["trash-none", "/trash"],
    ["unknown-object", "/00000000000070008000000000000000"],
  ] as const)
    await expectPage(
      name,
      openFormatted(() => owner.get(path)),
    );
  for (const id of [ids.databaseRow, ids.target]) await send("DELETE", `/v1/blocks/${id}`);
  for (const [name, path] of [
    ["trash", "/trash"],
    ["trash-empty", "/trash/empty"],
    ["trash-delete", `/trash/${ids.target}/delete`],
    ["row-in-trash", `/${ids.databaseRow}`],
  ] as const)
    await expectPage(
      name,
      openFormatted(() => owner.get(path)),
    );
  await expectPage("trash-as-member", member.get("/trash"));

  const other = await web.member("Eve");
  await expectPage("join-second", other.get(await owner.invite()));
  await owner.submit("/settings/members", readRemoval(await (await owner.get("/settings/members")).text()));
  await expectPage("keys-of-former-member", owner.get("/settings/api"), "keys");
  vi.setSystemTime(Date.now() + 60 * DAY_MS);
  const again = new Visitor(url);
  await again.signIn("ada@example.org");
  await expectPage("keys-later", again.get("/settings/api"), "keys");

  const missing = Object.entries(ROUTES).filter(([name, route]) => {
    const pattern = new RegExp(`^${toPathPattern(route)}$`);
    // The settings redirect to another page.
    return route.method === "GET" && name !== "settings" && !comparedPaths.some((path) => pattern.test(path));
  });
  expect(
    missing.map(([name]) => name),
    "routes whose page this test does not compare",
  ).toEqual([]);
});

/** Returns the action of the form that removes a member. */
function readRemoval(page: string): string {
  return /action="([^"]*\/remove)"/.exec(page)?.[1] ?? "";
}

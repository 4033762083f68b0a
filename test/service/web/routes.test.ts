import { expect, test } from "vitest";
import { createPasswordReset } from "../../../src/access/password-changes.js";
import { type RouteName, ROUTES } from "../../../src/web/routes.js";
import { Visitor } from "../../support/visitor.js";
import { startWeb, textOf, type WebService } from "./visitors.js";

const UNKNOWN = "00000000-0000-7000-8000-000000000000";
const TOKEN = "x".repeat(43);
const TABLES = [
  "workspaces",
  "api_keys",
  "users",
  "accounts",
  "members",
  "sessions",
  "invitations",
  "password_resets",
  "audit_events",
] as const;

// The cast: those are the keys of the table.
const names = Object.keys(ROUTES) as RouteName[];

const OWNER_ROUTES: readonly RouteName[] = [
  "revokeFormerKeys",
  "invite",
  "removeMember",
  "withdrawInvitation",
];

/** Fields for any form. `csrf` is valid, so that only missing rights can refuse the form. */
function fields(csrf: string, workspaceId: string): Record<string, string> {
  return {
    csrf,
    name: "Stolen",
    id: "0192f000-0000-7000-8000-000000000001",
    expires: "never",
    access: "full",
    overlap: "0m",
    role: "owner",
    workspace: workspaceId,
    email: "ada@example.org",
    "current-password": "correct horse battery",
    password: "another horse battery",
  };
}

async function csrfOf(visitor: Visitor, path: string): Promise<string> {
  return /name="csrf" value="([^"]*)"/.exec(await textOf(visitor, path))?.[1] ?? "";
}

/** Everything but the times of last use, which are noted at any time. */
async function state({ service }: WebService): Promise<string> {
  const rows = await Promise.all(
    TABLES.map((table) => service.store.read.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(rows, (name, value: unknown) => (name.startsWith("last_") ? null : value));
}

/** A workspace with an owner, a member, keys of both, and an open invitation; the ids of what is in it. */
async function fill(web: WebService) {
  const owner = await web.member("Ada");
  await owner.createKey("Ada's");
  const made = await owner.submit("/settings/members", "/settings/members/invite", { role: "member" });
  const link = /\/join\/[\w-]{43}/.exec(await made.text())?.[0] ?? "";
  const member = new Visitor(web.url);
  await member.signUp("Mel", link);
  await owner.submit("/settings/members", "/settings/members/invite", { role: "member" });
  const { read } = web.service.store;
  const keys = await read.selectFrom("api_keys").select(["id", "workspace_id", "name"]).execute();
  const [invitation] = await read.selectFrom("invitations").select("id").execute();
  const [account] = await read.selectFrom("accounts").select("id").where("name", "=", "Ada").execute();
  const key = keys.find(({ name }) => name === "Ada's");
  const [database] = await read.selectFrom("databases").select("id").execute();
  if (!key || !invitation || !account || !database) throw new Error("The workspace is not filled.");
  const ids = [key.id, invitation.id, account.id, database.id];
  return { owner, member, workspaceId: key.workspace_id, ids };
}

/** The paths of a route, for each thing that its id could be. */
function pathsOf(name: RouteName, ids: readonly string[]): string[] {
  const { path } = ROUTES[name];
  if (/:id|:object/.test(path)) return ids.map((id) => path.replace(/:id|:object/, id));
  return [path.replace(":token", TOKEN)];
}

function ask(visitor: Visitor, name: RouteName, path: string, form: Record<string, string>) {
  return ROUTES[name].method === "GET" ? visitor.get(path) : visitor.send(path, form);
}

test("every route for members redirects anonymous visitors to sign in and changes nothing", async () => {
  const web = await startWeb();
  const { workspaceId, ids } = await fill(web);
  const before = await state(web);
  const tried: string[] = [];
  for (const name of names.filter((each) => ROUTES[each].audience !== "anyone")) {
    for (const path of pathsOf(name, ids)) {
      for (const cookie of [undefined, TOKEN]) {
        const stranger = new Visitor(web.url);
        const csrf = await csrfOf(stranger, "/sign-up");
        if (cookie !== undefined) stranger.cookies.set("page-service-session", cookie);
        const response = await ask(stranger, name, path, fields(csrf, workspaceId));
        expect([path, response.status]).toEqual([path, 303]);
        expect([path, response.headers.get("location")]).toEqual([path, expect.stringMatching(/^\/sign-in/)]);
        tried.push(path);
      }
    }
  }
  expect(tried.length).toBeGreaterThan(30);
  expect(await state(web)).toBe(before);
  console.log(`Ways in without a session: ${tried.length} of ${tried.length} refused`);
});

test("forms with ids of another workspace change nothing, and pages show only the own workspace", async () => {
  const web = await startWeb();
  const { workspaceId, ids } = await fill(web);
  const eve = await web.member("Eve");
  let tried = 0;
  for (const name of names.filter((each) => ROUTES[each].audience !== "anyone")) {
    // These forms act on the account of the session, whatever their fields are.
    if (name === "createKey" || name === "invite" || name === "changePassword") continue;
    for (const path of pathsOf(name, ids)) {
      const csrf = await csrfOf(eve, "/settings/api");
      const before = await state(web);
      const response = await ask(eve, name, path, fields(csrf, workspaceId));
      const text = await response.text();
      expect([path, /Ada|Demo|ada@|Mel/.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, await state(web)]).toEqual([path, before]);
      // It tells no more than that of an id that nobody has.
      const unknown = await ask(eve, name, pathsOf(name, [UNKNOWN])[0] ?? "", fields(csrf, UNKNOWN));
      expect([path, response.status]).toEqual([path, unknown.status]);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(15);
  console.log(`Ways in from another workspace: ${tried} of ${tried} refused`);
});

test("forms create objects only in the session's workspace", async () => {
  const web = await startWeb();
  const { workspaceId } = await fill(web);
  const eve = await web.member("Eve");
  const csrf = await csrfOf(eve, "/settings/api");
  for (const name of ["createKey", "invite"] as const)
    expect((await eve.send(ROUTES[name].path, fields(csrf, workspaceId))).status).toBe(200);
  for (const table of ["api_keys", "invitations"] as const) {
    const rows = await web.service.store.read
      .selectFrom(table)
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .execute();
    expect([table, rows.length]).toEqual([table, table === "api_keys" ? 2 : 1]);
  }
});

test("members cannot use owner actions or manage keys of others", async () => {
  const web = await startWeb();
  const { member, workspaceId, ids } = await fill(web);
  const csrf = await csrfOf(member, "/settings/api");
  const before = await state(web);
  let tried = 0;
  expect(names.filter((name) => ROUTES[name].audience === "owner")).toEqual(OWNER_ROUTES);
  for (const name of names) {
    const isOwners = OWNER_ROUTES.includes(name);
    if (!isOwners && name !== "rotateKey" && name !== "revokeKey") continue;
    for (const path of pathsOf(name, ids)) {
      const response = await member.send(path, fields(csrf, workspaceId));
      expect([path, response.status]).toEqual([path, isOwners ? 403 : 400]);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(12);
  expect(await state(web)).toBe(before);
  console.log(`Ways up for a member: ${tried} of ${tried} refused`);
});

test("invalid tokens are refused, and tokens of one kind do not work as another", async () => {
  const web = await startWeb();
  const { owner } = await fill(web);
  const before = await state(web);
  const session = owner.cookies.get("page-service-session") ?? "";
  for (const token of [TOKEN, session, "_".repeat(43)]) {
    for (const path of [`/join/${token}`, `/reset/${token}`]) {
      const stranger = new Visitor(web.url);
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
      const csrf = await csrfOf(stranger, "/sign-up");
      const response = await stranger.send(path, fields(csrf, ""));
      expect([303, 404]).toContain(response.status);
      expect(stranger.cookies.has("page-service-session")).toBe(false);
    }
  }
  expect(await state(web)).toBe(before);
  const reset = await createPasswordReset(web.service.store, "ada@example.org");
  const thief = new Visitor(web.url);
  thief.cookies.set("page-service-session", reset);
  expect((await thief.get("/settings/api")).status).toBe(303);
});

test("similar paths are not routes of the application", async () => {
  const web = await startWeb();
  const { owner, ids } = await fill(web);
  for (const path of [
    `/settings/api/keys/${ids[0]?.toUpperCase()}/revoke`,
    `/settings/api/keys/${ids[0]}/revoke/`,
    `/settings/api/keys/${ids[0]}%2frevoke`,
    "/settings//api",
    "/settings/api/..%2fmembers",
    "/SETTINGS/API",
    "/settings/api/keys/-/revoke",
    "/constructor",
    "/__proto__",
  ]) {
    const statuses = [(await owner.get(path)).status, (await owner.send(path, {})).status];
    expect([path, statuses]).toEqual([path, [400, 400]]);
  }
});

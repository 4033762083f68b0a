import { expect, test } from "vitest";
import { createPasswordReset } from "../../../src/access/accounts/password-changes.js";
import { type RouteName, ROUTES } from "../../../src/web/routes.js";
import { Visitor } from "../../support/visitor.js";
import { readCsrfToken, startWeb, type WebService } from "./visitors.js";

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

// The cast: Object.keys returns the keys as strings.
const names = Object.keys(ROUTES) as RouteName[];

const OWNER_ROUTES: readonly RouteName[] = [
  "revokeFormerKeys",
  "invite",
  "removeMember",
  "withdrawInvitation",
  "showEmptyTrash",
  "emptyTrash",
];

/** Forms that have the same effect whichever workspace the session has. */
const ACCOUNT_ROUTES: readonly RouteName[] = [
  "signIn",
  "signUp",
  "signOut",
  "join",
  "resetPassword",
  "switchWorkspace",
  "rename",
  "changePassword",
];

/** Creates fields for any form. `csrf` is valid, so that a form is refused only because of missing permissions. */
function createFields(csrf: string, workspaceId: string): Record<string, string> {
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

/** Reads everything except the times of last use and the written bytes, which can change at any time. */
async function readState({ service }: WebService): Promise<string> {
  const rows = await Promise.all(
    TABLES.map((table) => service.store.read.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(rows, (name, value: unknown) => (/^last_|^written_bytes$/.test(name) ? null : value));
}

/** Creates a workspace with an owner, a member, their keys and an open invitation, and returns the ids. */
async function fill(web: WebService) {
  const owner = await web.member("Ada");
  await owner.createKey("Ada's");
  const member = await web.member("Mel", await owner.invite());
  await owner.invite();
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

/** Lists the paths of a route with each id. */
function listPaths(name: RouteName, ids: readonly string[]): string[] {
  const { path } = ROUTES[name];
  if (/:id|:object/.test(path)) return ids.map((id) => path.replace(/:id|:object/, id));
  return [path.replace(":token", TOKEN)];
}

function request(visitor: Visitor, name: RouteName, path: string, form: Record<string, string>) {
  return ROUTES[name].method === "GET" ? visitor.get(path) : visitor.send(path, form);
}

test("every route for members redirects anonymous visitors to the sign-in page and changes nothing", async () => {
  const web = await startWeb();
  const { workspaceId, ids } = await fill(web);
  const before = await readState(web);
  const tried: string[] = [];
  for (const name of names.filter((each) => ROUTES[each].audience !== "anyone")) {
    for (const path of listPaths(name, ids)) {
      for (const cookie of [undefined, TOKEN]) {
        const stranger = new Visitor(web.url);
        const csrf = await readCsrfToken(stranger, "/sign-up");
        if (cookie !== undefined) stranger.cookies.set("page-service-session", cookie);
        const response = await request(stranger, name, path, createFields(csrf, workspaceId));
        expect([path, response.status]).toEqual([path, 303]);
        expect([path, response.headers.get("location")]).toEqual([path, expect.stringMatching(/^\/sign-in/)]);
        tried.push(path);
      }
    }
  }
  expect(tried.length).toBeGreaterThan(30);
  expect(await readState(web)).toBe(before);
  console.log(`Requests without a session: ${tried.length} of ${tried.length} refused`);
});

test("forms with ids of another workspace change nothing, and pages show only the visitor's workspace", async () => {
  const web = await startWeb();
  const { workspaceId, ids } = await fill(web);
  const eve = await web.member("Eve");
  let tried = 0;
  for (const name of names.filter((each) => ROUTES[each].audience !== "anyone")) {
    // Skips forms that always act on the account of the session.
    if (["createKey", "invite", "rename", "changePassword"].includes(name)) continue;
    for (const path of listPaths(name, ids)) {
      const csrf = await readCsrfToken(eve, "/settings/api");
      const before = await readState(web);
      const response = await request(eve, name, path, createFields(csrf, workspaceId));
      const text = await response.text();
      expect([path, /Ada|Demo|ada@|Mel/.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, await readState(web)]).toEqual([path, before]);
      // The response is the same as for an unknown id.
      const unknown = await request(
        eve,
        name,
        listPaths(name, [UNKNOWN])[0] ?? "",
        createFields(csrf, UNKNOWN),
      );
      expect([path, response.status]).toEqual([path, unknown.status]);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(15);
  console.log(`Requests with ids of another workspace: ${tried} of ${tried} refused`);
});

test("forms create objects only in the session's workspace", async () => {
  const web = await startWeb();
  const { workspaceId } = await fill(web);
  const eve = await web.member("Eve");
  const csrf = await readCsrfToken(eve, "/settings/api");
  for (const name of ["createKey", "invite"] as const)
    expect((await eve.send(ROUTES[name].path, createFields(csrf, workspaceId))).status).toBe(200);
  for (const table of ["api_keys", "invitations"] as const) {
    const rows = await web.service.store.read
      .selectFrom(table)
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .execute();
    expect([table, rows.length]).toEqual([table, table === "api_keys" ? 2 : 1]);
  }
});

test("after a switch of the workspace in another tab, forms change nothing, except for those of the account", async () => {
  const web = await startWeb();
  const { owner: ada, workspaceId, ids } = await fill(web);
  const eve = await web.member("Eve");
  const join = async (csrf: string) => ada.send(await eve.invite("owner"), { csrf });
  const csrf = await readCsrfToken(ada);
  await join(csrf);
  const before = await readState(web);
  const refused = names.filter((name) => ROUTES[name].method === "POST" && !ACCOUNT_ROUTES.includes(name));
  expect(refused.length).toBeGreaterThan(5);
  for (const name of refused) {
    for (const path of listPaths(name, ids)) {
      // The second token is of a session that has ended.
      for (const token of [csrf, `${TOKEN}.${workspaceId}`]) {
        const response = await ada.send(path, createFields(token, workspaceId));
        expect([path, response.status]).toEqual([path, 403]);
        const page = await response.text();
        expect(page).toContain("You have switched to Eve&#39;s workspace. Nothing was changed.");
        // A form with the entries would create the key in the other workspace.
        expect(page).not.toContain('action="/settings/api/keys"');
        expect(page).not.toContain("Stolen");
      }
    }
  }
  expect(await readState(web)).toBe(before);
  expect((await ada.send("/settings/workspace", { csrf, workspace: workspaceId })).status).toBe(303);
  // The form belongs to the current workspace again.
  expect((await ada.send("/settings/members/invite", { csrf, role: "member" })).status).toBe(200);
  await join(await readCsrfToken(ada));
  expect((await ada.send("/sign-out", { csrf })).headers.get("set-cookie")).toContain("Max-Age=0");
});

test("members cannot use owner actions or manage keys of others", async () => {
  const web = await startWeb();
  const { member, workspaceId, ids } = await fill(web);
  const csrf = await readCsrfToken(member, "/settings/api");
  const before = await readState(web);
  let tried = 0;
  expect(names.filter((name) => ROUTES[name].audience === "owner")).toEqual(OWNER_ROUTES);
  for (const name of names) {
    const isOwners = OWNER_ROUTES.includes(name);
    if (!isOwners && name !== "rotateKey" && name !== "revokeKey") continue;
    for (const path of listPaths(name, ids)) {
      const response = await member.send(path, createFields(csrf, workspaceId));
      expect([path, response.status]).toEqual([path, isOwners ? 403 : 400]);
      if (isOwners) expect(await response.text()).toContain("Only an owner of Demo can do this.");
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(12);
  expect(await readState(web)).toBe(before);
  console.log(`Owner actions by a member: ${tried} of ${tried} refused`);
});

test("invalid tokens are refused, and tokens of one kind do not work as another", async () => {
  const web = await startWeb();
  const { owner } = await fill(web);
  const before = await readState(web);
  const session = owner.cookies.get("page-service-session") ?? "";
  for (const token of [TOKEN, session, "_".repeat(43)]) {
    for (const path of [`/join/${token}`, `/reset/${token}`]) {
      const stranger = new Visitor(web.url);
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
      const csrf = await readCsrfToken(stranger, "/sign-up");
      const response = await stranger.send(path, createFields(csrf, ""));
      expect([303, 404]).toContain(response.status);
      expect(stranger.cookies.has("page-service-session")).toBe(false);
    }
  }
  expect(await readState(web)).toBe(before);
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

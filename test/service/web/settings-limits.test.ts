import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { addMember } from "../../../src/access/workspaces/members.js";
import { MAX_LISTED_OBJECTS, MAX_SETTINGS_ROWS } from "../../../src/budgets.js";
import { encodeCursor } from "../../../src/domain/cursor.js";
import { newId } from "../../../src/domain/ids.js";
import { insertAccount, insertMember } from "../../../src/storage/access/accounts.js";
import { insertInvitation } from "../../../src/storage/access/invitations.js";
import { insertKey } from "../../../src/storage/access/keys.js";
import { keyHandlers } from "../../../src/web/key-routes.js";
import { memberHandlers } from "../../../src/web/member-routes.js";
import type { PageService } from "../../../src/service.js";
import type { SignedInRequest, WebContext } from "../../../src/web/request.js";
import type { RouteHandlers } from "../../../src/web/routes.js";
import { createAccount } from "../../support/accounts.js";
import type { Visitor } from "../../support/visitor.js";
import { countTurns } from "../../support/turns.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";
import { readText, startWeb } from "./visitors.js";

/** Finds the workspace of the only member. */
async function findWorkspaceId({ store }: PageService): Promise<string> {
  const member = await store.read.selectFrom("members").select("workspace_id").executeTakeFirstOrThrow();
  return member.workspace_id;
}

/** Returns the link to the next part of a list. */
function findNextLink(page: string): string {
  return /rel="next" href="([^"]*)"/.exec(page)?.[1] ?? "";
}

/** Expects that a wrong cursor in an address leads to a page with a link to the beginning of the list. */
async function expectWayBack(visitor: Visitor, path: string): Promise<void> {
  const response = await visitor.get(path);
  expect(response.status).toBe(400);
  const [start = ""] = path.split("?");
  expect(await response.text()).toContain(`href="${start}">Start at the beginning</a>`);
}

test("the settings show keys in parts, and active keys before revoked ones", async () => {
  const { service, member } = await startWeb();
  const visitor = await member("Ada");
  await visitor.createKey("Active and old");
  const workspaceId = await findWorkspaceId(service);
  await service.store.write(workspaceId, async ({ db }) => {
    for (let index = 0; index <= MAX_SETTINGS_ROWS; index += 1) {
      const key = {
        workspaceId,
        id: newId(),
        prefix: "ps_00000000",
        lastFour: "0000",
        name: `Revoked ${index}`,
        createdTime: Date.now() + 1000 + index,
        expiresTime: null,
        revokedTime: 1,
        lastUsedTime: null,
        access: "full",
        replacedBy: null,
        createdBy: null,
      } as const;
      await insertKey(db, key, `hash ${index}`);
    }
  });
  const page = await readText(visitor, "/settings/api");
  expect(page).toContain("Active and old");
  expect(page).toContain(`Revoked ${MAX_SETTINGS_ROWS}<`);
  expect(page).not.toContain("Revoked 0<");
  expect(page.match(/class="key-name"/g)).toHaveLength(MAX_SETTINGS_ROWS);
  const rest = await readText(visitor, `/settings/api${findNextLink(page)}`);
  const readNames = (part: string) =>
    [...part.matchAll(/class="key-name">([^<]*)</g)].map(([, name]) => name);
  expect(readNames(rest)).toEqual(["Revoked 2", "Revoked 1", "Revoked 0"]);
  expect(rest).not.toContain('rel="next"');
  await service.store.writeServiceWide((tx) =>
    tx.updateTable("api_keys").set({ revoked_time: null }).execute(),
  );
  const active = await readText(visitor, "/settings/api");
  const others = await readText(visitor, `/settings/api${findNextLink(active)}`);
  expect(readNames(others)).toEqual(["Revoked 0", "Active and old", "Demo key"]);
  await expectWayBack(visitor, `/settings/api?keys=${encodeCursor("keys", [newId(), 1.5, 0])}`);
});

test("the settings show the members of a workspace in parts", async () => {
  const { service, member } = await startWeb();
  const visitor = await member("Ada");
  const workspaceId = await findWorkspaceId(service);
  const names = Array.from({ length: MAX_LISTED_OBJECTS }, (_, index) => `Member ${index}`);
  await service.store.writeServiceWide(async (db) => {
    for (const name of names) {
      const account = { id: newId(), name, email: `${name}@example.org`, passwordHash: "", createdTime: 0 };
      await insertAccount(db, account);
      await insertMember({ db, workspaceId }, account.id, "member", Date.now() + 1000);
    }
  });
  const readNames = (page: string) =>
    [...page.matchAll(/<strong>([^<]*)<\/strong>\s+(?:<span class="muted">\(you\)<\/span>)?\s+<div/g)].map(
      ([, name]) => name,
    );
  const first = await readText(visitor, "/settings/members");
  expect(readNames(first)).toEqual(["Ada", ...names.slice(0, -1)]);
  const second = await readText(visitor, `/settings/members${findNextLink(first)}`);
  expect(readNames(second)).toEqual(names.slice(-1));
  expect(second).not.toContain('rel="next"');
  await expectWayBack(visitor, `/settings/members?cursor=${encodeCursor("members", [newId(), 1.5])}`);
});

test("the settings show the invitations to a workspace in parts, newest first", async () => {
  const { service, member } = await startWeb();
  const visitor = await member("Ada");
  const workspaceId = await findWorkspaceId(service);
  const ids = Array.from({ length: MAX_LISTED_OBJECTS + 1 }, newId);
  await service.store.write(workspaceId, async (scope) => {
    for (const id of ids) {
      const times = { createdTime: 0, expiresTime: Date.now() + 60_000 };
      await insertInvitation(scope, { id, hash: id, role: "member", createdBy: "", ...times });
    }
  });
  const readIds = (page: string) =>
    [...page.matchAll(/invitations\/([^/]*)\/withdraw"/g)].map(([, id]) => id);
  const first = await readText(visitor, "/settings/members");
  expect(readIds(first)).toEqual(ids.slice(1).toReversed());
  const second = await readText(visitor, `/settings/members${findNextLink(first)}`);
  expect(readIds(second)).toEqual(ids.slice(0, 1));
  expect(second).not.toContain('rel="next"');
  await expectWayBack(visitor, "/settings/members?invitations=x");
});

test("the settings wait for their turn to be rendered, so that many copies do not fill the memory", async () => {
  const store = await openTestStore();
  const refuse = () => Promise.reject(new Error("refused"));
  const session = { workspaceId: newId(), role: "owner" };
  // The cast: these pages use nothing else of the context.
  const context = { store, waitForRenderSlot: refuse } as Partial<WebContext> as WebContext;
  // The cast: these pages use nothing else of the request.
  const request = { context, session, query: new URLSearchParams() } as unknown as SignedInRequest;
  await expect(keyHandlers.showKeys(request)).rejects.toThrow("refused");
  await expect(memberHandlers.showMembers(request)).rejects.toThrow("refused");
});

test("a new key or invitation does not wait for its turn, because it is shown only once", async () => {
  const store = await openTestStore();
  const { workspaceId, workspaceName } = await addDatabase(store);
  const account = await createAccount(store, "Ada");
  await store.write(workspaceId, (scope) => addMember(scope, account, "owner"));
  const session = { workspaceId, workspaceName, accountId: account.id, accountName: "Ada", role: "owner" };
  const submit = async (handle: RouteHandlers["invite"], fields: Record<string, string>) => {
    const form = new URLSearchParams({ id: newId(), csrf: "token", ...fields }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const context = {
      store,
      appUrl: "http://localhost:3000",
      usage: { flushAndRead: async () => ({ requestCounts: [], storedBytes: 0 }) },
      waitForRenderSlot: () => Promise.reject(new Error("refused")),
    };
    const response = await handle({
      context,
      httpRequest: Object.assign(Readable.from([Buffer.from(form)]), { headers }),
      session: { ...session, plan: "free", csrfToken: "token" },
      query: new URLSearchParams(),
      // The cast: these handlers use nothing else of the request.
    } as unknown as SignedInRequest);
    return String(response.body);
  };
  expect(await submit(memberHandlers.invite, {})).toMatch(/localhost:3000\/join\/[\w-]{43}/);
  const key = { name: "Key", expires: "never", access: "full" };
  expect(await submit(keyHandlers.createKey, key)).toMatch(/ps_\w{36}/);
});

test("the settings read and render keys in different turns of the event loop", async () => {
  const store = await openTestStore();
  const usage = { flushAndRead: async () => ({ requestCounts: [], storedBytes: 0 }) };
  const waitForRenderSlot = async () => ({ slot: { end() {} } });
  // The cast: the page uses nothing else of the context.
  const context = { store, usage, waitForRenderSlot } as unknown as WebContext;
  const session = { workspaceId: newId(), accountId: newId(), role: "member", plan: "free" };
  // The cast: the page uses nothing else of the request.
  const request = { context, session, query: new URLSearchParams() } as unknown as SignedInRequest;
  const turns = countTurns();
  onTestFinished(turns.end);
  expect((await keyHandlers.showKeys(request)).status).toBe(200);
  expect(turns.current).toBeGreaterThan(0);
});

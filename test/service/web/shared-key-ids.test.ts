import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Visitor } from "../../support/visitor.js";
import { startWeb, getApiStatus, type WebService } from "./visitors.js";

// The form that creates a key contains the key's id, so two workspaces can have keys with the same id.

/** Creates two members of different workspaces, each with a key of the same id. */
async function withSharedId() {
  const web: WebService = await startWeb();
  const [ada, eve] = [await web.member("Ada"), await web.member("Eve")];
  const id = randomUUID();
  const keys = { ada: await ada.createKey("Ada's", { id }), eve: await eve.createKey("Eve's", { id }) };
  const act = (visitor: Visitor, action: string, fields: Record<string, string> = {}) =>
    visitor.submit("/settings/api", `/settings/api/keys/${id}/${action}`, fields);
  /** Reads the row of each workspace's key. */
  const rows = async () => {
    const found = await web.service.store.read
      .selectFrom("api_keys")
      .select(["name", "revoked_time", "expires_time", "replaced_by", "last_used_time"])
      .where("id", "=", id)
      .execute();
    const findRow = (name: string) => found.find((row) => row.name === name);
    return { ada: findRow("Ada's"), eve: findRow("Eve's") };
  };
  return { ...web, ada, eve, keys, act, rows };
}

test("revoking a key keeps the key with the same id in another workspace", async () => {
  const { ada, keys, act, rows, url } = await withSharedId();
  expect((await act(ada, "revoke")).status).toBe(303);
  expect((await rows()).ada?.revoked_time).toEqual(expect.any(Number));
  expect((await rows()).eve?.revoked_time).toBeNull();
  expect([await getApiStatus(url, keys.ada), await getApiStatus(url, keys.eve)]).toEqual([401, 404]);
});

test("rotating a key keeps the key with the same id in another workspace", async () => {
  const { eve, keys, act, rows, url } = await withSharedId();
  const before = await rows();
  expect((await act(eve, "rotate", { overlap: "0m" })).status).toBe(200);
  expect((await rows()).eve?.replaced_by).toEqual(expect.any(String));
  expect((await rows()).ada).toEqual(before.ada);
  expect([await getApiStatus(url, keys.ada), await getApiStatus(url, keys.eve)]).toEqual([404, 401]);
});

test("requests count only for the workspace of their key", async () => {
  const { keys, rows, url, service } = await withSharedId();
  const countRequests = async () =>
    (await service.store.read.selectFrom("request_counts").select("passed").execute()).map(
      ({ passed }) => passed,
    );
  await getApiStatus(url, keys.ada);
  await expect.poll(async () => (await rows()).ada?.last_used_time).toEqual(expect.any(Number));
  expect((await rows()).eve?.last_used_time).toBeNull();
  expect(await countRequests()).toEqual([1]);
  // Sends both within one interval of the counter.
  await Promise.all(
    [...Array(2).fill(keys.ada), ...Array(5).fill(keys.eve)].map((key) => getApiStatus(url, key)),
  );
  await expect.poll(async () => (await countRequests()).reduce((sum, count) => sum + count, 0)).toBe(8);
  const byWorkspace = await service.store.read
    .selectFrom("request_counts")
    .select((select) => ["workspace_id", select.fn.sum<number>("passed").as("passed")])
    .groupBy("workspace_id")
    .execute();
  expect(byWorkspace.map(({ passed }) => passed).sort()).toEqual([3, 5]);
  expect((await rows()).eve?.last_used_time).toEqual(expect.any(Number));
});

test("a key cannot have the id of an account, which can join the workspace later", async () => {
  const { member, service } = await startWeb();
  const ada = await member("Ada");
  await member("Eve");
  const { id } = await service.store.read
    .selectFrom("accounts")
    .select("id")
    .where("name", "=", "Eve")
    .executeTakeFirstOrThrow();
  const form = { name: "Eve", expires: "90d", access: "full", id };
  const response = await ada.submit("/settings/api", "/settings/api/keys", form);
  expect([response.status, /This form is incomplete/.test(await response.text())]).toEqual([400, true]);
});

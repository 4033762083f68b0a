import { expect, onTestFinished, test, vi } from "vitest";
import { getVisibleParts } from "../../src/access/keys/key-format.js";
import { revokeKeyAsOperator } from "../../src/access/keys/operator-keys.js";
import { createClient } from "../../src/client/index.js";
import { startWorkspaceDeletion } from "../../src/access/workspaces/workspaces.js";
import { runJob } from "../../src/operations/jobs/run-job.js";
import { addPage, connect, readError, getError, title } from "../support/contract.js";

const UNAUTHORIZED = {
  object: "error",
  status: 401,
  code: "unauthorized",
  message: "API token is invalid. Send an active API key in the header Authorization, as Bearer API_KEY.",
};

test("the key is sent as Bearer; the scheme is case-insensitive", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
    const response = await connected.send("GET", `/v1/pages/${id}`, undefined, {
      Authorization: `${scheme} ${connected.key}`,
    });
    expect(response.status, scheme).toBe(200);
  }
});

test("any other Authorization header gets 401 with the error object", async () => {
  const { send, client, key, rootDatabaseId } = await connect();
  const id = await addPage({ client, rootDatabaseId });
  const swapped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const values = [
    "",
    "Bearer",
    "Bearer ",
    key,
    `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    `Token ${key}`,
    `Bearer ${swapped}`,
    `Bearer ${key}x`,
    `Bearer ${key} ${key}`,
    `Bearer ${key.toLowerCase()}`,
    `Bearer "${key}"`,
    `Bearer, ${key}`,
    "Bearer ps_",
    `Bearer ${"x".repeat(4000)}`,
    "Bearer ps_000000000000000000000000000000000000",
  ];
  for (const value of values) {
    const response = await send("GET", `/v1/pages/${id}`, undefined, { Authorization: value });
    expect(response.status, value).toBe(401);
    expect(await readError(response)).toMatchObject(UNAUTHORIZED);
  }
});

test("unknown and revoked keys are invalid", async () => {
  const { service, connect: another, baseUrl, key } = await connect();
  const elsewhere = await connect();
  const stranger = createClient({ baseUrl, apiKey: elsewhere.key });
  const call = (client: typeof stranger): Promise<unknown> =>
    client.retrievePage({ path: { page_id: crypto.randomUUID() } });
  expect(await getError(call(stranger))).toMatchObject({ status: 401, code: "unauthorized" });

  const revoked = await another();
  await revokeKeyAsOperator(service.store, getVisibleParts(revoked.key).prefix);
  expect(await getError(call(revoked.client))).toMatchObject({ status: 401, code: "unauthorized" });
  expect(await getError(call(createClient({ baseUrl, apiKey: key })))).toMatchObject({ status: 404 });
});

test("a key of a deleted workspace is invalid while it is still cached", async () => {
  const { service, connect: another } = await connect();
  const { client, workspaceId } = await another({ workspaceName: "Deleted" });
  // Keeps the key in the cache.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  await client.retrieveBotUser({});
  const { job } = await startWorkspaceDeletion(service.store, "Deleted");
  await runJob(service.store, job);
  const { read } = service.store;
  expect(await read.selectFrom("workspaces").select("id").where("id", "=", workspaceId).execute()).toEqual(
    [],
  );
  const parent = { workspace: true } as const;
  const properties = { title: title("Page") };
  for (const call of [
    () => client.retrieveBotUser({}),
    () => client.createPage({ body: { parent, properties } }),
    () => client.createPage({ headers: { "Idempotency-Key": "a" }, body: { parent, properties } }),
    () => client.createDatabase({ body: { parent, properties: { Name: { title: {} } } } }),
  ])
    expect(await getError(call())).toMatchObject({ status: 401, code: "unauthorized" });
  // Nothing fails here, because the workspace has no rows.
  expect((await client.listUsers({})).body.results).toEqual([]);
});

test("authentication precedes validation and lookups", async () => {
  const { send } = await connect();
  const headers = { Authorization: "Bearer nobody" };
  const requests: [string, string, string?][] = [
    ["GET", "/v1/pages/not-an-id"],
    ["POST", "/v1/pages", "{"],
    ["PATCH", `/v1/pages/${crypto.randomUUID()}`, '{"no":1}'],
  ];
  for (const [method, path, body] of requests) {
    expect((await send(method, path, body, headers)).status).toBe(401);
  }
});

import { expect, test } from "vitest";
import { operations } from "../../generated/routes.js";
import { isWrite } from "../../src/service/is-write.js";
import { addPage, connect, readError } from "../support/contract.js";

const ID = crypto.randomUUID();

test("a read-only key gets 403 on every write", async () => {
  const { connect: another, send } = await connect();
  const { key } = await another({ access: "read_only" });
  const changing = Object.values(operations).filter(isWrite);
  for (const { method, path } of changing) {
    const url = path.replaceAll(/\{[^}]+\}/g, ID);
    const response = await send(method, url, method === "DELETE" ? undefined : {}, {
      Authorization: `Bearer ${key}`,
    });
    expect(response.status).toBe(403);
    expect(await readError(response)).toMatchObject({
      object: "error",
      code: "restricted_resource",
      message: "API token is read-only. Use a key with full access to change something.",
    });
    expect(response.headers.get("X-RateLimit-Remaining")).toMatch(/^\d+$/);
  }
  // The document declares 403 for the same operations, which are all operations except reads.
  const declared = Object.values(operations).filter((operation) => "403" in operation.responseMediaTypes);
  expect(changing.map(({ name }) => name)).toEqual(declared.map(({ name }) => name));
  const reading = Object.values(operations).filter((operation) => !isWrite(operation));
  expect(reading.filter(({ method }) => method !== "GET").map(({ name }) => name)).toEqual([
    "queryDatabase",
    "search",
  ]);
});

test("a read-only key reads everything and changes nothing", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const workspaceName = "Test";
  const { client, key } = await connected.connect({ workspaceName, access: "read_only" });
  const before = await client.retrievePage({ path: { page_id: id } });
  const response = await connected.send(
    "PATCH",
    `/v1/pages/${id}`,
    { in_trash: true },
    { Authorization: `Bearer ${key}` },
  );
  expect(response.status).toBe(403);
  expect((await client.retrievePage({ path: { page_id: id } })).body).toEqual(before.body);
});

test("no operation creates API keys", () => {
  for (const { path } of Object.values(operations)) expect(path).not.toMatch(/key|token/i);
});

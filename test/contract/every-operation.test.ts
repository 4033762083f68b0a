import { expect, test } from "vitest";
import { operations } from "../../generated/routes.js";
import { isWrite } from "../../src/service/is-write.js";
import { isPostgresUrl } from "../../src/storage/engine/location.js";
import { ApiDocument, type ApiOperation } from "../support/api-document.js";
import { connect, type Connected, readError } from "../support/contract.js";
import { listTables, newLocation, openSecondConnection } from "../support/stores.js";

const ID = crypto.randomUUID();
const document = ApiDocument.committed().operations();
const changing = Object.values(operations)
  .filter(isWrite)
  .map(({ name }): string => name);
const writes = document.filter(({ id }) => changing.includes(id));
const withJsonBody = document.filter(({ body }) =>
  body?.some(({ mediaType }) => mediaType === "application/json"),
);

/** The tables that a request needs before its operation starts. */
const ADMISSION_TABLES = ["api_keys", "workspaces"];

/** Lists the tables that operations read and write: all other tables. */
async function listOperationTables(database: string): Promise<string[]> {
  return (await listTables(database)).filter((name) => !ADMISSION_TABLES.includes(name));
}

/** Creates the path of an operation and its required query, with an unknown id. */
function createUrl({ path, parameters }: ApiOperation): string {
  const query = parameters.some(({ name }) => name === "block_id") && !path.includes("{block_id}");
  return path.replaceAll(/\{[^}]+\}/g, ID) + (query ? `?block_id=${ID}` : "");
}

/** Sends a valid request of an operation, whose body is the first example of the document. */
function call(
  { send }: Pick<Connected, "send">,
  operation: ApiOperation,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(operation.method, createUrl(operation), operation.body?.[0]?.examples[0]?.value, headers);
}

test("each operation without a valid key gets 401; every response has nosniff", async () => {
  const connected = await connect();
  for (const operation of document) {
    const response = await call(connected, operation, { Authorization: "Bearer nobody" });
    expect(await readError(response), operation.id).toMatchObject({ status: 401, code: "unauthorized" });
    const admitted = await call(connected, operation);
    for (const { headers } of [response, admitted]) {
      expect(headers.get("X-Content-Type-Options"), operation.id).toBe("nosniff");
    }
  }
});

test("each operation with a JSON body returns 413 for more than 500 KB and 400 for invalid JSON", async () => {
  const { send, baseUrl, key } = await connect();
  const large = JSON.stringify({ x: "x".repeat(512_001 - '{"x":""}'.length) });
  const tooLarge = {
    status: 413,
    code: "validation_error",
    message: "body failed validation: body.length should be ≤ `512000`.",
  };
  for (const operation of withJsonBody) {
    const { id, method } = operation;
    const url = createUrl(operation);
    expect(await readError(await send(method, url, large)), id).toMatchObject(tooLarge);
    const chunked = await fetch(baseUrl + url, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: new Blob([large]).stream(),
      duplex: "half",
    });
    expect(await readError(chunked), id).toMatchObject(tooLarge);
    const broken = await readError(await send(method, url, "{"));
    expect(broken, id).toMatchObject({ status: 400, code: "invalid_json" });
  }
  // Fails if no operation was tested.
  expect(withJsonBody.length).toBeGreaterThan(1);
});

test("each operation and an unknown path get 429 over the rate limit", async () => {
  const connected = await connect({ plan: "free" });
  await Promise.all(Array.from({ length: 100 }, () => connected.send("GET", "/v1/nothing")));
  for (const operation of document) {
    const response = await call(connected, operation);
    expect(await readError(response), operation.id).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(response.headers.get("Retry-After")), operation.id).toBeGreaterThan(0);
  }
  expect((await connected.send("GET", "/v1/nothing")).status).toBe(429);
});

test("each write gets 409 while another program locks the database, and succeeds afterwards", async () => {
  const database = await newLocation();
  const connected = await connect({ database });
  const other = await openSecondConnection(database);
  // Uses a workspace for each write, because writes to one workspace also wait for each other.
  const keys = await Promise.all(writes.map(() => connected.connect()));
  await other(
    isPostgresUrl(database)
      ? `BEGIN; LOCK TABLE ${(await listOperationTables(database)).join(", ")} IN ACCESS EXCLUSIVE MODE`
      : "BEGIN EXCLUSIVE",
  );
  const statuses = writes.map(async (operation, index) => {
    const response = await call(connected, operation, { Authorization: `Bearer ${keys[index]?.key}` });
    const { status, code } = await readError(response);
    // PostgreSQL's connections can run out before the lock times out when many requests wait.
    const expected = isPostgresUrl(database) && status === 503 ? "service_unavailable" : "conflict_error";
    expect(code, operation.id).toBe(expected);
    return status;
  });
  expect(await Promise.all(statuses)).toContain(409);
  await other("ROLLBACK");
  for (const operation of writes) {
    const { status } = await call(connected, operation);
    expect([200, 400, 404], operation.id).toContain(status);
  }
});

test("each read under a lock succeeds on SQLite and gets 503 on PostgreSQL", async () => {
  const database = await newLocation();
  const connected = await connect({ database });
  const other = await openSecondConnection(database);
  const isPostgres = isPostgresUrl(database);
  await other(
    isPostgres
      ? `BEGIN; LOCK TABLE ${(await listOperationTables(database)).join(", ")} IN ACCESS EXCLUSIVE MODE`
      : "BEGIN EXCLUSIVE",
  );
  const reads = document.filter(({ id }) => !changing.includes(id));
  // Few enough requests on PostgreSQL to get a connection each, so that all wait for the lock.
  const some = isPostgres
    ? [...reads.filter(({ method }) => method === "POST"), ...reads.slice(0, 2)]
    : reads;
  const results = await Promise.all(
    some.map(async (operation) => [operation.id, (await call(connected, operation)).status]),
  );
  for (const [id, status] of results) {
    if (isPostgres) expect([id, status]).toEqual([id, 503]);
    else expect([200, 404], String(id)).toContain(status);
  }
  await other("ROLLBACK");
});

test("each operation gets 500 without details when tables are missing", async () => {
  const database = await newLocation();
  const connected = await connect({ database });
  const other = await openSecondConnection(database);
  const isPostgres = isPostgresUrl(database);
  if (!isPostgres) await other("PRAGMA foreign_keys = OFF");
  for (const table of await listOperationTables(database)) {
    await other(`DROP TABLE IF EXISTS ${table}${isPostgres ? " CASCADE" : ""}`);
  }
  for (const operation of document) {
    const error = await readError(await call(connected, operation));
    expect(error, operation.id).toMatchObject({
      status: 500,
      code: "internal_server_error",
      message: "Unexpected error occurred.",
    });
  }
});

test("each operation gets 503 when the database is closed", async () => {
  const connected = await connect({ database: await newLocation() });
  await connected.service.store.close();
  for (const operation of document) {
    const error = await readError(await call(connected, operation));
    expect(error, operation.id).toMatchObject({ status: 503, code: "service_unavailable" });
  }
});

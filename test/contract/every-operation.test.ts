import { expect, test } from "vitest";
import { operations } from "../../generated/routes.js";
import { changesSomething } from "../../src/adapters/admission.js";
import { isPostgresUrl } from "../../src/storage/postgres-store.js";
import { ApiDocument, type ApiOperation } from "../support/api-document.js";
import { connect, type Connected, errorOf } from "../support/contract.js";
import { newLocation, openBeside } from "../support/stores.js";

const ID = crypto.randomUUID();
const document = ApiDocument.committed().operations();
const changing = Object.values(operations)
  .filter(changesSomething)
  .map(({ id }): string => id);
const writes = document.filter(({ id }) => changing.includes(id));

const TABLES = ["pages", "databases", "blocks", "comments", "users"];

/** Sends a request of an operation whose shape is right: its body is the document's first example. */
function call(
  { send }: Pick<Connected, "send">,
  { method, path, parameters, body }: ApiOperation,
  headers: Record<string, string> = {},
): Promise<Response> {
  const query = parameters.some(({ name }) => name === "block_id") && !path.includes("{block_id}");
  const url = path.replaceAll(/\{[^}]+\}/g, ID) + (query ? `?block_id=${ID}` : "");
  return send(method, url, body?.[0]?.examples[0]?.value, headers);
}

test("each operation without a valid key is 401", async () => {
  const connected = await connect();
  for (const operation of document) {
    const response = await call(connected, operation, { Authorization: "Bearer nobody" });
    expect(await errorOf(response), operation.id).toMatchObject({ status: 401, code: "unauthorized" });
  }
});

test("each operation is 429 when the requests of the window are used up", async () => {
  const connected = await connect({ plan: "free" });
  await Promise.all(Array.from({ length: 100 }, () => connected.send("GET", "/v1/nothing")));
  for (const operation of document) {
    const response = await call(connected, operation);
    expect(await errorOf(response), operation.id).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(response.headers.get("Retry-After")), operation.id).toBeGreaterThan(0);
  }
});

test("each write is 409 while another program has the database, and can be sent again after", async () => {
  const database = await newLocation();
  const connected = await connect({ database });
  const other = await openBeside(database);
  // Each in a workspace of its own: in one they would wait for each other as well.
  const keys = await Promise.all(writes.map(() => connected.connect()));
  await other(
    isPostgresUrl(database)
      ? `BEGIN; LOCK TABLE ${TABLES.join(", ")} IN ACCESS EXCLUSIVE MODE`
      : "BEGIN EXCLUSIVE",
  );
  const answers = writes.map(async (operation, index) => {
    const response = await call(connected, operation, { Authorization: `Bearer ${keys[index]?.key}` });
    const { status, code } = await errorOf(response);
    // Of many that wait, PostgreSQL's connections may run out before the lock's time does.
    const expected = isPostgresUrl(database) && status === 503 ? "service_unavailable" : "conflict_error";
    expect(code, operation.id).toBe(expected);
    return status;
  });
  expect(await Promise.all(answers)).toContain(409);
  await other("ROLLBACK");
  for (const operation of writes) {
    const { status } = await call(connected, operation);
    expect([200, 400, 404], operation.id).toContain(status);
  }
});

test("each operation is 500 when tables are gone, and tells nothing of the inside", async () => {
  const database = await newLocation();
  const connected = await connect({ database });
  const other = await openBeside(database);
  for (const table of TABLES) await other(`DROP TABLE ${table}`);
  for (const operation of document) {
    const error = await errorOf(await call(connected, operation));
    expect(error, operation.id).toMatchObject({
      status: 500,
      code: "internal_server_error",
      message: "Unexpected error occurred.",
    });
  }
});

test("each operation is 503 when the database is closed", async () => {
  const connected = await connect({ database: await newLocation() });
  await connected.service.store.close();
  for (const operation of document) {
    const error = await errorOf(await call(connected, operation));
    expect(error, operation.id).toMatchObject({ status: 503, code: "service_unavailable" });
  }
});

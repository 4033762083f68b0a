import { randomBytes } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { getStoredResponsesQuotaBytes, MAX_STORED_BODY_BYTES } from "../../src/budgets.js";
import { Scopes } from "../../src/operations/execution/scope.js";
import { createIdempotentWrite } from "../../src/service/idempotent-write.js";
import { EncodedJson } from "../../src/http/index.js";
import { createPrincipal, URLS } from "../support/scope.js";
import { countTurns } from "../support/turns.js";
import { addDatabase } from "./storage/fixtures.js";
import { openTestStore } from "./storage/open.js";

/** Creates `write` of a request. */
async function createWrite() {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const request = new IncomingMessage(new Socket());
  const requestContext = { request, response: new ServerResponse(request), startTime: 0, headers: {} };
  return createIdempotentWrite(new Scopes(store, URLS), createPrincipal(workspaceId), requestContext);
}

test("a response without a key is encoded too, before the commit of its group", async () => {
  const write = await createWrite();
  const response = await write({}, async () => ({ status: 200, body: { id: "x" } }));
  expect(response.body).toEqual(new EncodedJson('{"id":"x"}'));
});

test("replays of large responses that wait together are decoded in separate turns of the event loop", async () => {
  const write = await createWrite();
  // The largest response that is stored. Replays share a turn until they have taken a millisecond.
  const response = { status: 200, body: "a".repeat(MAX_STORED_BODY_BYTES - '""'.length) };
  const send = () => write({ headers: { "Idempotency-Key": "key" } }, async () => response);
  await send();
  const turns = countTurns();
  onTestFinished(turns.end);
  const replays = Array.from({ length: 30 }, () => send().then(() => turns.current));
  expect(new Set(await Promise.all(replays)).size).toBeGreaterThan(5);
});

test("stored responses take at most the quota of the workspace", async () => {
  const write = await createWrite();
  let runs = 0;
  const send = (key: number) =>
    write({ headers: { "Idempotency-Key": `${key}` } }, async () => {
      runs += 1;
      return { status: 200, body: randomBytes(150_000).toString("base64") };
    });
  const count = getStoredResponsesQuotaBytes(createPrincipal("").requestLimit) / 150_000;
  for (let key = 0; key <= count; key += 1) await send(key);
  const runsBefore = runs;
  // The first one was deleted.
  await send(0);
  expect(runs).toBe(runsBefore + 1);
});

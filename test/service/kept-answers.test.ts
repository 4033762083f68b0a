import { expect, test } from "vitest";
import { createKeptAnswers } from "../../src/adapters/kept-answers.js";
import type { Context } from "../../src/adapters/context.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";
import { operation } from "../http/server.js";

/** Wraps a handler that answers with the body of the number asked for; tells which numbers it was asked. */
async function reader(bodyOf: (number: number) => unknown) {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const asked: number[] = [];
  const handler = async ({ path }: { path: { number: number } }) => {
    asked.push(path.number);
    return { status: 200, body: bodyOf(path.number) };
  };
  const context: Context = {
    principal: { keyId: "key", workspaceId, workspaceName: "", plan: "free", limit: 1, readOnly: false },
    requestId: "",
    write: () => Promise.reject(new Error("Nothing is written.")),
  };
  const wrapped = createKeptAnswers(store)(operation(), handler);
  // The cast: the wrapped handler takes what the handler takes.
  const read = (number: number) => wrapped({ path: { number } } as never, context);
  return { read, asked };
}

test("a thousand answers are kept, and when there are more the oldest go", async () => {
  const { read, asked } = await reader((number) => ({ number }));
  for (let number = 0; number < 1000; number += 1) await read(number);
  for (const number of [0, 999]) expect((await read(number)).body).toEqual({ number });
  expect(asked).toHaveLength(1000);
  await read(1000);
  for (const number of [1, 0]) expect((await read(number)).body).toEqual({ number });
  expect(asked.slice(1000)).toEqual([1000, 0]);
});

test("the objects of a list count one by one, and a list of very many is not kept", async () => {
  const list = (length: number) => ({ results: Array.from({ length }, () => ({})), request_id: "" });
  const { read, asked } = await reader((number) => list(number));
  for (const number of [249, 248, 247, 246, 249, 300, 300]) await read(number);
  expect(asked).toEqual([249, 248, 247, 246, 300, 300]);
  await read(245);
  await read(248);
  await read(249);
  expect(asked.slice(6)).toEqual([245, 249]);
});

test("an answer that is no success is not kept, nor one of another method", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  let count = 0;
  const context: Context = {
    principal: { keyId: "key", workspaceId, workspaceName: "", plan: "free", limit: 1, readOnly: false },
    requestId: "",
    write: () => Promise.reject(new Error("Nothing is written.")),
  };
  const keep = createKeptAnswers(store);
  const failing = keep(operation(), async () => ({ status: 404, body: (count += 1) }));
  const posted = keep(operation({ method: "POST" }), async () => ({ status: 200, body: (count += 1) }));
  for (const handler of [failing, failing, posted, posted]) await handler({} as never, context);
  expect(count).toBe(4);
});

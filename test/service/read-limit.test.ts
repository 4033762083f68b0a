import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MAX_TURN_MS } from "../../src/budgets.js";
import type { HandlerContext } from "../../src/adapters/context.js";
import { MemoryBudget } from "../../src/service/memory-budget.js";
import { createReadLimit } from "../../src/service/read-limit.js";
import { readScope } from "../support/scope.js";
import { countTurns } from "../support/turns.js";
import { openTestStore } from "./storage/open.js";

test("a read is refused when responses that its workspace has not read took its memory in the meantime", async () => {
  const store = await openTestStore(":memory:");
  const memory = new MemoryBudget({ total: 100, perClient: 10 });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  // The casts: the wrapper reads the scope of the context, and the method of the operation.
  const context = { scope: readScope(store, "workspace") } as HandlerContext;
  const operation = { method: "GET" } as Parameters<ReturnType<typeof createReadLimit>>[0];
  const read = createReadLimit(memory)(operation, async () => {
    memory.reserve("workspace", 10, response);
    response.write("unread and longer than 10 bytes");
    response.emit("prefinish");
    return { status: 200, body: {} };
  });
  await expect(read({} as never, context)).rejects.toThrow("Too many large requests are in progress");
});

test("after a long read, the reads of its workspace run in separate turns of the event loop", async () => {
  const store = await openTestStore(":memory:");
  const turns = countTurns();
  onTestFinished(turns.end);
  // The casts: the wrapper reads the scope of the context, and the method of the operation.
  const operation = { method: "GET" } as Parameters<ReturnType<typeof createReadLimit>>[0];
  const read = createReadLimit(new MemoryBudget())(operation, async () => {
    const end = performance.now() + 2 * MAX_TURN_MS;
    while (performance.now() < end);
    return { status: 200, body: turns.current };
  });
  const readTurn = async (workspaceId: string): Promise<unknown> =>
    (await read({} as never, { scope: readScope(store, workspaceId) } as HandlerContext)).body;
  await readTurn("busy");
  const busyTurns = await Promise.all(["busy", "busy", "busy"].map(readTurn));
  expect(new Set(busyTurns).size).toBe(3);
  // Other workspaces do not wait for a turn.
  const current = turns.current;
  expect(await readTurn("other")).toBe(current);
});

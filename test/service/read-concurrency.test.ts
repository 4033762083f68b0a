import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { MAX_TURN_MS } from "../../src/budgets.js";
import type { HandlerContext } from "../../src/adapters/context.js";
import { MemoryBudget } from "../../src/service/memory-budget.js";
import { FairQueue } from "../../src/queues/fair-queue.js";
import { UNLIMITED_SLOT, QueueSlot } from "../../src/queues/queue-slot.js";
import { Scopes } from "../../src/operations/execution/scope.js";
import { createReadConcurrencyLimit } from "../../src/service/read-concurrency.js";
import { createPrincipal, readScope, URLS } from "../support/scope.js";
import { countTurns } from "../support/turns.js";
import { openTestStore } from "./storage/open.js";

test("a read is refused when responses that its workspace has not read took its memory in the meantime", async () => {
  const store = await openTestStore(":memory:");
  const memory = new MemoryBudget({ totalBytes: 100, bytesPerClient: 10, unreadBytes: 100 });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  // The casts: the wrapper reads the scope of the context, and the method of the operation.
  const context = { scope: readScope(store, "workspace") } as HandlerContext;
  const operation = { method: "GET" } as Parameters<ReturnType<typeof createReadConcurrencyLimit>>[0];
  const read = createReadConcurrencyLimit(memory, store)(operation, async () => {
    memory.reserve("workspace", 10, response);
    response.write("unread and longer than 10 bytes");
    response.emit("prefinish");
    return { status: 200, body: {} };
  });
  await expect(read({} as never, context)).rejects.toThrow("Too many large requests are in progress");
});

/** Advances the clock of a reader by more time than a read may take in one turn of the event loop. */
function passLongTime(): void {
  vi.advanceTimersByTime(2 * MAX_TURN_MS);
}

async function waitLong(): Promise<void> {
  await nextTurn();
  passLongTime();
}

/**
 * Creates a function that runs a read of a workspace, and returns the turn of the event loop in which it began. Stops the clock, so
 * that only `passLongTime` makes a read long.
 */
async function createReader(run: () => Promise<void>, queue?: FairQueue) {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openTestStore(":memory:");
  const turns = countTurns();
  onTestFinished(turns.end);
  // The casts: the wrapper reads the scope of the context, and the method of the operation.
  const operation = { method: "GET" } as Parameters<ReturnType<typeof createReadConcurrencyLimit>>[0];
  // With a queue for connections, as in PostgreSQL.
  const limited = queue === undefined ? store : { readsInEventLoop: false };
  const read = createReadConcurrencyLimit(new MemoryBudget(), limited)(operation, async () => {
    const { current } = turns;
    await run();
    return { status: 200, body: current };
  });
  const readTurn = async (workspaceId: string, signal?: AbortSignal): Promise<unknown> => {
    const slot = queue === undefined ? UNLIMITED_SLOT : new QueueSlot(queue, workspaceId);
    const scopes = new Scopes(store, URLS);
    const createSignal = signal && (() => signal);
    const scope = scopes.createReadScope(createPrincipal(workspaceId), createSignal, slot);
    const context = { scope } as HandlerContext;
    return (await read({} as never, context)).body;
  };
  return { turns, readTurn };
}

test("after a long read, the reads of its workspace run in separate turns of the event loop", async () => {
  const { turns, readTurn } = await createReader(async () => passLongTime());
  await readTurn("busy");
  const busyTurns = await Promise.all(["busy", "busy", "busy"].map((workspaceId) => readTurn(workspaceId)));
  expect(new Set(busyTurns).size).toBe(3);
  // Other workspaces do not wait for a turn.
  const { current } = turns;
  expect(await readTurn("other")).toBe(current);
});

test("reads that arrive together run in separate turns when the first one takes long before it waits", async () => {
  const { readTurn } = await createReader(async () => {
    passLongTime();
    await nextTurn();
  });
  const readTurns = await Promise.all(
    [1, 2, 3].map(async () => {
      await nextTurn();
      return readTurn("busy");
    }),
  );
  expect(new Set(readTurns).size).toBe(3);
});

test("reads that are short, but long together, do not all run in one turn of the event loop", async () => {
  const { turns, readTurn } = await createReader(async () => void vi.advanceTimersByTime(0.4 * MAX_TURN_MS));
  const { current } = turns;
  const readTurns: unknown[] = [];
  // One after another, as connections are read.
  for (const workspaceId of ["a", "a", "b", "a", "b"]) {
    void readTurn(workspaceId).then((turn) => readTurns.push(turn));
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  expect(readTurns).toEqual([current, current, current]);
  await expect.poll(() => readTurns.length).toBe(5);
  expect(new Set(readTurns).size).toBe(3);
  // Reads in later turns do not wait.
  const { current: later } = turns;
  expect(await readTurn("a")).toBe(later);
});

test("a read that waits, for example for a scan, is not long", async () => {
  const { turns, readTurn } = await createReader(waitLong);
  await readTurn("workspace");
  const { current } = turns;
  expect(await readTurn("workspace")).toBe(current);
});

test("a read that waits with a connection of PostgreSQL is long, because its work comes after the wait", async () => {
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: 60_000 });
  const { turns, readTurn } = await createReader(waitLong, queue);
  await readTurn("workspace");
  const { current } = turns;
  expect(await readTurn("workspace")).toBeGreaterThan(current);
});

test("a read whose client leaves stops waiting for a connection", async () => {
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: 60_000 });
  const { readTurn } = await createReader(async () => {}, queue);
  const release = await queue.acquire("other");
  const client = new AbortController();
  const reading = readTurn("workspace", client.signal);
  await expect.poll(() => queue.hasWaiting).toBe(true);
  client.abort(new Error("The client left."));
  expect(queue.hasWaiting).toBe(false);
  await expect(reading).rejects.toThrow("The client left.");
  release();
  // Its slot is free for the next read, whose client is still there.
  expect(await readTurn("workspace")).toEqual(expect.any(Number));
});

test("a read that waits for a turn leaves its connection to others", async () => {
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: 60_000 });
  const order: string[] = [];
  const { readTurn } = await createReader(async () => {
    order.push("read");
    await waitLong();
  }, queue);
  await readTurn("workspace");
  const second = readTurn("workspace");
  await nextTurn();
  const release = await queue.acquire("other");
  order.push("other");
  release();
  await second;
  expect(order).toEqual(["read", "other", "read"]);
});

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { LONG_LIST_QUEUE, MAX_PRESENTED_BYTES_PER_TURN } from "../../../../src/budgets.js";
import { FairQueue } from "../../../../src/queues/fair-queue.js";
import { UNLIMITED_SLOT, QueueSlot, type Slot } from "../../../../src/queues/queue-slot.js";
import {
  awaitEventLoopTurn,
  iterateInTurns,
  runRelatedReads,
} from "../../../../src/operations/execution/event-loop-turns.js";
import { countTurns } from "../../../support/turns.js";

/** Start of the ids of this file's workspaces. The process knows how long the turns of other files' workspaces took. */
const ID_PREFIX = randomUUID();

// Only workLong and workShortly advance the clock, so that a busy machine makes no turn long.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Works for 15 ms, in which a turn counts as long. */
function workLong(): void {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 15_000);
  vi.advanceTimersByTime(15);
}

/** Works for a quarter of the time that callers of one workspace share. */
function workShortly(): void {
  vi.advanceTimersByTime(0.25);
}

/** Lets a workspace for each id wait for a turn, in this order, and do `work` in it. Returns the ids and turns in the actual order. */
async function takeTurns(workspaceIds: readonly string[], work: (workspaceId: string) => void = () => {}) {
  const turns = countTurns();
  onTestFinished(turns.end);
  const continued: { workspaceId: string; turn: number }[] = [];
  const wait = async (workspaceId: string): Promise<void> => {
    await awaitEventLoopTurn(`${ID_PREFIX} ${workspaceId}`);
    continued.push({ workspaceId, turn: turns.current });
    work(workspaceId);
  };
  await Promise.all(workspaceIds.map(wait));
  const first = continued[0]?.turn ?? 0;
  return { ids: continued.map((each) => each.workspaceId), turns: continued.map(({ turn }) => turn - first) };
}

test("callers continue in separate turns of the event loop, and workspaces alternate", async () => {
  const { ids, turns } = await takeTurns(["A", "A", "A", "B"], workLong);
  expect(ids).toEqual(["A", "B", "A", "A"]);
  expect(turns).toEqual([0, 3, 6, 9]);
  expect((await takeTurns(["later"])).ids).toEqual(["later"]);
});

test("a short turn is followed by the next one at once, because it delays nobody", async () => {
  expect((await takeTurns(["short", "brief", "swift"])).turns).toEqual([0, 1, 2]);
});

test("after a turn of 100 ms, only workspaces with short turns have one until responses of PostgreSQL have arrived", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const order: string[] = [];
  const work = (workspaceId: string): void => {
    order.push(workspaceId);
    if (workspaceId === "small") {
      void sleep(5).then(() => {
        order.push("response");
        vi.advanceTimersByTime(25);
      });
    } else if (!order.includes("small")) vi.advanceTimersByTime(100);
  };
  // Only now is it known which workspaces have long turns.
  await takeTurns(["next"], work);
  await takeTurns(["first", "next", "small"], work);
  expect(order).toEqual(["next", "first", "small", "response", "next"]);
});

test("a pause that began earlier does not end a later one", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const order: string[] = [];
  const work = (workspaceId: string): void => {
    order.push(workspaceId);
    if (workspaceId === "long") vi.advanceTimersByTime(100);
    // The pause after it ends 1.25 ms after that of the turn of 100 ms.
    if (workspaceId === "shorter") vi.advanceTimersByTime(21);
    if (workspaceId !== "small") return;
    vi.advanceTimersByTime(4.5);
    void sleep(5).then(() => {
      order.push("response");
      vi.advanceTimersByTime(25);
    });
  };
  // Only now is it known which workspaces have long turns.
  await takeTurns(["next"], () => void vi.advanceTimersByTime(100));
  vi.advanceTimersByTime(25);
  await takeTurns(["long", "shorter", "small", "next"], work);
  expect(order).toEqual(["long", "shorter", "small", "response", "next"]);
});

test("callers of one workspace that take little time share a turn", async () => {
  const callers = Array.from({ length: 12 }, () => "many");
  expect((await takeTurns(callers)).turns).toEqual(callers.map(() => 0));
  expect((await takeTurns(callers, workShortly)).turns).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
});

test("a workspace with short turns does not wait for the long turns of all others", async () => {
  const long = ["long 1", "long 2", "long 3", "long 4"];
  const work = (workspaceId: string): void => {
    if (workspaceId.startsWith("long")) workLong();
  };
  // Only now is it known which workspaces have long turns.
  await takeTurns([...long, "small"], work);
  const { ids } = await takeTurns([...long, ...long, "small", "small"], work);
  expect(ids).toHaveLength(10);
  expect(ids.lastIndexOf("small")).toBeLessThan(6);
});

test("a workspace waits for few turns of others after a turn in which the process was held up", async () => {
  await takeTurns(["held up"], () => void vi.advanceTimersByTime(1000));
  const others = Array.from({ length: 20 }, () => ["busy 1", "busy 2"]).flat();
  const { ids } = await takeTurns([...others, "held up"], (workspaceId) => {
    if (workspaceId !== "held up") workLong();
  });
  expect(ids.indexOf("held up")).toBeLessThan(10);
});

/** Presents a list of two parts, and returns when it has ended. */
async function presentList(
  order: string[],
  name: string,
  {
    workspaceId = name,
    slot = UNLIMITED_SLOT,
    signal,
  }: { workspaceId?: string; slot?: Slot; signal?: AbortSignal } = {},
): Promise<void> {
  const scope = { workspaceId: `${ID_PREFIX} ${workspaceId}`, slot, signal };
  for await (const part of iterateInTurns(scope, [1, 2], () => MAX_PRESENTED_BYTES_PER_TURN))
    order.push(`${name} ${part.join()}`);
}

test("one list of a workspace is in progress at a time, and workspaces alternate", async () => {
  const order: string[] = [];
  const busy = ["first", "second"].map((name) => presentList(order, name, { workspaceId: "busy" }));
  await Promise.all([...busy, presentList(order, "other")]);
  expect(order).toEqual(["first 1", "other 1", "first 2", "other 2", "second 1", "second 2"]);
});

test("few lists are in progress at a time, also of different workspaces", async () => {
  const order: string[] = [];
  const names = Array.from({ length: LONG_LIST_QUEUE.slots + 1 }, (_, index) => `list ${index}`);
  await Promise.all(names.map((name) => presentList(order, name)));
  expect(order.indexOf(`${names.at(-1)} 1`)).toBeGreaterThan(order.indexOf("list 0 2"));
});

test("a list ends when its client disconnects, and gives its turn to the next one", async () => {
  const order: string[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const lists = ["begun", "waiting"].map((name) => presentList(order, name, { workspaceId: "a", signal }));
  const next = presentList(order, "next", { workspaceId: "a" });
  while (order.length === 0) await awaitEventLoopTurn(`${ID_PREFIX} a`);
  controller.abort(new Error("disconnected"));
  const ends = await Promise.allSettled(lists);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await next;
  expect(order).toEqual(["begun 1", "next 1", "next 2"]);
});

test("a list whose client disconnects does not wait for the slot of its request", async () => {
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: 10_000 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  const controller = new AbortController();
  const list = presentList([], "list", { slot, signal: controller.signal });
  const release = await queue.acquire("a");
  await expect.poll(() => queue.hasWaiting).toBe(true);
  controller.abort(new Error("disconnected"));
  await expect(list).rejects.toThrow("disconnected");
  expect(queue.hasWaiting).toBe(false);
  release();
  // Its place among the long lists is free again.
  const order: string[] = [];
  await presentList(order, "next", { workspaceId: "list" });
  expect(order).toContain("next 1");
});

test("a list that waits for others does not hold the slot of its request", async () => {
  const order: string[] = [];
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: 10_000 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  const first = presentList(order, "first", { workspaceId: "a" });
  const second = presentList(order, "second", { workspaceId: "a", slot });
  (await queue.acquire("a"))();
  expect(order).not.toContain("second 1");
  await Promise.all([first, second]);
  slot.end();
});

test("long rollups of a workspace run one after another, also within a long list, and stop waiting when the client leaves", async () => {
  const order: string[] = [];
  const controller = new AbortController();
  const run = (name: string, signal?: AbortSignal) =>
    runRelatedReads({ workspaceId: `${ID_PREFIX} rollups`, slot: UNLIMITED_SLOT, signal }, async () => {
      order.push(`${name} begins`);
      await awaitEventLoopTurn(`${ID_PREFIX} rollups`);
      order.push(`${name} ends`);
    });
  const runs = Promise.allSettled([run("one"), run("gone", controller.signal), run("two")]);
  controller.abort(new Error("disconnected"));
  const scope = { workspaceId: `${ID_PREFIX} rollups`, slot: UNLIMITED_SLOT, signal: undefined };
  for await (const part of iterateInTurns(scope, [3, 4], () => MAX_PRESENTED_BYTES_PER_TURN)) {
    await run(`list ${part.join()}`);
  }
  expect((await runs).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(order).toEqual(
    ["one", "two", "list 3", "list 4"].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test("long work that fails gives its turn to the next one", async () => {
  const scope = { workspaceId: `${ID_PREFIX} failing`, slot: UNLIMITED_SLOT, signal: undefined };
  const fail = () => Promise.reject(new Error("failed"));
  await expect(runRelatedReads(scope, fail)).rejects.toThrow("failed");
  expect(await runRelatedReads(scope, async () => "read")).toBe("read");
});

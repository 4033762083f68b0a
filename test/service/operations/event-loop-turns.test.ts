import { expect, onTestFinished, test } from "vitest";
import { LONG_LIST_QUEUE, MAX_PRESENTED_BYTES_PER_TURN } from "../../../src/budgets.js";
import { FairQueue, FREE_SLOT, QueueSlot, type Slot } from "../../../src/fair-queue.js";
import { awaitEventLoopTurn, iterateInTurns } from "../../../src/operations/event-loop-turns.js";
import { countTurns } from "../../support/turns.js";

test("callers continue in separate turns of the event loop, and workspaces alternate", async () => {
  const turns = countTurns();
  onTestFinished(turns.end);
  const continued: { workspaceId: string; turn: number }[] = [];
  const work = async (workspaceId: string): Promise<void> => {
    await awaitEventLoopTurn(workspaceId);
    continued.push({ workspaceId, turn: turns.current });
  };
  await Promise.all(["busy", "busy", "busy", "other"].map(work));
  expect(continued.map(({ workspaceId }) => workspaceId)).toEqual(["busy", "other", "busy", "busy"]);
  const first = continued[0]?.turn ?? 0;
  expect(continued.map(({ turn }) => turn - first)).toEqual([0, 3, 6, 9]);
  await work("later");
  expect(continued.at(-1)?.workspaceId).toBe("later");
});

/** Presents a list of two parts, and returns when it has ended. */
async function presentList(
  order: string[],
  name: string,
  {
    workspaceId = name,
    slot = FREE_SLOT,
    signal,
  }: { workspaceId?: string; slot?: Slot; signal?: AbortSignal } = {},
): Promise<void> {
  const getBytes = (): number => MAX_PRESENTED_BYTES_PER_TURN;
  for await (const part of iterateInTurns({ workspaceId, slot, signal }, [1, 2], getBytes))
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
  while (order.length === 0) await awaitEventLoopTurn("a");
  controller.abort(new Error("disconnected"));
  const ends = await Promise.allSettled(lists);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await next;
  expect(order).toEqual(["begun 1", "next 1", "next 2"]);
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

import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { RENDER_QUEUE } from "../../src/budgets.js";
import { createRenderQueue } from "../../src/service/render-queue.js";
import { countTurns } from "../support/turns.js";

const REQUEST = new IncomingMessage(new Socket());

/** Creates the queue; `start` waits for the slot of a page. */
function createQueue(requireMemory = () => {}) {
  const waitForSlot = createRenderQueue(requireMemory);
  return {
    start: (workspaceId: string, response = new ServerResponse(REQUEST)) =>
      waitForSlot(REQUEST, response, workspaceId),
  };
}

/** Starts as many pages as are rendered at once, each of a workspace of its own. */
function startAll({ start }: ReturnType<typeof createQueue>) {
  return Promise.all(Array.from({ length: RENDER_QUEUE.slots }, (_, index) => start(`w${index}`)));
}

test("one web page of a workspace is rendered at a time, and other workspaces do not wait for it", async () => {
  const queue = createQueue();
  const order: string[] = [];
  const start = async (workspaceId: string) => {
    const { slot } = await queue.start(workspaceId);
    order.push(workspaceId);
    return slot;
  };
  const first = await start("busy");
  const second = start("busy");
  const other = await start("other");
  expect(order).toEqual(["busy", "other"]);
  first.end();
  (await second).end();
  other.end();
  expect(order).toEqual(["busy", "other", "busy"]);
});

test("pages of several workspaces begin in separate turns of the event loop", async () => {
  const turns = countTurns();
  onTestFinished(turns.end);
  const queue = createQueue();
  const begun = ["a", "b", "c"].map(async (workspaceId) => {
    const { slot } = await queue.start(workspaceId);
    slot.end();
    return turns.current;
  });
  expect(new Set(await Promise.all(begun)).size).toBe(3);
});

test("only a few pages are rendered at once", async () => {
  const queue = createQueue();
  const [first] = await startAll(queue);
  let isRendering = false;
  const next = queue.start("next").then((turn) => {
    isRendering = true;
    return turn;
  });
  await sleep(10);
  expect(isRendering).toBe(false);
  first?.slot.end();
  (await next).slot.end();
});

test("pages that wait for scans do not keep others from being rendered", async () => {
  const queue = createQueue();
  const turns = await startAll(queue);
  const results: string[] = [];
  let endScans = (): void => {};
  const scan = new Promise<void>((resolve) => (endScans = resolve));
  const scanning = turns.map(async ({ slot }) => {
    await slot.releaseDuring(() => scan);
    results.push("scanned");
    slot.end();
  });
  const other = await queue.start("other");
  results.push("other");
  endScans();
  await Promise.all(scanning.slice(1));
  other.slot.end();
  await Promise.all(scanning);
  expect(results).toEqual(["other", ...turns.map(() => "scanned")]);
});

test("a page that failed during one of its scans does not keep its slot", async () => {
  const queue = createQueue();
  const { slot } = await queue.start("a");
  let endScan = (): void => {};
  const scanning = slot.releaseDuring(() => new Promise<void>((resolve) => (endScan = resolve)));
  slot.end();
  endScan();
  await scanning;
  (await queue.start("a")).slot.end();
});

test("a page whose browser leaves stops waiting, and its signal is aborted", async () => {
  const queue = createQueue();
  const responses = [0, 1].map(() => new ServerResponse(REQUEST));
  const [first, second] = responses.map((response) => queue.start("a", response));
  const turn = await first;
  for (const response of responses) response.destroy();
  for (const response of responses) response.emit("close");
  expect(turn?.signal.aborted).toBe(true);
  await expect(second).rejects.toThrow("The client closed the connection.");
  await expect(queue.start("b", responses[0])).rejects.toThrow("The client closed the connection.");
});

test("a page that is refused because its client reads no responses does not block the next one", async () => {
  let isRefusing = true;
  const queue = createQueue(() => {
    if (isRefusing) throw new Error("refused");
  });
  await expect(queue.start("a")).rejects.toThrow("refused");
  isRefusing = false;
  (await queue.start("a")).slot.end();
});

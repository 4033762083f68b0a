import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_CONCURRENT_RENDERS } from "../../src/budgets.js";
import { createRenderTurns } from "../../src/service/render-turns.js";

const REQUEST = new IncomingMessage(new Socket());

test("one web page of a workspace is rendered at a time, and other workspaces do not wait for it", async () => {
  const awaitTurn = createRenderTurns(() => {});
  const order: string[] = [];
  const start = async (workspaceId: string) => {
    const endTurn = await awaitTurn(REQUEST, workspaceId);
    order.push(workspaceId);
    return endTurn;
  };
  const endFirst = await start("busy");
  const second = start("busy");
  const endOther = await start("other");
  expect(order).toEqual(["busy", "other"]);
  endFirst();
  (await second)();
  endOther();
  expect(order).toEqual(["busy", "other", "busy"]);
});

test("only a few pages are rendered at once", async () => {
  const awaitTurn = createRenderTurns(() => {});
  const turns = Array.from({ length: MAX_CONCURRENT_RENDERS }, (_, index) => awaitTurn(REQUEST, `w${index}`));
  const [endFirst] = await Promise.all(turns);
  let isRendering = false;
  const next = awaitTurn(REQUEST, "next").then((endTurn) => {
    isRendering = true;
    return endTurn;
  });
  await sleep(10);
  expect(isRendering).toBe(false);
  endFirst?.();
  (await next)();
});

test("a page that is refused because its client reads no responses does not block the next one", async () => {
  let isRefusing = true;
  const awaitTurn = createRenderTurns(() => {
    if (isRefusing) throw new Error("refused");
  });
  await expect(awaitTurn(REQUEST, "a")).rejects.toThrow("refused");
  isRefusing = false;
  (await awaitTurn(REQUEST, "a"))();
});

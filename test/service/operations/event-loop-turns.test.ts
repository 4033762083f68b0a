import { expect, onTestFinished, test } from "vitest";
import { awaitEventLoopTurn, takeTurns } from "../../../src/operations/event-loop-turns.js";
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

test("work that has begun continues before its workspace begins other work, and workspaces alternate", async () => {
  const order: string[] = [];
  const work = async (workspaceId: string, name: string): Promise<void> => {
    for await (const part of takeTurns(workspaceId, [1, 2])) order.push(`${name} ${part}`);
  };
  await Promise.all([work("busy", "first"), work("busy", "second"), work("other", "other")]);
  expect(order).toEqual(["first 1", "other 1", "first 2", "other 2", "second 1", "second 2"]);
});

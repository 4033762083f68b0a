import { expect, onTestFinished, test } from "vitest";
import { awaitEventLoopTurn } from "../../../src/operations/event-loop-turns.js";
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

import { expect, test } from "vitest";
import { createReachabilityTest } from "../../scripts/walk-graph.js";

test("whether a goal is reachable is remembered for each node that was reached", () => {
  interface Node {
    readonly next: readonly Node[];
  }
  const goal: Node = { next: [] };
  const other: Node = { next: [] };
  const between: Node = { next: [goal] };
  const root: Node = { next: [between, other] };
  const reachesGoal = createReachabilityTest<Node>(
    ({ next }) => next,
    (node) => node === goal,
  );
  expect([root, between, goal, other].map(reachesGoal)).toEqual([true, true, true, false]);
});

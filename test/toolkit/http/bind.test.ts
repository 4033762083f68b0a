import { expect, test } from "vitest";
import type { HttpOperation } from "../../../src/http/index.js";
import { serve } from "./server.js";

type Condition = NonNullable<HttpOperation["conditions"]>[number];

const VIEW: Condition = { in: "query", name: "view", value: "full" };
const LINES: Condition = { in: "query", name: "lines" };
const TARGET: Condition = { in: "header", name: "X-Target", value: "count" };

test.each<[string, Condition[], boolean]>([
  ["view=full", [VIEW], true],
  ["view=short&view=full", [VIEW], true],
  ["view=short", [VIEW], false],
  ["", [VIEW], false],
  ["lines=", [LINES], true],
  ["view=full", [LINES], false],
  ["view=full", [VIEW, LINES], false],
  ["", [TARGET], true],
  ["", [{ ...TARGET, value: "clear" }], false],
])("a request with the query %j meets the conditions %j: %s", async (query, conditions, isMet) => {
  const url = await serve({ operation: { conditions } });
  const { status } = await fetch(`${url}/things?${query}`, { headers: { "X-Target": "count" } });
  expect(status).toBe(isMet ? 200 : 599);
});

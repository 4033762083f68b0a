import { expect, test } from "vitest";
import { RoundRobinQueue } from "../../../src/queues/round-robin.js";

function fill(names: string): RoundRobinQueue<{ tenantId: string; name: string }> {
  const queue = new RoundRobinQueue<{ tenantId: string; name: string }>();
  for (const name of names.split(" ")) queue.push({ tenantId: name.slice(0, 1), name });
  return queue;
}

function names(items: { name: string }[]): string {
  return items.map(({ name }) => name).join(" ");
}

test("tenants take turns, and items of one tenant stay in order", () => {
  const queue = fill("a1 a2 a3 b1 c1 c2");
  expect(names(queue.take(4))).toBe("a1 b1 c1 a2");
  expect(queue.size).toBe(2);
  queue.push({ tenantId: "b", name: "b2" });
  expect(names(queue.take(9))).toBe("c2 a3 b2");
  expect(queue.size).toBe(0);
  expect(queue.take(1)).toEqual([]);
});

test("reports whether other tenants wait", () => {
  const queue = fill("a1 b1");
  expect(queue.hasOtherTenants("a")).toBe(true);
  queue.take(1);
  expect(queue.hasOtherTenants("a")).toBe(true);
  expect(queue.hasOtherTenants("b")).toBe(false);
});

test("items that are put back are the first of their tenant", () => {
  const queue = fill("a1 a2 a3");
  const taken = queue.take(2);
  queue.push({ tenantId: "b", name: "b1" });
  queue.putBack(taken);
  expect(queue.size).toBe(4);
  expect(names(queue.take(9))).toBe("a1 b1 a2 a3");
});

test("tenants whose items are put back have their turn before new tenants", () => {
  const queue = fill("a1 b1 c1");
  const [, ...rest] = queue.take(3);
  queue.push({ tenantId: "a", name: "a2" });
  queue.push({ tenantId: "d", name: "d1" });
  queue.putBack(rest);
  expect(queue.size).toBe(4);
  expect(names(queue.take(9))).toBe("b1 c1 a2 d1");
});

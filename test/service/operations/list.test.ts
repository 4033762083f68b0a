import { expect, test } from "vitest";
import { MAX_READ_BYTES, MAX_RESPONSE_BYTES } from "../../../src/budgets.js";
import { UNLIMITED_SLOT } from "../../../src/queues/queue-slot.js";
import { estimateSize } from "../../../src/operations/execution/response-size.js";
import { createListPart } from "../../../src/operations/load/list-parts.js";
import { presentList } from "../../../src/operations/present/list.js";

const elements = ["a", "b", "c", "d"].map((id) => ({ id }));
/** Two of these fit into a response. */
const text = "x".repeat(0.4 * MAX_RESPONSE_BYTES);

test.for<[string, string[], string[], string | null]>([
  ["all bodies that fit", ["a", "b"], ["a", "b"], "after c"],
  ["no more than fit, and continues after them", ["a", "b", "c"], ["a", "b"], "after b"],
  ["what is left of deleted elements, and continues after it", ["b", "c"], ["b", "c"], "after c"],
])("a list returns %s", async ([, bodies, shown, nextCursor]) => {
  const result = await present(3, async () => bodies.map((id) => ({ id, text })));
  expect([result.results.map(({ id }) => id), result.nextCursor]).toEqual([shown, nextCursor]);
});

test("a list returns bodies that fill a response exactly", async () => {
  const half = "x".repeat(MAX_RESPONSE_BYTES / 2 - estimateSize({ id: "a", text: "" }));
  const { results, nextCursor } = await present(3, async () => [
    { id: "a", text: half },
    { id: "b", text: half },
  ]);
  expect([results.map(({ id }) => id), nextCursor]).toEqual([["a", "b"], "after c"]);
});

test("a list returns one body that is larger than a response", async () => {
  const large = { id: "a", text: "x".repeat(2 * MAX_RESPONSE_BYTES) };
  const { results, nextCursor } = await present(2, async () => [large, { id: "b", text }]);
  expect([results.map(({ id }) => id), nextCursor]).toEqual([["a"], "after a"]);
});

test("a list whose end fits into a response has no next part", async () => {
  const result = await present(4, async (batch) => [...batch]);
  expect(result).toEqual({ results: elements, nextCursor: null });
});

test("a list continues after the last element that can be read, even if it was deleted", async () => {
  const result = await present(4, async () => [], 0.4 * MAX_READ_BYTES);
  expect(result).toEqual({ results: [], nextCursor: "after b" });
});

test("a list measures each element once, because that takes as long as presenting it", async () => {
  let reads = 0;
  const createBody = ({ id }: { readonly id: string }) => ({
    id,
    get text() {
      reads += 1;
      return "text";
    },
  });
  await present(4, async (batch) => batch.map(createBody), 0.2 * MAX_READ_BYTES);
  expect(reads).toBe(elements.length);
});

/** Presents a part of the elements. Each takes `readBytes` to read. */
function present<Body extends { readonly id: string }>(
  size: number,
  presentBatch: Parameters<typeof presentList<(typeof elements)[number], Body>>[3],
  readBytes = 0,
) {
  const part = createListPart(elements, size, ({ id }) => `after ${id}`);
  return presentList(
    { workspaceId: "a", slot: UNLIMITED_SLOT, signal: undefined },
    part,
    () => readBytes,
    presentBatch,
  );
}

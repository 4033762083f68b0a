import { MAX_RESPONSE_BYTES } from "../../budgets.js";
import { takeTurns } from "../event-loop-turns.js";
import { estimateSize, splitIntoTurns } from "../response-size.js";
import type { ReadScope } from "../scope.js";

/**
 * Converts the elements of a list to response bodies in their order, until they exceed the size of a response. Each batch of
 * MAX_PRESENTED_BYTES_PER_TURN is converted in a turn of the event loop.
 *
 * @param getBytes returns the bytes of stored values that are read for an element
 * @param present converts a batch
 */
export async function presentInBatches<Element, Body extends object>(
  scope: ReadScope,
  elements: readonly Element[],
  getBytes: (element: Element) => number,
  present: (batch: readonly Element[]) => Promise<Body[]>,
): Promise<Body[]> {
  const batches = splitIntoTurns(elements, getBytes);
  const bodies: Body[] = [];
  let bytes = 0;
  for await (const batch of takeTurns(scope, batches)) {
    for (const body of await present(batch)) {
      bodies.push(body);
      if (batches.length > 1) bytes += estimateSize(body);
    }
    // The last body exceeds the limit. createListResult leaves it out, and continues the list with it.
    if (bodies.length > 1 && bytes > MAX_RESPONSE_BYTES) break;
  }
  return bodies;
}

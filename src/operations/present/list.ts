import { MAX_PRESENTED_BYTES_PER_TURN, MAX_READ_BYTES, MAX_RESPONSE_BYTES } from "../../budgets.js";
import { splitByBytes, takeWithinBytes } from "../../storage/content-size.js";
import { iterateInTurns } from "../event-loop-turns.js";
import { createListResult, type ListPart, type ListResult } from "../list-parts.js";
import { estimateSize } from "../response-size.js";
import type { ReadScope } from "../scope.js";

/**
 * Converts a part of a list to its result: as many elements, at least one, as can be read within MAX_READ_BYTES and fit into a
 * response. Each batch of MAX_PRESENTED_BYTES_PER_TURN is converted in a turn of the event loop.
 *
 * @param getReadBytes returns the bytes of stored values that are read for an element
 * @param presentBatch converts elements to response bodies in their order; leaves out elements that were deleted in the meantime
 */
export async function presentList<
  Element extends { readonly id: string },
  Body extends { readonly id: string },
>(
  scope: ReadScope,
  part: ListPart<Element>,
  getReadBytes: (element: Element) => number,
  presentBatch: (batch: readonly Element[]) => Promise<Body[]>,
): Promise<ListResult<Body>> {
  const readable = takeWithinBytes(part.elements, MAX_READ_BYTES, getReadBytes);
  const batches = splitByBytes(readable, MAX_PRESENTED_BYTES_PER_TURN, getReadBytes);
  const bodies: Body[] = [];
  let bytes = 0;
  for await (const batch of iterateInTurns(scope, batches)) {
    for (const body of await presentBatch(batch)) {
      bodies.push(body);
      if (batches.length > 1) bytes += estimateSize(body);
    }
    // The last body exceeds the limit. createListResult leaves it out, and continues the list with it.
    if (bodies.length > 1 && bytes > MAX_RESPONSE_BYTES) break;
  }
  return createListResult(part.take(readable.length), bodies);
}

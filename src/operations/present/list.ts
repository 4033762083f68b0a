import { MAX_READ_BYTES, MAX_RESPONSE_BYTES } from "../../budgets.js";
import { EncodedJson, joinEncodedJson } from "../../http/responses/encoded-json.js";
import { takeWithinLimit } from "../../lists.js";
import { iterateInTurns, type TurnScope } from "../execution/event-loop-turns.js";
import type { ListPart, ListResult } from "../load/list-parts.js";
import { estimateSize } from "../execution/response-size.js";

/** A response body, encoded in the turn of the event loop in which it was created. */
export class EncodedBody<Body extends { readonly id: string }> extends EncodedJson<Body> {
  readonly id: string;

  constructor(body: Body) {
    super(JSON.stringify(body));
    this.id = body.id;
  }
}

/** List whose results are one JSON text. */
export type EncodedList<Body> = ListResult<Body, EncodedJson<readonly Body[]>>;

/** Joins encoded results to one JSON text. */
export function joinResults<Body>({ results, nextCursor }: ListResult<EncodedJson<Body>>): EncodedList<Body> {
  return { results: joinEncodedJson(results), nextCursor };
}

/**
 * Converts a part of a list to its result: as many elements, at least one, as can be read within MAX_READ_BYTES and fit into a
 * response. Each batch is converted in a turn of the event loop, see iterateInTurns.
 *
 * @param getReadBytes returns the bytes of stored values that are read for an element
 * @param getTurnBytes returns the bytes by which elements are divided into batches, if they are not those that are read
 * @param presentBatch converts elements to response bodies in their order; leaves out elements that were deleted in the meantime
 */
export async function presentList<
  Element extends { readonly id: string },
  Body extends { readonly id: string },
>(
  scope: TurnScope,
  { elements, nextCursor, encodeCursorAfter }: ListPart<Element>,
  getReadBytes: (element: Element) => number,
  presentBatch: (batch: readonly Element[]) => Promise<Body[]>,
  getTurnBytes = getReadBytes,
): Promise<ListResult<Body>> {
  const readable = takeWithinLimit(elements, MAX_READ_BYTES, getReadBytes);
  const results: Body[] = [];
  let bytes = 0;
  for await (const batch of iterateInTurns(scope, readable, getTurnBytes)) {
    for (const body of await presentBatch(batch)) {
      bytes += estimateSize(body);
      if (results.length > 0 && bytes > MAX_RESPONSE_BYTES) {
        const lastId = results.at(-1)?.id;
        return createResult(readable.find(({ id }) => id === lastId));
      }
      results.push(body);
    }
  }
  return createResult(readable.length < elements.length ? readable.at(-1) : undefined);

  /** @param last the element to continue after if the result does not have all elements */
  function createResult(last: Element | undefined): ListResult<Body> {
    return { results, nextCursor: last === undefined ? nextCursor : encodeCursorAfter(last) };
  }
}

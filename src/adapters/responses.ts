import type { EncodedJson } from "../http/index.js";
import type { ListResult } from "../operations/load/list-parts.js";

/** Creates a response with the status 200. */
export function createResponse<Body>(body: Body) {
  return { status: 200 as const, body };
}

/** Creates the response with a list. As in Notion's API, `typeFields` are `type` and an object under the name of the type. */
export function createListResponse<Element, const TypeFields extends { readonly type: string }>(
  requestId: string,
  { results, nextCursor }: ListResult<Element, readonly Element[] | EncodedJson<readonly Element[]>>,
  typeFields: TypeFields,
) {
  return createResponse({
    object: "list" as const,
    // Safe cast: the generated type of a list is a mutable array of objects. Nothing changes a response, and encoded JSON is sent
    // like the value that it was made from.
    results: results as Element[],
    next_cursor: nextCursor,
    has_more: nextCursor !== null,
    request_id: requestId,
    ...typeFields,
  });
}

import type { CallOptions } from "../../generated/client.js";

/** What an operation that answers in pages has in the place where it is asked for the next one. */
interface CursorHolder {
  start_cursor?: string | null | undefined;
}

/** A request that can ask for the next page: in its body, or in its query where it has none. */
type PagedRequest = { body: CursorHolder } | { body?: never; query?: CursorHolder | undefined };

/** One page. */
interface Page {
  results: readonly unknown[];
  next_cursor: string | null;
}

/** An operation of the client, whose successes have a body. */
type Operation<Request> = (request: Request, options?: CallOptions) => Promise<{ body: unknown }>;

/** What the pages hold; for an operation that may answer with one thing in place of pages, that thing too. */
type Item<Body> = Body extends Page ? Body["results"][number] : Body;

/** Names of what stands where the cursor goes. */
type MembersAtCursor<Request> = Request extends { body: infer Body }
  ? keyof Body
  : Request extends { query?: infer Query }
    ? keyof NonNullable<Query>
    : never;

/** The operation itself when it takes a cursor and some of its answers are pages; else never. */
type Paged<Call extends Operation<never>> =
  "start_cursor" extends MembersAtCursor<Parameters<Call>[0]>
    ? Extract<BodyOf<Call>, Page> extends never
      ? never
      : Call
    : never;

type BodyOf<Call extends Operation<never>> = Awaited<ReturnType<Call>>["body"];

/**
 * Everything that an operation gives in pages, one after the other. The next page is asked for when the one before is
 * used up, so a loop that is left early asks for no more.
 *
 * @param call the client's method, e.g. `client.queryDatabase`; the compiler takes those that answer in pages
 * @param request as for the method itself; a `start_cursor` in it says where to begin
 * @throws whatever the method throws
 */
export async function* paginate<Call extends Operation<never>>(
  call: Paged<Call>,
  request: Parameters<Call>[0] & PagedRequest,
  options?: CallOptions,
): AsyncGenerator<Item<BodyOf<Call>>, void, undefined> {
  // The casts: what the signature asks of the caller cannot be followed through the type parameter.
  const send = call as unknown as Operation<PagedRequest>;
  let next: PagedRequest = request;
  for (;;) {
    const { body } = await send(next, options);
    if (!isPage(body)) {
      yield body as Item<BodyOf<Call>>;
      return;
    }
    yield* body.results as Item<BodyOf<Call>>[];
    if (body.next_cursor === null) return;
    next = withCursor(request, body.next_cursor);
  }
}

function isPage(body: unknown): body is Page {
  return typeof body === "object" && body !== null && "results" in body && "next_cursor" in body;
}

function withCursor(request: PagedRequest, start_cursor: string): PagedRequest {
  return request.body === undefined
    ? { ...request, query: { ...request.query, start_cursor } }
    : { ...request, body: { ...request.body, start_cursor } };
}

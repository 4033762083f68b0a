import type { CallOptions, Connection } from "../../generated/client.js";

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
type MembersAtCursor<Request> = "body" extends keyof Request
  ? keyof NonNullable<Request["body"]>
  : Request extends { query?: infer Query }
    ? keyof NonNullable<Query>
    : never;

/** A request with its body, which may be left out elsewhere: it says that the cursor goes there. */
type WithBody<Request> = "body" extends keyof Request
  ? Request & { body: NonNullable<Request["body"]> }
  : Request & PagedRequest;

/** The operation itself when it takes a cursor and some of its answers are pages; else never. */
type Paged<Call extends Operation<never>> =
  "start_cursor" extends MembersAtCursor<NonNullable<Parameters<Call>[0]>>
    ? Extract<BodyOf<Call>, Page> extends never
      ? never
      : Call
    : never;

type BodyOf<Call extends Operation<never>> = Awaited<ReturnType<Call>>["body"];

/** A function that takes a connection first, without it. */
type OnConnection<Call> = Call extends (connection: Connection, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** The function itself when what it is on a connection answers in pages; else never. */
type PagedFunction<Call extends FunctionOf<never>> = Paged<OnConnection<Call>> extends never ? never : Call;

/** An operation that is imported by itself. */
type FunctionOf<Request> = (
  connection: Connection,
  request: Request,
  options?: CallOptions,
) => Promise<{ body: unknown }>;

/**
 * Everything that an operation gives in pages, one after the other. The next page is asked for when the one before is
 * used up, so a loop that is left early asks for no more.
 *
 * @param call the client's method, e.g. `client.queryDatabase`; the compiler takes those that answer in pages. Or a
 *   connection and an operation that is imported by itself
 * @param request as for the method itself; a `start_cursor` in it says where to begin
 * @throws whatever the method throws, and the reason of the signal when that is aborted
 */
export function paginate<Call extends Operation<never>>(
  call: Paged<Call>,
  request: WithBody<NonNullable<Parameters<Call>[0]>>,
  options?: CallOptions,
): AsyncGenerator<Item<BodyOf<Call>>, void, undefined>;
export function paginate<Call extends FunctionOf<never>>(
  connection: Connection,
  call: PagedFunction<Call>,
  request: WithBody<NonNullable<Parameters<Call>[1]>>,
  options?: CallOptions,
): AsyncGenerator<Item<Awaited<ReturnType<Call>>["body"]>, void, undefined>;
export async function* paginate(...given: unknown[]): AsyncGenerator<unknown, void, undefined> {
  // The casts: these are the arguments that the signatures ask for.
  const on = given.splice(0, typeof given[0] === "function" ? 0 : 1);
  const [call, request, options] = given as [Operation<unknown>, PagedRequest, CallOptions?];
  let cursor: string | undefined;
  for (let next = request; ;) {
    const { body } = await (call as (...all: unknown[]) => ReturnType<typeof call>)(...on, next, options);
    if (!isPage(body)) {
      yield body;
      return;
    }
    for (const item of body.results) {
      options?.signal?.throwIfAborted();
      yield item;
    }
    if (body.next_cursor === null) return;
    // Without the types, a body that is left out hides that the cursor belongs there: the list would begin anew forever.
    if (body.next_cursor === cursor) throw new Error("no body");
    cursor = body.next_cursor;
    next = withCursor(request, body.next_cursor);
  }
}

function isPage(body: unknown): body is Page {
  return Object(body).next_cursor !== undefined;
}

function withCursor(request: PagedRequest, start_cursor: string): PagedRequest {
  return request.body
    ? { ...request, body: { ...request.body, start_cursor } }
    : { ...request, query: { ...request.query, start_cursor } };
}

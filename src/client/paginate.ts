import type { CallOptions, Connection } from "../../generated/client.js";

/** The part of a paginated request that contains the cursor. */
interface CursorHolder {
  start_cursor?: string | null | undefined;
}

/** A request with the cursor in its body, or in its query if it has no body. */
type PagedRequest = { body: CursorHolder } | { body?: never; query?: CursorHolder | undefined };

interface Page {
  results: readonly unknown[];
  next_cursor: string | null;
}

type Operation<Request> = (request: Request, options?: CallOptions) => Promise<{ body: unknown }>;

/** The type of the results. An operation that can return a single object instead of a page yields that object. */
type Item<Body> = Body extends Page ? Body["results"][number] : Body;

/** Names of the fields next to the cursor: those of the body, or of the query without a body. */
type CursorSiblings<Request> = "body" extends keyof Request
  ? keyof NonNullable<Request["body"]>
  : Request extends { query?: infer Query }
    ? keyof NonNullable<Query>
    : never;

/** A request with a required body, so that it is known at run time where the cursor belongs. */
type WithBody<Request> = "body" extends keyof Request
  ? Request & { body: NonNullable<Request["body"]> }
  : Request & PagedRequest;

/** The method itself if it accepts a cursor and can return pages; otherwise the text of the compiler's message. */
type Paged<Call extends Operation<never>> =
  "start_cursor" extends CursorSiblings<NonNullable<Parameters<Call>[0]>>
    ? Extract<BodyOf<Call>, Page> extends never
      ? "paginate: the responses of this operation have no results and next_cursor"
      : Call
    : "paginate: this operation takes no start_cursor";

type BodyOf<Call extends Operation<never>> = Awaited<ReturnType<Call>>["body"];

/** A standalone operation without its first parameter, the connection. */
type WithoutConnection<Call> = Call extends (connection: Connection, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** A standalone operation if it is paginated; otherwise the text of the compiler's message. */
type PagedFunction<Call extends StandaloneOperation<never>> =
  Paged<WithoutConnection<Call>> extends infer Problem extends string ? Problem : Call;

type StandaloneOperation<Request> = (
  connection: Connection,
  request: Request,
  options?: CallOptions,
) => Promise<{ body: unknown }>;

/**
 * Iterates over all results of a paginated operation. Pages are requested lazily: a loop that ends early requests no
 * further page.
 *
 * @param call a paginated method of the client, e.g. `client.queryDatabase`; or a connection and a standalone operation
 * @param request the request of the first page; its `start_cursor` is where the iteration starts
 * @throws the errors of the method, and the reason of the signal when it is aborted
 */
export function paginate<Call extends Operation<never>>(
  call: Paged<Call>,
  request: WithBody<NonNullable<Parameters<Call>[0]>>,
  options?: CallOptions,
): AsyncGenerator<Item<BodyOf<Call>>, void, undefined>;
export function paginate<Call extends StandaloneOperation<never>>(
  connection: Connection,
  call: PagedFunction<Call>,
  request: WithBody<NonNullable<Parameters<Call>[1]>>,
  options?: CallOptions,
): AsyncGenerator<Item<Awaited<ReturnType<Call>>["body"]>, void, undefined>;
export async function* paginate(...args: unknown[]): AsyncGenerator<unknown, void, undefined> {
  // The casts: the overloads allow only these arguments.
  const connection = args.splice(0, typeof args[0] === "function" ? 0 : 1);
  const [call, request, options] = args as [Operation<unknown>, PagedRequest, CallOptions?];
  let cursor: string | undefined;
  for (;;) {
    const { body } = await (call as (...parameters: unknown[]) => ReturnType<typeof call>)(
      ...connection,
      cursor ? withCursor(request, cursor) : request,
      options,
    );
    if (!isPage(body)) {
      yield body;
      return;
    }
    // An untyped caller may omit the body that the cursor belongs to. The first page would then repeat forever.
    if (body.next_cursor === cursor) throw new Error("no body");
    for (const item of body.results) {
      options?.signal?.throwIfAborted();
      yield item;
    }
    if (body.next_cursor === null) return;
    cursor = body.next_cursor;
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

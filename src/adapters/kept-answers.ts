import type { HttpOperation, HttpRequest, Reply } from "../http/index.js";
import type { Store } from "../storage/store.js";
import type { Context } from "./context.js";

/** Bounds the memory for answers: this many objects may be in them, those in lists counted one by one. */
const MAX_OBJECTS = 1000;

type Handler = (request: never, context: Context) => Promise<Reply>;

interface KeptAnswer {
  readonly state: number;
  readonly reply: Reply;
  readonly objects: number;
}

/**
 * Makes what gives the answers of GET operations again as long as nothing of the workspace has changed. The body of an
 * answer is frozen, so that its JSON is kept as well.
 *
 * @returns Wraps the handler of an operation; those of other methods stay as they are.
 */
export function createKeptAnswers(store: Store): (operation: HttpOperation, handler: Handler) => Handler {
  const kept = new Map<string, KeptAnswer>();
  let objects = 0;

  function drop(key: string): void {
    objects -= kept.get(key)?.objects ?? 0;
    kept.delete(key);
  }

  function keep(key: string, state: number, reply: Reply): void {
    drop(key);
    const size = freeze(reply.body);
    if (size > MAX_OBJECTS / 4) return;
    for (const oldest of kept.keys()) {
      if (objects + size <= MAX_OBJECTS) break;
      drop(oldest);
    }
    objects += size;
    kept.set(key, { state, reply, objects: size });
  }

  return (operation, handler) => {
    if (operation.method !== "GET") return handler;
    return async (request: HttpRequest, context: Context) => {
      const { principal, requestId } = context;
      // Before anything is read: what changes meanwhile makes it another state.
      const state = store.stateOf(principal.workspaceId);
      // The cast: the request is of the type that the handler takes, whichever that is.
      if (state === undefined) return handler(request as never, context);
      // By key, as one of the users is the key itself.
      const key = `${principal.keyId} ${operation.id} ${JSON.stringify(request)}`;
      const known = kept.get(key);
      if (known?.state === state) return forRequest(known.reply, requestId);
      const reply = await handler(request as never, context);
      if (reply.status === 200) keep(key, state, reply);
      return reply;
    };
  };
}

/** Whether a body is a list, which names the request that it answers. */
function isList(body: unknown): body is { results: object[]; request_id: string } {
  return typeof body === "object" && body !== null && "results" in body && "request_id" in body;
}

function forRequest(reply: Reply, requestId: string): Reply {
  const { body } = reply;
  return isList(body) ? { ...reply, body: { ...body, request_id: requestId } } : reply;
}

/** Freezes what stays the same of a body, and gives the number of objects in it. */
function freeze(body: unknown): number {
  if (!isList(body)) {
    Object.freeze(body);
    return 1;
  }
  Object.freeze(body.results);
  return 1 + body.results.length;
}

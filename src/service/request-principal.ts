import type { IncomingMessage } from "node:http";
import type { Principal } from "../access/authenticate.js";

const principals = new WeakMap<IncomingMessage, Principal>();

/** Records the principal of a request, so that its log line can name it whatever the response is. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  principals.set(request, principal);
}

/** Returns the principal of a request; undefined without a valid key. */
export function principalOf(request: IncomingMessage): Principal | undefined {
  return principals.get(request);
}

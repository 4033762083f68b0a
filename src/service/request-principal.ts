import type { IncomingMessage } from "node:http";
import type { Principal } from "../access/authenticate.js";

const PRINCIPAL = Symbol("principal");

declare module "node:http" {
  interface IncomingMessage {
    // A property, because a WeakMap would take 1.2 of the 33 µs of a GET.
    [PRINCIPAL]?: Principal;
  }
}

/** Records the principal of a request, so that its log line can name it whatever the response is. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  request[PRINCIPAL] = principal;
}

/** Returns the principal of a request; undefined without a valid key. */
export function getPrincipal(request: IncomingMessage): Principal | undefined {
  return request[PRINCIPAL];
}

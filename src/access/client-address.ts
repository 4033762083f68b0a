import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "proxy-addr";
import { ProvisionError } from "./checks.js";

/** The address that a request comes from; undefined when its connection is gone already. */
export type ClientAddress = (request: IncomingMessage) => string | undefined;

/**
 * Makes the reader of addresses. Of proxies that are trusted, the last address of `X-Forwarded-For` counts that is not one
 * of theirs: what stands before it, the caller may have made up. Without any, nobody's header is read.
 *
 * @param trusted Addresses and networks of proxies such as `10.0.0.0/8`; `loopback`, `linklocal` and `uniquelocal` stand for
 *   the networks of that name.
 * @throws ProvisionError when one is neither.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress;
  const isTrusted = compile(trusted);
  return (request) => {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return undefined;
    const address = proxyAddr(request, isTrusted);
    // Whatever else a proxy passed on is no name to count by.
    return isIP(address) === 0 ? remoteAddress : address;
  };
}

function compile(trusted: readonly string[]): ReturnType<typeof proxyAddr.compile> {
  try {
    return proxyAddr.compile([...trusted]);
  } catch {
    throw new ProvisionError(
      "TRUSTED_PROXIES must be addresses and networks such as 10.0.0.0/8, or loopback, linklocal or uniquelocal, with " +
        `commas between them, not ${JSON.stringify(trusted.join(", "))}.`,
    );
  }
}

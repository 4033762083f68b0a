import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "proxy-addr";
import { UserError } from "./checks.js";

/** Reads the IP address of the client of a request; undefined when its connection is closed. */
export type ReadClientAddress = (request: IncomingMessage) => string | undefined;

/** Whether a request or connection comes from a trusted proxy, whose headers are trusted too. */
export type IsFromTrustedProxy = (request: Pick<IncomingMessage, "socket">) => boolean;

/**
 * Creates the check whether a request comes from a trusted proxy.
 *
 * @param trusted See createClientAddressReader.
 * @throws UserError when one is not an address or a network.
 */
export function createProxyCheck(trusted: readonly string[]): IsFromTrustedProxy {
  if (trusted.length === 0) return () => false;
  const isTrusted = compile(trusted);
  return ({ socket: { remoteAddress } }) => remoteAddress !== undefined && isTrusted(remoteAddress, 0);
}

/**
 * Creates the reader of client addresses. Behind trusted proxies it is the last address of `X-Forwarded-For` that is not
 * one of theirs, because the caller can invent the earlier ones. Without trusted proxies the header is ignored.
 *
 * @param trusted Addresses and networks of proxies such as `10.0.0.0/8`; `loopback`, `linklocal` and `uniquelocal` name
 *   their networks.
 * @throws UserError when one is not an address or a network.
 */
export function createClientAddressReader(trusted: readonly string[]): ReadClientAddress {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress;
  const isTrusted = compile(trusted);
  return (request) => {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return undefined;
    const address = proxyAddr(request, isTrusted);
    // Proxies can pass on text that is not an address.
    return isIP(address) === 0 ? remoteAddress : address;
  };
}

function compile(trusted: readonly string[]): ReturnType<typeof proxyAddr.compile> {
  try {
    return proxyAddr.compile([...trusted]);
  } catch {
    throw new UserError(
      "TRUSTED_PROXIES must be addresses and networks such as 10.0.0.0/8, or loopback, linklocal or uniquelocal, with " +
        `commas between them, not ${JSON.stringify(trusted.join(", "))}.`,
    );
  }
}

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "proxy-addr";
import { UserError } from "./errors.js";

/** Reads the IP address of the client of a request; undefined when its connection is closed. */
export type ReadClientAddress = (request: IncomingMessage) => string | undefined;

/** Whether a request or connection comes from a trusted proxy, whose headers are trusted too. */
export type IsFromTrustedProxy = (request: Pick<IncomingMessage, "socket">) => boolean;

/** Readers of headers that are trusted only from trusted proxies. */
export interface ProxyHeaders {
  readonly readClientAddress: ReadClientAddress;
  readonly isFromTrustedProxy: IsFromTrustedProxy;
}

/**
 * Creates the readers for a list of trusted proxies. The client address is the last address of `X-Forwarded-For` that is
 * not one of theirs, because the caller can invent the earlier ones. Without trusted proxies the header is ignored.
 *
 * @param trusted Addresses and networks of proxies such as `10.0.0.0/8`; `loopback`, `linklocal` and `uniquelocal` name
 *   their networks.
 * @throws UserError when one is not an address or a network.
 */
export function trustProxies(trusted: readonly string[]): ProxyHeaders {
  if (trusted.length === 0) {
    return { readClientAddress: ({ socket }) => socket.remoteAddress, isFromTrustedProxy: () => false };
  }
  const isTrusted = compileTrust(trusted);
  return {
    readClientAddress(request) {
      const { remoteAddress } = request.socket;
      if (remoteAddress === undefined) return undefined;
      const address = proxyAddr(request, isTrusted);
      // Proxies can pass on text that is not an address.
      return isIP(address) === 0 ? remoteAddress : address;
    },
    isFromTrustedProxy({ socket: { remoteAddress } }) {
      return remoteAddress !== undefined && isTrusted(remoteAddress, 0);
    },
  };
}

function compileTrust(trusted: readonly string[]): ReturnType<typeof proxyAddr.compile> {
  try {
    return proxyAddr.compile([...trusted]);
  } catch {
    throw new UserError(
      "TRUSTED_PROXIES must be addresses and networks such as 10.0.0.0/8, or loopback, linklocal or uniquelocal, with " +
        `commas between them, not ${JSON.stringify(trusted.join(", "))}.`,
    );
  }
}

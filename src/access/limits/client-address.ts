import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "proxy-addr";
import { MAX_TRUSTED_PROXIES } from "../../budgets.js";
import { UserError } from "../../errors.js";
import ipaddr from "ipaddr.js";

/** Reads the IP address of the client of a request; undefined when its connection is closed. */
export type ReadClientAddress = (request: IncomingMessage) => string | undefined;

/** Whether a request or connection comes from a trusted proxy, whose headers are trusted too. */
export type IsFromTrustedProxy = (request: Pick<IncomingMessage, "socket">) => boolean;

/** Reads headers that only trusted proxies may set. */
export interface ProxyHeaderReader {
  readonly readClientAddress: ReadClientAddress;
  readonly isFromTrustedProxy: IsFromTrustedProxy;
}

/**
 * Creates the reader for a list of trusted proxies: addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal`
 * and `uniquelocal`. The client address is the last address in `X-Forwarded-For` that does not belong to a trusted proxy.
 * Earlier addresses are ignored, because clients can invent them. Throws a UserError for an invalid list.
 */
export function createProxyHeaderReader(trusted: readonly string[]): ProxyHeaderReader {
  if (trusted.length === 0) {
    return { readClientAddress: ({ socket }) => socket.remoteAddress, isFromTrustedProxy: () => false };
  }
  const isTrusted = compileTrust(trusted);
  return {
    readClientAddress(request) {
      const { remoteAddress } = request.socket;
      if (remoteAddress === undefined) return undefined;
      const address = proxyAddr(
        request,
        (proxy, index) => index < MAX_TRUSTED_PROXIES && isTrusted(proxy, index),
      );
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

/**
 * Returns the network of a client: its address for IPv4, and for IPv6 its network with a prefix of `ipv6Bits`. Requests are counted
 * by /64, which one customer usually has. Clients of a /48 share turns, connections, memory, attempts to sign in, and new accounts,
 * because one customer can have that many addresses, and would get a turn for each of 65,536 networks of /64.
 */
export function toNetwork(address: string | undefined, ipv6Bits: 48 | 64 = 48): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) return "unknown";
  if (parsed.kind() === "ipv4") return parsed.toString();
  // Safe cast: the kind is known, but its method does not narrow the type.
  const { parts } = parsed as ipaddr.IPv6;
  const network = parts.slice(0, ipv6Bits / 16).map((part) => part.toString(16));
  return `${network.join(":")}::/${ipv6Bits}`;
}

export function isLoopback(address: string | undefined): boolean {
  return parseAddress(address)?.range() === "loopback";
}

/** Parses an address without its zone. IPv4 addresses mapped to IPv6 become IPv4. */
function parseAddress(address: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = address?.replace(/%.*$/, "") ?? "";
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

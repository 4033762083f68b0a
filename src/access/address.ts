import ipaddr from "ipaddr.js";

/**
 * Converts a client address to the key of its request counts: an IPv4 address itself, or the first 64 bits of an IPv6
 * address, because one customer usually has all addresses of such a network.
 *
 * @param address The address of the socket; undefined when the connection is closed.
 */
export function toAddressGroup(address: string | undefined): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) return "unknown";
  if (parsed.kind() === "ipv4") return parsed.toString();
  // The cast: the kind is known, but its method does not narrow the type.
  const { parts } = parsed as ipaddr.IPv6;
  const network = parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

/** Whether an address is a loopback address, which only this machine can use. */
export function isLoopback(address: string | undefined): boolean {
  return parseAddress(address)?.range() === "loopback";
}

/** Parses an address without its zone. IPv4 addresses mapped to IPv6 become IPv4. */
function parseAddress(address: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = address?.replace(/%.*$/, "") ?? "";
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

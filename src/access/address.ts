import { isIPv6 } from "node:net";

/**
 * The name under which an address is counted: an IPv4 address itself, an IPv6 address by its first 64 bits,
 * of which one customer has all the rest.
 *
 * @param address As the socket gives it; undefined when the connection is gone already.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) return "unknown";
  const withoutZone = address.replace(/%.*$/, "");
  if (!isIPv6(withoutZone)) return withoutZone;
  const mapped = /^::ffff:([\d.]+)$/i.exec(withoutZone);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = "", tail] = withoutZone.split("::");
  const groups = split(head);
  if (tail !== undefined) {
    // "::" stands for as many zero groups as are missing; an IPv4 tail counts as two groups.
    const after = split(tail).flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  const prefix = groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${prefix.join(":")}::/64`;
}

function split(part: string): string[] {
  return part === "" ? [] : part.split(":");
}

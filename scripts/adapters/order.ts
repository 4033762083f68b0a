import type { Diagnostic } from "../load/diagnostic.js";

/** By code units: the same on every machine, whatever its locale. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Orders diagnostics by file, then position, then text. */
export function compareDiagnostics(one: Diagnostic, other: Diagnostic): number {
  return (
    compareText(one.position?.file ?? "", other.position?.file ?? "") ||
    (one.position?.line ?? 0) - (other.position?.line ?? 0) ||
    (one.position?.col ?? 0) - (other.position?.col ?? 0) ||
    compareText(one.message, other.message)
  );
}

/** Groups items by a key, in the order of first appearance. (`Map.groupBy` came with Node 21.) */
export function groupBy<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

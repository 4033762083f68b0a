/** Groups items by a key, in the order of first appearance. (`Map.groupBy` requires Node 21.) */
export function groupBy<Item, Key>(items: Iterable<Item>, getKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Returns the value of a key that the map must have. */
export function getRequired<Key, Value extends {}>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The map has no value for ${String(key)}.`);
  return value;
}

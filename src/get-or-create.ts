/** A `Map`, a `WeakMap` or a cache. */
interface MapLike<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key. Creates and adds a missing one. */
export function getOrCreate<Key, Value>(
  map: MapLike<Key, Value>,
  key: Key,
  create: (key: Key) => Value,
): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create(key);
  map.set(key, created);
  return created;
}

export function indexById<T extends { readonly id: string }>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [object.id, object]));
}

/** Returns objects in the order of `ids`. Leaves out objects with other ids. */
export function sortByIds<T extends { readonly id: string }>(
  objects: readonly T[],
  ids: readonly string[],
): T[] {
  const byId = indexById(objects);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

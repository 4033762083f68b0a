export function getIds(objects: readonly { readonly id: string }[]): string[] {
  return objects.map(({ id }) => id);
}

export function indexById<T extends { readonly id: string }>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [object.id, object]));
}

/** Returns the element of a list that has exactly one. */
export function takeOnly<T>(list: readonly T[]): T {
  const [only] = list;
  if (only === undefined || list.length > 1)
    throw new Error(`a list has ${list.length} elements instead of one`);
  return only;
}

/** Returns objects in the order of `ids`. Leaves out objects with other ids. */
export function sortByIds<T extends { readonly id: string }>(
  objects: readonly T[],
  ids: readonly string[],
): T[] {
  const byId = indexById(objects);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function getIds(objects: readonly { readonly id: string }[]): string[] {
  return objects.map(({ id }) => id);
}

export function indexById<Element extends { readonly id: string }>(
  objects: readonly Element[],
): Map<string, Element> {
  return new Map(objects.map((object) => [object.id, object]));
}

/** Returns the element of a list that has exactly one. */
export function takeOnly<Element>(list: readonly Element[]): Element {
  const [only] = list;
  if (only === undefined || list.length > 1)
    throw new Error(`a list has ${list.length} elements instead of one`);
  return only;
}

/** Returns objects in the order of `ids`. Leaves out objects with other ids. */
export function sortByIds<Element extends { readonly id: string }>(
  objects: readonly Element[],
  ids: readonly string[],
): Element[] {
  const byId = indexById(objects);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Adds up a number of each element. */
export function sumBy<Element>(elements: Iterable<Element>, getNumber: (element: Element) => number): number {
  let sum = 0;
  for (const element of elements) sum += getNumber(element);
  return sum;
}

/** Splits a list into parts of at most `size` elements. */
export function chunk<Element>(list: readonly Element[], size: number): Element[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** Returns the first elements, at least `minCount`, whose sizes add up to `limit` at most. */
export function takeWithinLimit<Element>(
  elements: readonly Element[],
  limit: number,
  getSize: (element: Element) => number,
  minCount = 1,
): readonly Element[] {
  let size = 0;
  const end = elements.findIndex((element, index) => {
    size += getSize(element);
    return index >= minCount && size > limit;
  });
  return end === -1 ? elements : elements.slice(0, end);
}

/** Splits elements into parts of at most `maxBytes`; a larger element is a part by itself. */
export function splitByBytes<Element>(
  elements: readonly Element[],
  maxBytes: number,
  getBytes: (element: Element) => number,
): (readonly Element[])[] {
  const parts = [];
  for (let rest = elements; rest.length > 0;) {
    const part = takeWithinLimit(rest, maxBytes, getBytes);
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}

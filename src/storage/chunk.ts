/** Splits a list into parts of at most `size` elements. */
export function chunk<Element>(list: readonly Element[], size: number): Element[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

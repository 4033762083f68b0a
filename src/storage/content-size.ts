/** Number of rows, and the bytes of their content. */
export interface ContentSize {
  readonly count: number;
  readonly bytes: number;
}

/** Returns the first elements, at least one, whose sizes add up to `limit` at most. */
export function takeWithinLimit<Element>(
  elements: readonly Element[],
  limit: number,
  getSize: (element: Element) => number,
): readonly Element[] {
  let size = 0;
  const end = elements.findIndex((element, index) => {
    size += getSize(element);
    return index > 0 && size > limit;
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

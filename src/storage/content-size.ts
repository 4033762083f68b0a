/** Number of rows, and the bytes of their content. */
export interface ContentSize {
  readonly count: number;
  readonly bytes: number;
}

/** The id of a row and the bytes of its content, which are read first to know how many contents can be read. */
export interface SizedRow {
  readonly id: string;
  readonly bytes: number;
}

/** Returns the first rows whose contents fit into a limit together, but at least one, so that a list can be read to its end. */
export function takeRowsWithinLimit<Row extends SizedRow>(
  rows: readonly Row[],
  { count, bytes }: ContentSize,
): readonly Row[] {
  return takeWithinLimit(rows.slice(0, count), bytes, getBytes);
}

export function getBytes({ bytes }: { readonly bytes: number }): number {
  return bytes;
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

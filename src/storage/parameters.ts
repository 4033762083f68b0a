/**
 * Refuses values of query parameters that not every database keeps as they are: libsql ends the whole process when it
 * is given a boolean, and cuts a text at its first NUL, which PostgreSQL does not take at all.
 *
 * @throws TypeError
 */
export function checkParameters(values: readonly unknown[]): void {
  for (const value of values) checkParameter(value);
}

function checkParameter(value: unknown): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new TypeError("No database keeps a text with a NUL character.");
    return;
  }
  if (typeof value === "number" || typeof value === "bigint" || value === null) return;
  if (value instanceof Uint8Array) return;
  throw new TypeError(`A query parameter must not be of type ${typeof value}.`);
}

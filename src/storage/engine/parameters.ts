/**
 * Throws a TypeError for query parameters that a database rejects or silently changes: libsql ends the process when it receives a
 * boolean, truncates texts at the first NUL, and stores NaN as NULL.
 */
export function checkParameters(values: readonly unknown[]): void {
  for (const value of values) {
    if (Number.isNaN(value)) throw new TypeError("A query parameter must not be NaN.");
    if (typeof value === "string") {
      if (value.includes("\0")) throw new TypeError("A query parameter must not contain a NUL character.");
    } else if (typeof value !== "number" && typeof value !== "bigint" && value !== null) {
      if (value instanceof Uint8Array) continue;
      throw new TypeError(`A query parameter must not be of type ${typeof value}.`);
    }
  }
}

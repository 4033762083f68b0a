/**
 * Throws a TypeError for query parameters that a database rejects or silently changes: libsql ends the process when it receives a
 * boolean, truncates texts at the first NUL, and stores NaN as NULL.
 */
export function assertSupportedParameters(values: readonly unknown[]): void {
  for (const value of values) {
    if (Number.isNaN(value)) throw new TypeError("A query parameter must not be NaN.");
    if (typeof value === "string" && value.includes("\0"))
      throw new TypeError("A query parameter must not contain a NUL character.");
    const isSupported =
      typeof value === "string" ||
      typeof value === "number" ||
      typeof value === "bigint" ||
      value === null ||
      value instanceof Uint8Array;
    if (!isSupported) throw new TypeError(`A query parameter must not be of type ${typeof value}.`);
  }
}

/** Throws a TypeError for values that libsql cannot store: a boolean ends the process, NUL truncates a text, NaN becomes NULL. */
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

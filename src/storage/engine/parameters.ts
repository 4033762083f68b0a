/**
 * Checks that both databases accept the values of query parameters. libsql ends the process when it receives a boolean and
 * truncates texts at the first NUL, which PostgreSQL rejects. Throws a TypeError for a value that a database would change
 * or reject.
 */
export function checkParameters(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === "string") {
      if (value.includes("\0")) throw new TypeError("A query parameter must not contain a NUL character.");
    } else if (typeof value !== "number" && typeof value !== "bigint" && value !== null) {
      if (value instanceof Uint8Array) continue;
      throw new TypeError(`A query parameter must not be of type ${typeof value}.`);
    }
  }
}

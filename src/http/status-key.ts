/** Finds the key for a status in a table by status, range (`4XX`) or `default`, in this order of precedence. */
export function findStatusKey(table: object, status: number): string | undefined {
  const digit = String(status)[0];
  // Some documents have ranges in lower case.
  const keys = [String(status), `${digit}XX`, `${digit}xx`, "default"];
  return keys.find((key) => Object.hasOwn(table, key));
}

/** Returns the entry of a table for a status, its range or `default`. */
export function findByStatus<T>(table: Readonly<Record<string, T>> = {}, status: number): T | undefined {
  const key = findStatusKey(table, status);
  return key === undefined ? undefined : table[key];
}

/** Finds the key for a status in a table by status, range (`4XX`) or `default`, in this order of precedence. */
export function findStatusKey(table: object, status: number): string | undefined {
  const digit = String(status)[0];
  // Some documents have ranges in lower case.
  const keys = [String(status), `${digit}XX`, `${digit}xx`, "default"];
  return keys.find((key) => Object.hasOwn(table, key));
}

/** Finds the key for a status in a table by status, range (`4XX`) or `default`, in this order of precedence. */
export function findStatusKey(table: object, status: number): string | undefined {
  const keys = [String(status), `${String(status)[0]}XX`, "default"];
  return keys.find((key) => Object.hasOwn(table, key));
}

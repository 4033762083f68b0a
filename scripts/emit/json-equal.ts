/**
 * Code of the comparison that compiled validators use for `enum`, `const` and `uniqueItems`. Ajv's own asks the values
 * for their `toString` and `valueOf`, which a request may hold as members: `{"toString": 1}` made it throw.
 */
export const JSON_EQUAL = `function jsonEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}`;

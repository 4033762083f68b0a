/** Splits a JSON pointer such as `/paths/~1v1~1pages` into keys. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "" || pointer === "/") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Joins keys to a JSON pointer. */
export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Gives the own value under a key of an object or array; never one that comes from a prototype. */
export function ownValue(node: unknown, key: string): unknown {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
  return Reflect.get(node, key);
}

/** Follows a JSON pointer through own values; undefined when nothing is there. */
export function valueAt(root: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(ownValue, root);
}

/** True for anything but null, arrays and scalars. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

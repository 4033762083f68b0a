/** JSON of a document or a sample. A sample can also contain bytes for parts of a message that are not JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
/** A schema: an object or a boolean. */
export type Schema = Json;

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** Reads an own member of any name. */
export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets an own member of any name, because assigning to `__proto__` changes the prototype. */
export function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Resolves `$ref`s in the document. Throws if a target does not exist. */
export function deref(document: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let steps = 0; steps < 100; steps += 1) {
    const ref = own(current, "$ref");
    if (typeof ref !== "string") return current;
    current = at(document, ref);
  }
  throw new Error("A $ref refers to itself.");
}

/** Resolves a local reference. Throws when its target does not exist. */
export function at(document: JsonObject, ref: string): Json {
  if (!ref.startsWith("#")) throw new Error(`The $ref ${ref} leads out of the document.`);
  let value: Json | undefined = document;
  for (const step of decodeURIComponent(ref.slice(1)).split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Array.isArray(value) ? value[Number(key)] : own(value, key);
  }
  if (value === undefined) throw new Error(`$ref ${ref} leads nowhere`);
  return value;
}

/** Whether two JSON values are equal, independent of key order; bytes are compared by content. */
export function same(a: unknown, b: unknown): boolean {
  return findDifference(a, b) === undefined;
}

/** Describes the first difference of two values; undefined if they are equal. */
export function findDifference(sent: unknown, got: unknown, place = ""): string | undefined {
  if (Object.is(sent, got)) return undefined;
  // JSON has no negative zero.
  if (sent === 0 && got === 0) return undefined;
  const here = `${place === "" ? "it" : place} was ${show(sent)} and became ${show(got)}`;
  if (sent instanceof Uint8Array && got instanceof Uint8Array) {
    return Buffer.compare(sent, got) === 0 ? undefined : here;
  }
  if (Array.isArray(sent) && Array.isArray(got)) {
    if (sent.length !== got.length) return here;
    for (const [index, item] of sent.entries()) {
      const found = findDifference(item, got[index], `${place}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(sent) || !isObject(got)) return here;
  for (const key of new Set([...Object.keys(sent), ...Object.keys(got)])) {
    const found = findDifference(own(sent, key), own(got, key), `${place}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = value instanceof Uint8Array ? `${value.length} bytes` : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** JSON of a document or of a sample. A sample may hold bytes besides, where a part of a message is no JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
/** A schema: an object, or true and false. */
export type Schema = Json;

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** A member that is the object's own, whatever its name. */
export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets an own member whatever its name: plain assignment to `__proto__` would change the prototype. */
export function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Follows `$ref`s inside the document. Throws when one leads nowhere. */
export function deref(document: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let steps = 0; steps < 100; steps += 1) {
    const ref = own(current, "$ref");
    if (typeof ref !== "string") return current;
    current = at(document, ref);
  }
  throw new Error("a $ref leads back to itself");
}

/** Resolves a local reference. Throws when its target does not exist. */
export function at(document: JsonObject, ref: string): Json {
  if (!ref.startsWith("#")) throw new Error(`$ref ${ref} leads out of the document`);
  let value: Json | undefined = document;
  for (const step of decodeURIComponent(ref.slice(1)).split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Array.isArray(value) ? value[Number(key)] : own(value, key);
  }
  if (value === undefined) throw new Error(`$ref ${ref} leads nowhere`);
  return value;
}

/** Whether two JSON values are the same: key order aside, and bytes by their content. */
export function same(a: unknown, b: unknown): boolean {
  return difference(a, b) === undefined;
}

/** The first place where two values differ, in words; undefined when they are the same. */
export function difference(sent: unknown, got: unknown, place = ""): string | undefined {
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
      const found = difference(item, got[index], `${place}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(sent) || !isObject(got)) return here;
  for (const key of new Set([...Object.keys(sent), ...Object.keys(got)])) {
    const found = difference(own(sent, key), own(got, key), `${place}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = value instanceof Uint8Array ? `${value.length} bytes` : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

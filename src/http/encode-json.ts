/**
 * Cached JSON of frozen objects: as text for whole bodies, which are sent in one piece with the headers, and as bytes for
 * items of lists, which are copied into the body.
 */
const cachedTexts = new WeakMap<object, string>();
const cachedBytes = new WeakMap<object, Buffer>();

const COMMA = Buffer.from(",");

/**
 * Encodes a body like JSON.stringify. Caches the JSON of a frozen body, and of frozen objects and frozen lists in a body
 * that is a list or has one as a member, such as `{ results: pages, has_more: false }`. The body around a cached list must
 * not be frozen itself.
 */
export function encodeJson(body: unknown): string | Uint8Array {
  if (typeof body !== "object" || body === null) return JSON.stringify(body);
  if (isFrozenObject(body)) return getOrEncode(cachedTexts, body, JSON.stringify);
  if (isCacheableList(body)) return encodeList(body);
  return hasList(body) ? Buffer.concat(encodeMembers(body)) : JSON.stringify(body);
}

/** Whether a value is a list of objects whose JSON is cached. Only the first item is checked. */
function isCacheableList(value: unknown): value is unknown[] {
  return Array.isArray(value) && isFrozenObject(value[0]);
}

/** Whether an object has a cacheable list as a member. toJSON could replace the members. */
function hasList(body: object): boolean {
  return !("toJSON" in body) && !Array.isArray(body) && Object.values(body).some(isCacheableList);
}

function encodeList(list: readonly unknown[]): Buffer {
  return Buffer.concat(encodeItems(list));
}

function encodeItems(list: readonly unknown[]): Buffer[] {
  const pieces: Buffer[] = [Buffer.from("[")];
  for (const item of list) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(encodeItem(item));
  }
  pieces.push(Buffer.from("]"));
  return pieces;
}

function encodeMembers(body: object): Buffer[] {
  const pieces: Buffer[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(body)) {
    const comma = pieces.length === 0 && text === "{" ? "" : ",";
    if (isCacheableList(value)) {
      pieces.push(Buffer.from(`${text}${comma}${JSON.stringify(name)}:`));
      if (Object.isFrozen(value)) pieces.push(getOrEncode(cachedBytes, value, encodeList));
      else pieces.push(...encodeItems(value));
      text = "";
    } else {
      // Encoded in an object, because JSON omits members such as functions.
      const member = JSON.stringify({ [name]: value }).slice(1, -1);
      if (member !== "") text += comma + member;
    }
  }
  pieces.push(Buffer.from(`${text}}`));
  return pieces;
}

function encodeItem(item: unknown): Buffer {
  return isFrozenObject(item) ? getOrEncode(cachedBytes, item, encodeUncached) : encodeUncached(item);
}

function isFrozenObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.isFrozen(value);
}

/** Encodes an item in a list, where JSON has null for values such as functions. */
function encodeUncached(item: unknown): Buffer {
  return Buffer.from(JSON.stringify([item]).slice(1, -1));
}

function getOrEncode<V extends object, T>(cache: WeakMap<object, T>, value: V, encode: (value: V) => T): T {
  let encoded = cache.get(value);
  if (encoded === undefined) {
    encoded = encode(value);
    cache.set(value, encoded);
  }
  return encoded;
}

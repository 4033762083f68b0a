/**
 * The JSON of frozen objects, so that one that is answered again is written once: as text where it is a whole body,
 * which goes out in one piece with the headers, and as bytes where it is one of many in a list, which are copied.
 */
const texts = new WeakMap<object, string>();
const bytes = new WeakMap<object, Buffer>();

const COMMA = Buffer.from(",");

/**
 * Writes a body as JSON.stringify does. The JSON of a body that is frozen is kept for the next time, and so is that of
 * each frozen object in a list that the body is or has as a member, such as the `results` of
 * `{ results: pages, has_more: false }`, and that of the list as a whole where it is frozen too. The rest of such a body
 * is written each time: it is not to be frozen itself.
 */
export function encodeJson(body: unknown): string | Uint8Array {
  if (typeof body !== "object" || body === null) return JSON.stringify(body);
  if (isFrozenObject(body)) return kept(texts, body, JSON.stringify);
  if (beginsFrozen(body)) return writeList(body);
  return hasList(body) ? Buffer.concat(membersOf(body)) : JSON.stringify(body);
}

/** Whether a value is a list of objects whose JSON can be kept; the first one tells. */
function beginsFrozen(value: unknown): value is unknown[] {
  return Array.isArray(value) && isFrozenObject(value[0]);
}

/** An object that says by itself how it is written has no members to look at. */
function hasList(body: object): boolean {
  return !("toJSON" in body) && !Array.isArray(body) && Object.values(body).some(beginsFrozen);
}

function writeList(list: readonly unknown[]): Buffer {
  return Buffer.concat(listPieces(list));
}

function listPieces(list: readonly unknown[]): Buffer[] {
  const pieces: Buffer[] = [Buffer.from("[")];
  for (const item of list) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(itemBytes(item));
  }
  pieces.push(Buffer.from("]"));
  return pieces;
}

function membersOf(body: object): Buffer[] {
  const pieces: Buffer[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(body)) {
    const comma = pieces.length === 0 && text === "{" ? "" : ",";
    if (beginsFrozen(value)) {
      pieces.push(Buffer.from(`${text}${comma}${JSON.stringify(name)}:`));
      if (Object.isFrozen(value)) pieces.push(kept(bytes, value, writeList));
      else pieces.push(...listPieces(value));
      text = "";
    } else {
      // Written as the only member: one that JSON has no form for leaves nothing.
      const member = JSON.stringify({ [name]: value }).slice(1, -1);
      if (member !== "") text += comma + member;
    }
  }
  pieces.push(Buffer.from(`${text}}`));
  return pieces;
}

function itemBytes(item: unknown): Buffer {
  return isFrozenObject(item) ? kept(bytes, item, write) : write(item);
}

function isFrozenObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.isFrozen(value);
}

/** Written as the only item: what JSON has no form for is null in a list. */
function write(item: unknown): Buffer {
  return Buffer.from(JSON.stringify([item]).slice(1, -1));
}

function kept<V extends object, T>(known: WeakMap<object, T>, value: V, make: (value: V) => T): T {
  let made = known.get(value);
  if (made === undefined) {
    made = make(value);
    known.set(value, made);
  }
  return made;
}

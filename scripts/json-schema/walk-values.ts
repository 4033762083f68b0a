import { escapePointer, isScalar, type JsonValue } from "../json.js";
import { getKindOfMember, type ValueKind } from "./keywords.js";

export interface DocumentValue {
  value: JsonValue;
  pointer: string;
  kind: ValueKind;
}

/** Visits the objects and lists of an OpenAPI document that are not data, in document order, if `visits` returns true for them. */
export function* walkValues(
  document: JsonValue,
  visits: (member: DocumentValue, parent: DocumentValue) => boolean = () => true,
): Generator<DocumentValue, undefined> {
  const pending: DocumentValue[] = [{ value: document, pointer: "", kind: "object" }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    const parent = next;
    const members = isScalar(parent.value) ? [] : Object.entries(parent.value);
    // As in getKindAt: in a file that is a schema, the examples are a list of values.
    const areData = parent.pointer === "/examples" && Array.isArray(parent.value);
    for (const [key, value] of members.reverse()) {
      if (isScalar(value)) continue;
      const kind = areData ? "data" : getKindOfMember(parent.kind, key);
      const member = { value, pointer: `${parent.pointer}/${escapePointer(key)}`, kind };
      if (kind !== "data" && visits(member, parent)) pending.push(member);
    }
  }
}

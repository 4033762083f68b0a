import {
  convertScalar,
  convertValue,
  createParameterError,
  getPropertyType,
  isListType,
  isObjectType,
  type ParameterOrField,
  setOwn,
  type Values,
} from "./text-values.js";
import type { FieldType } from "../types.js";

/** Maximum nesting, so that recursive functions do not overflow the stack. */
const MAX_DEPTH = 20;

/** A node of the tree that parameter names with brackets form, such as `filter[color]`. */
interface BracketNode {
  texts: string[];
  members: Map<string, BracketNode>;
}

/**
 * Decodes `filter[color]=red&filter[tags][0]=a`. OpenAPI does not define nesting; this notation is widely used. Returns
 * undefined if no name with brackets was sent.
 *
 * @param pairs encoded values by decoded name
 * @param decode decodes a value
 * @throws InvalidRequestError when names are nested too deeply, or a single value was sent several times
 */
export function decodeDeepObject(
  parameter: ParameterOrField,
  pairs: ReadonlyMap<string, readonly string[]>,
  decode: (text: string) => string,
): unknown {
  const prefix = `${parameter.name}[`;
  const root: BracketNode = { texts: [], members: new Map() };
  for (const [key, texts] of pairs) {
    if (!key.startsWith(prefix) || !key.endsWith("]")) continue;
    const segments = key.slice(prefix.length, -1).split("][");
    if (segments.length > MAX_DEPTH)
      throw createParameterError(parameter, `nested at most ${MAX_DEPTH} deep`, segments.length);
    let node = root;
    for (const segment of segments) {
      const next = node.members.get(segment) ?? { texts: [], members: new Map() };
      node.members.set(segment, next);
      node = next;
    }
    for (const text of texts) node.texts.push(decode(text));
  }
  if (root.members.size === 0) return undefined;
  return decodeNode(root, parameter.type, parameter);
}

function decodeNode(node: BracketNode, type: FieldType, parameter: ParameterOrField): unknown {
  if (isListType(type)) {
    const { items, scalarType } = type;
    const [text = ""] = node.texts;
    const isScalar = scalarType !== undefined && node.texts.length === 1 && node.members.size === 0;
    return isScalar ? convertScalar(scalarType, text) : decodeListNode(node, items, parameter);
  }
  if (node.members.size === 0) {
    const [text = ""] = node.texts;
    if (node.texts.length > 1) throw createParameterError(parameter, "sent once for each name", node.texts);
    return convertValue(type, text);
  }
  // Without a declaration, the names 0, 1, ... are the indexes of a list, in any order.
  const isIndex = (key: string): boolean => /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < node.members.size;
  const isList = !isObjectType(type) && [...node.members.keys()].every(isIndex);
  if (isList) return decodeListNode(node, "string", parameter);
  const values: Values = {};
  for (const [key, member] of node.members) {
    const memberType = isObjectType(type) ? getPropertyType(type, key) : undefined;
    setOwn(values, key, decodeNode(member, memberType ?? "string", parameter));
  }
  return values;
}

/** Decodes the items `tags=a`, `tags[]=b` and `tags[0]=c`, the last ones in the order of their numbers. */
function decodeListNode(node: BracketNode, itemType: FieldType, parameter: ParameterOrField): unknown[] {
  const decodeTexts = ({ texts }: BracketNode): unknown[] =>
    texts.map((text) => convertValue(itemType, text));
  const members = [...node.members].sort(([a], [b]) => Number(a) - Number(b));
  return [
    ...decodeTexts(node),
    // Each `[]` adds an item.
    ...members.flatMap(([key, member]) =>
      key === "" && member.members.size === 0
        ? decodeTexts(member)
        : [decodeNode(member, itemType, parameter)],
    ),
  ];
}

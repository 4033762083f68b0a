import { followPointer } from "../../follow-pointer.js";
import { decodePercent, isObject, type JsonObject, type JsonValue } from "../../json.js";
import type { ValueKind } from "../../json-schema/keywords.js";
import { type DocumentValue, walkValues } from "../../json-schema/walk-values.js";
import { getRequired } from "../../maps.js";
import type { DocumentFiles } from "../document-files.js";
import { formatUnresolvedMessage, type UnresolvedReference } from "./unresolved-references.js";

/** Matches a key of the Responses Object. The model reports others, below which Redocly replaces no references. */
const RESPONSE_KEY = /\/(?:[1-5](?:\d\d|XX)|default|x-[^/]*)$/i;

/** Finds the objects with a `$ref` that is a reference: not data, not the name of an entry in a map, and not below an unexpected member. */
export function findReferenceObjects(
  document: JsonValue,
  unexpected: readonly string[] = [],
): Map<JsonObject, ValueKind> {
  const unexpectedPointers = new Set(unexpected);
  const canHaveReferences = ({ kind, pointer }: DocumentValue, parent: DocumentValue): boolean => {
    // Members of another version, such as `itemSchema`, are read nevertheless.
    const isUnknown = kind === "object" && parent.kind === "object" && unexpectedPointers.has(pointer);
    // Other than the named responses of `components`, or at the start of a file.
    const isInOperation = parent.kind === "map" && /(?<!^|\/components)\/responses$/.test(parent.pointer);
    return !isUnknown && (!isInOperation || RESPONSE_KEY.test(pointer));
  };
  const references = new Map<JsonObject, ValueKind>();
  for (const { value, kind } of walkValues(document, canHaveReferences)) {
    const isMap = kind === "map" || kind === "schemas" || kind === "examples";
    if (!isMap && isObject(value) && typeof value["$ref"] === "string") references.set(value, kind);
  }
  return references;
}

/**
 * Finds the references of a bundled document that only Redocly can follow: it decodes the percent-encoding of a pointer after splitting
 * it, and accepts a text or a list in place of a schema.
 */
export function findDanglingReferences(
  references: ReadonlyMap<JsonObject, ValueKind>,
  document: JsonObject,
  { parsedFiles, locations }: DocumentFiles,
): UnresolvedReference[] {
  const idReferences = [...parsedFiles.values()].flatMap((file) => file.idReferences);
  const idsByObject = new Map<object, string>(idReferences.map(({ node, ref }) => [node, ref]));
  return [...references].flatMap(([node, kind]): UnresolvedReference[] => {
    const ref = String(node["$ref"]);
    const pointer = decodePercent(ref.slice(1));
    // Examples are optional. The model resolves references to identifiers that are not replaced by pointers.
    if (kind === "example" || idsByObject.get(node) === ref) return [];
    const target = ref.startsWith("#") ? followPointer(document, pointer) : undefined;
    const isSchema = isObject(target?.value) || typeof target?.value === "boolean";
    if (target && (kind !== "schema" || isSchema)) return [];
    const position = locations.locate(node, "");
    return [
      {
        severity: "error",
        file: getRequired(parsedFiles, position.file),
        pointer: position.pointer,
        cause: ref,
        distance: 0,
        describe: () =>
          target
            ? "This $ref leads to a value that is not a schema. Refer to a schema."
            : formatUnresolvedMessage(ref, document),
      },
    ];
  });
}

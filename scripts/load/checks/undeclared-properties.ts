import { isObject, parsePointer } from "../../json.js";
import { getKindAt, isInPlace } from "../../json-schema/keywords.js";
import { MAX_COMPARED_NAMES, suggestName } from "../../text.js";
import type { SchemaCheck } from "./schema-check.js";

/** Finds each required property that its schema does not declare, which is often misspelt. */
export const undeclaredProperties: SchemaCheck = (schema, pointer) => {
  const { required, properties, additionalProperties } = schema;
  if (!Array.isArray(required) || !isObject(properties)) return [];
  const undeclared = [...required.entries()].filter(
    ([, name]) => typeof name === "string" && !Object.hasOwn(properties, name),
  );
  const declared = undeclared.length === 0 ? [] : Object.keys(properties);
  if (declared.length === 0) return [];
  const isComposed = Object.keys(schema).some((key) => isInPlace(key) || /^\$(r|dynamicR)ef$/.test(key));
  const allowsOthers = "patternProperties" in schema || (additionalProperties ?? false) !== false;
  if (isComposed || allowsOthers || isBranch(parsePointer(pointer))) return [];
  const requiredNames = new Set(required);
  const optional = declared.filter((name) => !requiredNames.has(name));
  return undeclared.map(([index, name]) => ({
    relativePointer: `/required/${index}`,
    describe: () => {
      const similar = suggestName(String(name), optional, MAX_COMPARED_NAMES);
      const remedy =
        similar === undefined ? "Declare or remove it." : `Did you mean ${JSON.stringify(similar)}?`;
      return `\`properties\` does not declare ${JSON.stringify(name)}, which is required. ${remedy}`;
    },
  }));
};

/** Whether a schema applies to the same value as the schema around it, which can declare the properties. */
function isBranch(location: readonly string[]): boolean {
  const owner = location.slice(0, -1);
  const keyword = getKindAt(owner) === "schemas" ? owner.at(-1) : location.at(-1);
  return isInPlace(keyword ?? "");
}

import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { getKindAt, isInPlace } from "../json-schema/keywords.js";
import { MAX_COMPARED_NAMES, suggestName } from "../text.js";
import type { SchemaCheck } from "./schema-check.js";

/** Finds each required property that its schema does not declare, which is often misspelt. */
export const undeclaredProperties: SchemaCheck = {
  mayFail(schema) {
    const { required, properties } = readMembers(schema);
    const isUndeclared = (name: JsonValue): boolean =>
      typeof name === "string" && !Object.hasOwn(properties, name);
    if (Object.keys(properties).length === 0 || !required.some(isUndeclared)) return false;
    const isComposed = Object.keys(schema).some((key) => isInPlace(key) || /^\$(r|dynamicR)ef$/.test(key));
    const allowsOthers = "patternProperties" in schema || (schema["additionalProperties"] ?? false) !== false;
    return !isComposed && !allowsOthers;
  },

  findMistakes(schema, location) {
    if (isBranch(location)) return [];
    const { required, properties } = readMembers(schema);
    const requiredNames = new Set(required);
    const optional = Object.keys(properties).filter((name) => !requiredNames.has(name));
    return required.flatMap((name, index) => {
      if (typeof name !== "string" || Object.hasOwn(properties, name)) return [];
      const similar = suggestName(name, optional, MAX_COMPARED_NAMES);
      const remedy =
        similar === undefined ? "Declare or remove it." : `Did you mean ${JSON.stringify(similar)}?`;
      const message = `\`properties\` does not declare ${JSON.stringify(name)}, which is required. ${remedy}`;
      return [{ message, keys: ["required", String(index)] }];
    });
  },
};

function readMembers({ required, properties }: JsonObject): {
  required: readonly JsonValue[];
  properties: JsonObject;
} {
  return {
    required: Array.isArray(required) ? required : [],
    properties: isObject(properties) ? properties : {},
  };
}

/** Whether a schema applies to the same value as the schema around it, which can declare the properties. */
function isBranch(location: readonly string[]): boolean {
  const owner = location.slice(0, -1);
  const keyword = getKindAt(owner) === "schemas" ? owner.at(-1) : location.at(-1);
  return isInPlace(keyword ?? "");
}

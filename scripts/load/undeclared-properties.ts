import type { Diagnostic } from "../diagnostic.js";
import { getOwnValue, isObject, toPointer } from "../json.js";
import { getKindAt, isInPlace } from "../json-schema/keywords.js";
import { MAX_COMPARED_NAMES, suggestName } from "../text.js";
import { MAX_PROBLEMS } from "./limits.js";
import { listKeys, type LocationPath, locateInFile } from "./locations.js";
import type { ParsedFile } from "./parsed-file.js";

/** Warns about each required property that its schema does not declare, which is often misspelt. */
export function findUndeclaredProperties({ source, undeclaredProperties }: ParsedFile): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { schema, keys } of undeclaredProperties) {
    const location = listKeys(keys);
    if (getKindAt(location) === "data") continue;
    const { required, properties } = readMembers(schema);
    const requiredNames = new Set(required);
    const optional = Object.keys(properties).filter((name) => !requiredNames.has(name));
    for (const [index, name] of required.entries()) {
      if (typeof name !== "string" || Object.hasOwn(properties, name)) continue;
      if (diagnostics.length >= MAX_PROBLEMS) return diagnostics;
      const similar = suggestName(name, optional, MAX_COMPARED_NAMES);
      const remedy =
        similar === undefined ? "Declare or remove it." : `Did you mean ${JSON.stringify(similar)}?`;
      diagnostics.push({
        severity: "warning",
        message: `\`properties\` does not declare ${JSON.stringify(name)}, which is required. ${remedy}`,
        position: locateInFile(source, toPointer([...location, "required", String(index)])),
      });
    }
  }
  return diagnostics;
}

/** Whether an object requires a property that it does not declare, and looks like a schema whose properties no other declares. */
export function hasUndeclaredProperties(schema: object, keys: LocationPath | undefined): boolean {
  const { required, properties } = readMembers(schema);
  const isUndeclared = (name: unknown): boolean =>
    typeof name === "string" && !Object.hasOwn(properties, name);
  if (Object.keys(properties).length === 0 || !required.some(isUndeclared)) return false;
  const isBranch = [keys, keys?.up].some((path) => path !== undefined && isInPlace(path.key));
  const isComposed = Object.keys(schema).some((key) => isInPlace(key) || /^\$(r|dynamicR)ef$/.test(key));
  const allowsOthers =
    "patternProperties" in schema || (getOwnValue(schema, "additionalProperties") ?? false) !== false;
  return !isBranch && !isComposed && !allowsOthers;
}

function readMembers(schema: object): { required: readonly unknown[]; properties: object } {
  const required = getOwnValue(schema, "required");
  const properties = getOwnValue(schema, "properties");
  return {
    required: Array.isArray(required) ? required : [],
    properties: isObject(properties) ? properties : {},
  };
}

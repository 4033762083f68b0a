import { isObject } from "../../json.js";
import type { StructureError } from "./validation-errors.js";

/** Returns what a value of a wrong type certainly stands for: a quoted number or Boolean, or the object that PHP writes for a list. */
export function coerceValue({ types, value }: StructureError): unknown {
  if (typeof value === "string") return parseScalar(types, value);
  if (!isObject(value) || !types.includes("array")) return undefined;
  const entries = Object.entries(value);
  // The structure of other entries is not validated.
  const isList = entries.every(([key, entry]) => /^\d+$/.test(key) && typeof entry === "string");
  return isList && entries.length > 0 ? entries.map(([, entry]) => entry) : undefined;
}

/** Returns the number or the Boolean that a text stands for; undefined if none of the types allows it. */
export function parseScalar(types: readonly string[], text: string): number | boolean | undefined {
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  const isNumber = /^-?\d+$/.test(text)
    ? types.includes("integer") || types.includes("number")
    : types.includes("number") && /^-?\d+\.\d+$/.test(text);
  return isNumber ? Number(text) : undefined;
}

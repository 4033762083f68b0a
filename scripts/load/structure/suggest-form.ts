import { getOwnValue, isObject } from "../../json.js";
import { isSchemaType } from "../../json-schema/keywords.js";
import { parseScalar } from "./coerce-value.js";
import type { StructureError } from "./validation-errors.js";

/** Returns a sentence that says how to write a value of a wrong type, after a space; empty if that is unknown. */
export function suggestForm(error: StructureError): string {
  const { instancePath: pointer, kind, name, types, value } = error;
  if (Array.isArray(value) && value.length === 0 && types.includes("object")) return " Write `{}`.";
  if (kind === "example") return " Write it in `value`.";
  if (kind === "examples" && Array.isArray(value))
    return " Give each example a name, and write it in `value` below the name.";
  if (name === "required" && typeof value === "boolean")
    return " It belongs to the object, and lists the names of its required properties.";
  if (name === "required" && types.includes("object") && Array.isArray(value))
    return " Write it beside `properties`, not in it.";
  const limit = /^exclusive(Min|Max)imum$/.test(name) && name.replace("exclusiveM", "m");
  if (limit && value === true) return ` Write the limit here instead of in \`${limit}\`.`;
  if (limit && typeof value === "number") return ` Write \`${limit}: ${value}\` and \`${name}: true\`.`;
  if (types.includes("array") && (typeof value === "string" || getOwnValue(value, "$ref") !== undefined))
    return " Put it in square brackets.";
  if (types.includes("array") && isObject(value))
    return name === "examples"
      ? " In a schema, it lists values without names."
      : " Write a list of its entries.";
  if (Array.isArray(value)) {
    // OpenAPI 3.0, in which a schema cannot be true or false, has no tuples.
    if (name === "items") return types.includes("boolean") ? " For a tuple, write `prefixItems`." : "";
    const isListOfMembers =
      value.length > 0 && value.every((entry) => isObject(entry) && Object.keys(entry).length === 1);
    return types.includes("object") && isListOfMembers ? " Write its entries as members of one object." : "";
  }
  if (types.includes("string") && /^(?:number|boolean)$/.test(typeof value)) return " Put it in quotes.";
  if (typeof value !== "string") return "";
  const member = types.includes("object") ? getOnlyMember(error, value) : undefined;
  if (member !== undefined) return ` Write \`{ ${member}: ${value} }\`.`;
  if (types.includes("object") && /\/security\/\d+$/.test(pointer) && /^[\w.-]+$/.test(value))
    return ` Write \`${value}: []\`.`;
  if (types.includes("object") && /^[\w$-]+:(?!\/\/)\S/.test(value)) return " Write a space after the colon.";
  return parseScalar(types, value) === undefined ? "" : " Write it without quotes.";
}

/** Returns the member of an object for which its text was written instead; undefined if that is unknown. */
function getOnlyMember({ instancePath, kind, name }: StructureError, value: string): string | undefined {
  if (kind === "schema") return isSchemaType(value) ? "type" : undefined;
  if (name === "discriminator") return "propertyName";
  return /\/(?:servers\/\d+|externalDocs)$/.test(instancePath) && /^\w+:\/\/\S+$/.test(value)
    ? "url"
    : undefined;
}

import { parsePointer } from "../../json.js";
import { getKindAt, isAssertion } from "../../json-schema/keywords.js";
import { SCHEMA_TYPES } from "../structure/severity.js";
import type { SchemaCheck } from "./schema-check.js";

/** Reads the methods of a path that are not in lower case, such as `GET`. */
export const upperCaseMethods: SchemaCheck = (pathItem, pointer) => {
  if (!/^\/(?:paths|webhooks)\/[^/]+$/.test(pointer)) return [];
  return Object.entries(pathItem).flatMap(([name, operation]) => {
    const method = name.toLowerCase();
    const isMethod = /^(?:get|put|post|delete|options|head|patch|trace)$/.test(method);
    if (name === method || !isMethod || Object.hasOwn(pathItem, method)) return [];
    const correct = (): void => {
      delete pathItem[name];
      pathItem[method] = operation;
    };
    const message = `\`${name}\` is read as \`${method}\`. Write \`${method}\` in lower case.`;
    return [{ relativePointer: `/${name}`, describe: () => message, correct }];
  });
};

/**
 * Moves the keywords of a parameter or header without a schema, as in Swagger 2.0, to a `schema`. Not those of a list in the query or
 * a cookie, which that version writes in another style.
 */
export const missingSchema: SchemaCheck = (object, pointer) => {
  const { type, name, in: location, schema, content } = object;
  if (typeof type !== "string" || !SCHEMA_TYPES.has(type) || schema !== undefined || content !== undefined)
    return [];
  const isHeader = location === undefined && HEADER.test(pointer);
  const locations = type === "array" ? ["path", "header"] : ["path", "query", "header", "cookie"];
  const isParameter = typeof name === "string" && locations.includes(String(location));
  if ((!isHeader && !isParameter) || getKindAt(parsePointer(pointer)) !== "object") return [];
  const correct = (): void => {
    const keywords = Object.entries(object).filter(([key]) => isSchemaKeyword(key));
    for (const [key] of keywords) delete object[key];
    object.schema = Object.fromEntries(keywords);
  };
  const message = "`type` is read as the `type` of `schema`. Write it there, with the keywords beside it.";
  return [{ relativePointer: "/type", describe: () => message, correct }];
};

/** JSON pointers of headers. */
const HEADER = /\/(?:responses\/[^/]+|components)\/headers\/[^/]+$/;

function isSchemaKeyword(key: string): boolean {
  return key === "default" || key === "nullable" || (isAssertion(key) && key !== "required");
}

import { getOwnValue } from "../json.js";
import type { SchemaCheck } from "./schema-check.js";

/**
 * Finds patterns between slashes, such as `/^a$/i`. A slash is an ordinary character in a pattern, and nothing precedes the start of a
 * text or follows its end.
 */
export const delimitedPattern: SchemaCheck = (schema) => {
  const pattern = getOwnValue(schema, "pattern");
  if (typeof pattern !== "string" || !/^\/\^|(?<!\\)\$\/[a-z]*$/.test(pattern)) return [];
  const message = "No text matches this pattern. Remove the slashes around it, and the flags after them.";
  return [{ path: "/pattern", describe: () => message }];
};

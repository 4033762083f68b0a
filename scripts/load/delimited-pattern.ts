import { getOwnValue, type JsonObject } from "../json.js";
import type { SchemaCheck } from "./schema-check.js";

/**
 * Finds patterns between slashes, such as `/^a$/i`. A slash is an ordinary character in a pattern, and nothing precedes the start of a
 * text or follows its end.
 */
export const delimitedPattern: SchemaCheck = {
  mayFail: isDelimited,
  findMistakes: () => [
    {
      message: "No text matches this pattern. Remove the slashes around it, and the flags after them.",
      keys: ["pattern"],
    },
  ],
};

function isDelimited(schema: JsonObject): boolean {
  const pattern = getOwnValue(schema, "pattern");
  return typeof pattern === "string" && /^\/\^|(?<!\\)\$\/[a-z]*$/.test(pattern);
}

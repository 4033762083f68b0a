import { getOwnValue } from "../../json.js";
import type { SchemaCheck } from "./schema-check.js";

/** Maximum number of characters of a text whose repetitions can all be tried in some hundredths of a second. */
const MAX_HARMLESS_LENGTH = 16;
/** Maximum depth of nested groups that are examined, which keeps the time linear. Real patterns have less than ten. */
const MAX_DEPTH = 10;

const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})\??`;
/** A group without other groups in it, and its quantifier. */
const INNERMOST_GROUP = new RegExp(String.raw`\((\?(?::|<?[=!]|<\w+>))?([^()]*)\)(${QUANTIFIER})?`, "g");
const PIECE = new RegExp(`[^](?:${QUANTIFIER})?`, "g");

/** Finds patterns that take exponential time, such as `^(a+)+$`: each further character of a text that does not match doubles it. */
export const slowPattern: SchemaCheck = (schema) => {
  const pattern = getOwnValue(schema, "pattern");
  const maxLength = getOwnValue(schema, "maxLength");
  const isShort = typeof maxLength === "number" && maxLength <= MAX_HARMLESS_LENGTH;
  if (typeof pattern !== "string" || isShort || !hasNestedRepetition(pattern)) return [];
  const message =
    "Some short texts take minutes to match this pattern, because it repeats a group that is a repetition itself, as in (a+)+. Remove one of the repetitions.";
  return [{ relativePointer: "/pattern", describe: () => message }];
};

/** Whether the end of the text follows a repeated group that can divide a repetition between its own repetitions in any way. */
function hasNestedRepetition(pattern: string): boolean {
  let isFound = false;
  // Each class or escape becomes one character, and each group its content or one character, from the inside out.
  let rest = pattern.replace(/\\(?:[pP]\{[^}]*\}?|[^])|\[(?:\\[^]|[^\]\\])*\]?/g, "x");
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const end = rest.lastIndexOf("$");
    rest = rest.replace(
      INNERMOST_GROUP,
      (group: string, prefix = "", content = "", quantifier = "", at = 0) => {
        if (/[=!]$/.test(prefix)) return "";
        const alternatives: string[] = content.split("|");
        isFound ||= isUnlimited(quantifier) && at + group.length <= end && alternatives.some(isRepetition);
        return quantifier === "" && alternatives.length === 1 ? content : `x${quantifier}`;
      },
    );
  }
  return isFound;
}

/** Whether a text without groups can be one repeated character: all its other pieces are optional. */
function isRepetition(text: string): boolean {
  const pieces = text.match(PIECE) ?? [];
  const required = pieces.filter((piece) => !/^[^](?:[*?]|\{0,)/.test(piece));
  return required.length < 2 && (required.length === 1 ? required : pieces).some(isUnlimited);
}

/** Whether a quantifier, or a piece with one, has no upper limit. */
function isUnlimited(piece: string): boolean {
  return /(?:[*+]|,\})\??$/.test(piece);
}

import { getOwnValue } from "../../json.js";
import { tryCompile } from "../../json-schema/regular-expression.js";
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
  if (typeof pattern !== "string" || isShort || !hasAmbiguousRepetition(pattern)) return [];
  const message =
    "Some short texts take minutes to match this pattern, because it repeats a group that matches the same text in several ways, as in (a+)+ or (\\w|\\d)+. Remove a repetition or an alternative.";
  return [{ relativePointer: "/pattern", describe: () => message }];
};

/** The placeholder of a group. Those of classes and escapes are the next characters for private use. */
const GROUP = "\ue000";

/** Whether the end of the text follows a repeated group that can divide a text between its own repetitions in several ways. */
function hasAmbiguousRepetition(pattern: string): boolean {
  let isFound = false;
  /** The sources of the placeholders. */
  const sources = [GROUP];
  // Each class or escape becomes one character, and each group its content or one character, from the inside out.
  let rest = pattern.replace(/\\(?:[pP]\{[^}]*\}?|[^])|\[(?:\\[^]|[^\]\\])*\]?/g, (source) =>
    String.fromCharCode(0xe000 + ((sources.push(source) - 1) % 6000)),
  );
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const end = rest.lastIndexOf("$");
    rest = rest.replace(
      INNERMOST_GROUP,
      (group: string, prefix = "", content = "", quantifier = "", at = 0) => {
        if (/[=!]$/.test(prefix)) return "";
        const alternatives: string[] = content.split("|");
        isFound ||=
          isUnlimited(quantifier) &&
          at + group.length <= end &&
          (alternatives.some(isRepetition) || haveSharedCharacter(alternatives, sources));
        return quantifier === "" && alternatives.length === 1 ? content : GROUP + quantifier;
      },
    );
  }
  return isFound;
}

const SAMPLES = [..."aZ0_-. ,@\n"];

/** Whether each alternative is one character, the same character can be two of them, and another one none, so that a text can fail. */
function haveSharedCharacter(alternatives: readonly string[], sources: readonly string[]): boolean {
  if (alternatives.some(({ length }) => length !== 1)) return false;
  const expressions = alternatives.map((each) =>
    tryCompile(`^${sources[each.charCodeAt(0) - 0xe000] ?? each}$`, "u"),
  );
  const counts = SAMPLES.map((sample) => expressions.filter((each) => each?.test(sample)).length);
  return counts.includes(0) && counts.some((count) => count > 1);
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

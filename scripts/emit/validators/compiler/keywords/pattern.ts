import { printRegularExpression } from "../../../../code/encode.js";
import { describeSyntaxError, tryCompile } from "../../../../json-schema/regular-expression.js";
import type { Schema } from "../../../../model/schema/schema.js";
import { computeShortHash } from "../short-hash.js";
import type { CodeGenerator } from "../context.js";
import { shortenJson } from "./read-keywords.js";

/** Escapes of ECMAScript with a letter or a digit. */
const LETTER_ESCAPE =
  /^(?:[dDwWsSbBfnrtv1-9]|0(?![0-9])|c[A-Za-z]|x[0-9A-Fa-f]{2}|u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})|k<)/;
const CLASS_ESCAPE = /^\\[dDwWsSpP]/;
const SYNTAX_CHARACTERS = "^$\\.*+?()[]{}|/";

/**
 * Compiles a `pattern`. JSON Schema requires ECMAScript's syntax with the flag `u`. Many documents use the syntax without
 * the flag, which allows superfluous escapes and single braces, or the syntax of another language. Such a pattern is
 * rewritten. Returns undefined if it is invalid or ambiguous.
 */
export function compilePattern(source: string): RegExp | undefined {
  return tryCompile(source, "u") ?? translatePattern(source);
}

/** Adds a regular expression to the output and returns its name; undefined if the pattern is invalid or ambiguous. */
export function addPattern(source: string, generator: CodeGenerator): string | undefined {
  const expression = compilePattern(source);
  return (
    expression &&
    generator.addConstant(`pattern$${computeShortHash(source)}`, printRegularExpression(expression))
  );
}

/** Warns that a pattern is not checked. */
export function reportUncheckedPattern(
  source: string,
  schema: Schema,
  keyword: string,
  generator: CodeGenerator,
): void {
  const reason = describeSyntaxError(source);
  const message = `The pattern ${shortenJson(source)} is not checked, because it is not an ECMAScript regular expression: ${reason}.`;
  generator.addWarning(schema, keyword, message);
}

/** Translates a pattern of another dialect, piece by piece. Returns undefined if a piece is invalid or ambiguous. */
function translatePattern(source: string): RegExp | undefined {
  const insensitive = source.startsWith("(?i)");
  const text = (insensitive ? source.slice(4) : source).replaceAll("(?P<", "(?<");
  let result = "";
  let inClass = false;
  let hasNestedBracket = false;
  let previous = "";
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    // `[]` is an empty class in ECMAScript, and the start of a class with a bracket in other languages.
    if (!inClass && /^\[\^?\]/.test(rest)) return undefined;
    const piece = translateNext(rest, inClass, previous);
    if (piece === undefined) return undefined;
    if (rest.startsWith("[")) {
      hasNestedBracket ||= inClass;
      inClass = true;
    } else if (rest.startsWith("]")) {
      // In other languages, this bracket ends the outer one of two classes: `[[:alpha:]]`, `[a-z&&[^b]]`.
      if (!inClass && hasNestedBracket) return undefined;
      inClass = false;
    }
    previous = piece.replacement;
    result += previous;
    at += piece.length;
  }
  return tryCompile(result, insensitive ? "iu" : "u");
}

/** The first piece of the rest of a pattern, in ECMAScript's syntax. */
interface Piece {
  /** Number of characters that it replaces in the pattern. */
  length: number;
  replacement: string;
}

/**
 * Translates the first piece of the rest of a pattern; undefined if it is invalid or ambiguous.
 *
 * @param previous the translation of the piece before the rest
 */
function translateNext(rest: string, inClass: boolean, previous: string): Piece | undefined {
  const [character = ""] = rest;
  if (character === "\\") return translateEscape(rest, inClass);
  if (inClass) {
    // A range cannot begin or end with a class such as \w, so a hyphen beside a class means itself.
    const isBesideClass = (): boolean => CLASS_ESCAPE.test(previous) || CLASS_ESCAPE.test(rest.slice(1, 3));
    const isText = character === "-" && rest[1] !== "]" && isBesideClass();
    return { length: character.length, replacement: isText ? "\\-" : character };
  }
  if (character === "{") {
    const quantifier = /^\{[0-9]+(?:,[0-9]*)?\}/.exec(rest)?.[0];
    if (quantifier !== undefined) return { length: quantifier.length, replacement: quantifier };
    // `{,3}` is ambiguous: a quantifier from 0 in some languages, and text in others.
    return /^\{,[0-9]+\}/.test(rest) ? undefined : { length: 1, replacement: "\\{" };
  }
  return character === "}" || character === "]"
    ? { length: 1, replacement: `\\${character}` }
    : { length: character.length, replacement: character };
}

function translateEscape(rest: string, inClass: boolean): Piece | undefined {
  const after = rest.slice(1);
  const letterEscape = LETTER_ESCAPE.exec(after)?.[0];
  if (letterEscape !== undefined)
    return { length: 1 + letterEscape.length, replacement: `\\${letterEscape}` };
  const property = /^([pP])\{(?:Is)?([A-Za-z_]+)\}/.exec(after);
  if (property) {
    const [all, letter = "", name = ""] = property;
    const replacement = [`\\${all}`, `\\${letter}{Script=${name}}`].find((each) => tryCompile(each, "u"));
    return replacement === undefined ? undefined : { length: 1 + all.length, replacement };
  }
  const [character = ""] = after;
  // `\A`, `\Z` and `\z` match the start and the end of the text in Ruby, Python and Perl.
  if (!inClass && /[AZz]/.test(character)) return { length: 2, replacement: character === "A" ? "^" : "$" };
  if (character === "" || /[A-Za-z0-9]/.test(character)) return undefined;
  const needsBackslash = SYNTAX_CHARACTERS.includes(character) || (inClass && character === "-");
  return { length: 1 + character.length, replacement: needsBackslash ? `\\${character}` : character };
}

import type { YAMLException } from "js-yaml";
import type { Diagnostic } from "../../diagnostic.js";
import type { SourceText } from "./source-text.js";
import {
  describeUnknownAlias,
  explainIndentation,
  findMissingColon,
  findUnclosedBracket,
  findUnclosedQuote,
  findUnquotedText,
  findWrongSpace,
  type SyntaxMistake,
} from "./syntax-error-causes.js";

const MAX_KEY_LENGTH = 60;

/** Creates the diagnostic for a syntax error, if possible at its cause instead of where the text becomes invalid. */
export function createSyntaxDiagnostic({ reason, mark }: YAMLException, source: SourceText): Diagnostic {
  const line = (mark?.line ?? 0) + 1;
  const offset = mark?.position ?? 0;
  const { message, ...location } = findCause(reason, line, offset, source) ?? {
    message: describeParserError(reason, source.body, offset),
    line,
    col: (mark?.column ?? 0) + 1,
  };
  return { severity: "error", message, position: { file: source.absoluteRef, ...location, pointer: "" } };
}

/** Finds the mistake that causes a syntax error. Excessive depth and duplicate keys are their own cause. */
function findCause(
  reason: string,
  line: number,
  offset: number,
  source: SourceText,
): SyntaxMistake | undefined {
  const { body } = source;
  const conflict = body.search(/^<{7} /m);
  if (conflict !== -1)
    return { message: "This is a merge conflict. Resolve it.", ...source.getLineAndColumn(conflict) };
  const quote = /deficient indentation|quoted scalar/.test(reason) && findUnclosedQuote(body, line);
  if (quote) return { message: "This quote is not closed. Close it.", ...quote };
  // The parser stops at the end of the last key of an object, and below any other key.
  const isLastKey = reason.includes("after a mapping key");
  const key =
    (isLastKey || reason.includes("multiline key")) && findMissingColon(body, isLastKey ? line + 1 : line);
  if (key) return key;
  const mayBeBracket = /comma|indentation|flow|unexpected end|mapping entry|end of the stream/.test(reason);
  const bracket = mayBeBracket ? findUnclosedBracket(body, line) : undefined;
  if (bracket !== undefined) {
    const opening = body.charAt(bracket);
    return {
      message: `This \`${opening}\` is not closed. Add the \`${opening === "[" ? "]" : "}"}\`.`,
      ...source.getLineAndColumn(bracket),
    };
  }
  if (!/mapping entry|sequence entry|unidentified alias|unknown scalar tag !<![^!]/.test(reason))
    return undefined;
  const closer = body.charAt(offset);
  if (closer === "]" || closer === "}")
    return { message: `This \`${closer}\` closes nothing. Remove it.`, ...source.getLineAndColumn(offset) };
  const alias = reason.startsWith("unidentified alias") && describeUnknownAlias(body, offset);
  if (alias) return { message: alias, ...source.getLineAndColumn(offset - 1) };
  return (
    findUnquotedText(body, line) ??
    findMissingColon(body, line, true) ??
    findWrongSpace(body, line) ??
    explainIndentation(body, line)
  );
}

/** Returns the message for the parser's reason and the offset where it stopped, with a remedy. */
function describeParserError(reason: string, text: string, offset: number): string {
  if (reason.startsWith("duplicated mapping key")) {
    const key = readKey(text.slice(offset));
    const subject = key === undefined ? "A key" : `The key \`${key.slice(0, MAX_KEY_LENGTH)}\``;
    const firstLine = findLineOfKey(key, text.slice(0, offset));
    const location = firstLine === undefined ? "" : `, first in line ${firstLine}`;
    return `${subject} occurs twice in this object${location}. Remove or rename one.`;
  }
  if (reason.startsWith("nesting exceeded"))
    return "Nested deeper than 100 levels. Move the inner parts to components and use $ref.";
  if (reason.includes("single document"))
    return "A file can contain only one document. Move this one to its own file.";
  if (reason.startsWith("tab characters") || text[offset - 1] === "\t")
    return "YAML allows no tabs here. Indent with spaces.";
  if (reason.startsWith("missed comma")) return "A comma or a colon is missing here. Add it.";
  if (reason.startsWith("end of the stream"))
    return "The document has ended before this. Remove it, or the bracket that closes the document too early.";
  if (reason.includes("comments")) return `${reason}. Remove this one.`;
  if (/escape|hexadecimal/.test(reason))
    return "In double quotes, a backslash begins an escape sequence. Write it twice.";
  if (reason.includes("complex keys"))
    return "A key must be text. Put templates such as `{{ name }}` in quotes.";
  return `This is not valid YAML or JSON: ${reason}. Correct the text here.`;
}

/** Reads the key at the start of a text, without its quotes. */
function readKey(text: string): string | undefined {
  return /^["']?(.+?)(?:["']\s*:|:(?=\s|$))/.exec(text)?.[1];
}

/** Returns the line of the same key above a key that begins its line; undefined if another object is between them. */
function findLineOfKey(key: string | undefined, textBefore: string): number | undefined {
  const lines = textBefore.split("\n");
  // The parser's position is after the quote of a key.
  const indentation = lines.pop()?.replace(/["']$/, "") ?? "";
  if (key === undefined || /\S/.test(indentation)) return undefined;
  const isEqual = (line = ""): boolean =>
    line.startsWith(indentation) && readKey(line.slice(indentation.length)) === key;
  const index = lines.findLastIndex(
    (line) => isEqual(line) || (/\S/.test(line) && line.search(/\S/) < indentation.length),
  );
  return isEqual(lines[index]) ? index + 1 : undefined;
}

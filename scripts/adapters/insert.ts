import { Node, type SourceFile, ts } from "ts-morph";
import type { HandlerGroup } from "../model/model.js";
import type { ImplementationBody } from "./implementation.js";
import { getExportName } from "./stubs.js";

/**
 * Places members at the end of an object literal or class, after its comments. Line ends and indentation are those of the file.
 *
 * @param added the lines of each member, indented by two spaces per level, without a trailing comma
 */
export function insertMembers(body: ImplementationBody, added: readonly string[][]): ts.TextChange[] {
  if (added.length === 0) return [];
  const text = body.getSourceFile().getFullText();
  const closeBrace = body.getEnd() - 1;
  const offset = text.slice(0, closeBrace).trimEnd().length;
  const lineBreak = detectLineBreak(text);
  // The indentation of the first line that is indented by one level.
  const [, indentUnit = "  "] = /^(\t| {2,4})\S/m.exec(text) ?? [];
  const [baseIndent = ""] = /^[ \t]*/.exec(text.slice(body.getStartLinePos())) ?? [];

  const isObject = Node.isObjectLiteralExpression(body);
  const printed = added.map((lines) => {
    const indented = lines.map((line) => baseIndent + indentUnit + line.replace(/^ {2}/, indentUnit));
    return indented.join(lineBreak) + (isObject ? "," : "");
  });
  const separator = added.some((lines) => lines.length > 1) ? lineBreak + lineBreak : lineBreak;
  const last = (isObject ? body.getProperties() : body.getMembers()).at(-1);
  const braceLine = text.slice(offset, closeBrace).includes("\n") ? "" : lineBreak + baseIndent;
  const members = (last ? separator : lineBreak) + printed.join(separator) + braceLine;
  const needsComma = isObject && last && !body.compilerNode.properties.hasTrailingComma;
  // Without a semicolon, a field with the name `static` would be a modifier of the next member.
  const needsSemicolon = Node.isPropertyDeclaration(last) && !last.getText().endsWith(";");
  const terminator = needsComma ? "," : needsSemicolon ? ";" : "";
  return [insertText(last?.getEnd() ?? offset, terminator), insertText(offset, members)];
}

/** Places imports of new adapters after the last import of a relative path, in the style of that import. */
export function insertImports(source: SourceFile, added: readonly HandlerGroup[]): ts.TextChange[] {
  const sibling = source.getImportDeclarations().findLast((each) => each.isModuleSpecifierRelative());
  if (!sibling || added.length === 0) return [];
  const [, quote = '"', extension = "", semicolon = ""] =
    /(["'])[^"']*?(\.[mc]?[jt]s)?["'](;?)$/.exec(sibling.getText()) ?? [];
  const text = source.getFullText();
  const lines = added.map(
    (group) =>
      `${detectLineBreak(text)}import { ${getExportName(group)} } from ${quote}./${group.name}${extension}${quote}${semicolon}`,
  );
  // Inserted at the end of the line, so that a comment stays with its import.
  const offset = sibling.getEnd() + text.slice(sibling.getEnd()).search(/$/m);
  return [insertText(offset, lines.join(""))];
}

function insertText(offset: number, newText: string): ts.TextChange {
  return { span: ts.createTextSpan(offset, 0), newText };
}

function detectLineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

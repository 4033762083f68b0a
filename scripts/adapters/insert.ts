import { type ImportDeclaration, Node, type SourceFile } from "ts-morph";
import type { ImplementationBody, NewMember } from "./implementation.js";
import type { ParsedAdapter } from "./parse.js";

/** Adds the members to the implementations in a file. Spliced into the text, because ts-morph's `insertText` normalizes line ends. */
export function insertMembers({ text: original, source, implementations }: ParsedAdapter): string {
  const insertions = [
    ...implementations.flatMap(({ body, added }) => (body ? createMemberInsertions(body, added) : [])),
    ...createImportInsertions(
      source,
      implementations.flatMap(({ added }) => added),
    ),
  ];
  // ts-morph drops the byte order mark, so offsets in the source are smaller by its length.
  const bomLength = original.length - source.getFullText().length;
  return insertions
    .sort((one, other) => one.offset - other.offset)
    .reduceRight(
      (text, { offset, text: inserted }) =>
        text.slice(0, offset + bomLength) + inserted + text.slice(offset + bomLength),
      original,
    );
}

interface Insertion {
  offset: number;
  text: string;
}

/**
 * Places members at the end of an object literal or class, after its comments and in the style of the text around them.
 * A missing comma is inserted directly after the last member.
 */
function createMemberInsertions(body: ImplementationBody, added: readonly NewMember[]): Insertion[] {
  if (added.length === 0) return [];
  const text = body.getSourceFile().getFullText();
  const isObject = Node.isObjectLiteralExpression(body);
  const members: Node[] = isObject ? body.getProperties() : body.getMembers();
  // Ends after the last member and its comma, or after the opening brace.
  const list = isObject ? body.compilerNode.properties : body.compilerNode.members;
  const closeBrace = body.getEnd() - 1;
  const offset = list.end + text.slice(list.end, closeBrace).trimEnd().length;
  const spaceBeforeBrace = text.slice(offset, closeBrace);
  const braceOnOwnLine = spaceBeforeBrace.includes("\n");

  const lineBreak = detectLineBreak(text);
  // The indentation of the first indented line that is not inside a comment.
  const [, indentUnit = "  "] = /^(\t| {2,8})(?![\s*])/m.exec(text) ?? [];
  const baseIndent = readIndent(text, braceOnOwnLine ? closeBrace : list.pos);
  const sibling = members.findLast((member) => readLineBefore(text, member.getStart()).trim() === "");
  const indent = sibling ? readIndent(text, sibling.getStart()) : baseIndent + indentUnit;
  // Blank lines as between the last two members. With fewer members: between methods, but not in objects.
  const [previous, last] = members.slice(-2);
  const hasBlankLines =
    previous && last ? /\n[ \t]*\r?\n/.test(text.slice(previous.getEnd(), last.getStart())) : !isObject;
  const separator = hasBlankLines ? lineBreak + lineBreak : lineBreak;

  const needsComma = isObject && members.length > 0 && !body.compilerNode.properties.hasTrailingComma;
  const comma = { offset: list.end, text: needsComma ? "," : "" };
  // Adapters that are registered by name stay on the line of the others, as in `{ pages, users }`.
  const names = added.flatMap(({ lines }) => (lines.length === 1 ? lines : []));
  if (members.length > 0 && names.length === added.length && !body.getText().includes("\n"))
    return [comma, { offset, text: ` ${names.join(", ")}` }];
  const printed = added.map(({ lines }) =>
    lines
      .map((line) => indent + line.replace(/^(?: {2})+/, (spaces) => indentUnit.repeat(spaces.length / 2)))
      .join(lineBreak),
  );
  const inserted =
    (members.length > 0 ? separator : lineBreak) +
    printed.join((isObject ? "," : "") + separator) +
    (isObject && !needsComma ? "," : "") +
    // The white space before the brace stays, so it counts as indentation of the brace's new line.
    (braceOnOwnLine ? "" : lineBreak + baseIndent.slice(spaceBeforeBrace.length));
  return [comma, { offset, text: inserted }];
}

/**
 * Places the imports of new adapters after the last import from the same folder, or else of another relative path, in the style of
 * that import.
 */
function createImportInsertions(source: SourceFile, added: readonly NewMember[]): Insertion[] {
  const imports = source.getImportDeclarations();
  const isInFolder = (each: ImportDeclaration): boolean => each.getModuleSpecifierValue().startsWith("./");
  const lastImport =
    imports.findLast(isInFolder) ??
    imports.findLast((each) => each.isModuleSpecifierRelative()) ??
    imports.at(-1);
  if (!lastImport) return [];
  const text = source.getFullText();
  const [quote = ""] = lastImport.getModuleSpecifier().getText();
  const extension = /\.[mc]?[jt]s$/.exec(lastImport.getModuleSpecifierValue())?.[0] ?? "";
  const semicolon = lastImport.getText().endsWith(";") ? ";" : "";
  const registrations = added.filter(({ exportName }) => exportName !== undefined);
  const lines = registrations.map(
    ({ name, exportName }) =>
      `${detectLineBreak(text)}import { ${exportName} } from ${quote}./${name}${extension}${quote}${semicolon}`,
  );
  // Inserted at the end of the line, so that a comment stays with its import.
  const offset = lastImport.getEnd() + text.slice(lastImport.getEnd()).search(/$/m);
  return [{ offset, text: lines.join("") }];
}

function detectLineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function readIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(readLineBefore(text, offset))?.[0] ?? "";
}

function readLineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

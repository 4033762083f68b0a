import type {
  InterfaceDeclarationStructure,
  StatementStructures,
  TypeAliasDeclarationStructure,
} from "ts-morph";
import { BANNER } from "./encode.js";
import { breakLongLines } from "./layout.js";
import { IndentationText, Project, StructureKind } from "./ts-morph.js";

export type Statement = string | StatementStructures;

/** Stands for a text among the statements; nothing else that is printed begins a line with it. */
const TEXT = "//@text ";

/**
 * Prints statements as one TypeScript file below the banner. Texts are taken as they are laid out. Structures are
 * printed all at once, because ts-morph parses what it has printed each time.
 */
export function printSource(statements: Statement[]): string {
  const texts: string[] = [];
  const structures = statements.map((statement): Statement =>
    typeof statement === "string" ? `${TEXT}${texts.push(statement) - 1}` : statement,
  );
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  const printed = project.createSourceFile("generated.ts", { statements: structures }).getFullText();
  const parts = printed.split(new RegExp(`^${TEXT}([0-9]+)$`, "m"));
  // Every other part is the number of a text.
  const laidOut = parts.map((part, index) =>
    index % 2 === 0 ? breakLongLines(part).trim() : layOut(texts[Number(part)] ?? ""),
  );
  const blocks = [BANNER, ...laidOut].filter((part) => part !== "");
  return `${blocks.join("\n\n").replace(/;\n\n(?=import )/g, ";\n")}\n`;
}

/** Imports are made of names, as many as there are operations; any other text is laid out already. */
function layOut(text: string): string {
  return (text.startsWith("import ") ? breakLongLines(text) : text).trim();
}

/** What `printDeclaration` prints: an interface of properties, or a type. */
export type Declaration =
  | Pick<InterfaceDeclarationStructure, "kind" | "name" | "docs" | "properties">
  | Pick<TypeAliasDeclarationStructure, "kind" | "name" | "docs" | "type">;

/** Prints an exported declaration, as ts-morph would: of these there are thousands, and it parses what it prints. */
export function printDeclaration(declaration: Declaration): string {
  const { name, docs = [] } = declaration;
  const comment = docs.map((doc) => `${blockComment(String(doc))}\n`).join("");
  if (declaration.kind === StructureKind.TypeAlias) {
    const type = String(declaration.type);
    return breakLongLines(
      `${comment}export type ${name} =${type.startsWith("|") ? `\n${indent(type)}` : ` ${type}`};`,
    );
  }
  const properties = (declaration.properties ?? []).map(
    (property) => `  ${property.name}${property.hasQuestionToken ? "?" : ""}: ${String(property.type)};\n`,
  );
  const body = properties.length === 0 ? "{}" : `{\n${properties.join("")}}`;
  return breakLongLines(`${comment}export interface ${name} ${body}`);
}

function blockComment(text: string): string {
  if (!text.startsWith("\n")) return `/** ${text} */`;
  return `/**\n${text.slice(1).replace(/^/gm, " * ").replace(/ +$/gm, "")}\n */`;
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

import { BANNER, printDocComment } from "./encode.js";
import { breakLongLines } from "./break-lines.js";

/** A top-level statement: a declaration, or source code that is already formatted. */
export type Statement = string | Declaration;

/** An interface, a type alias or a function. */
export type Declaration = InterfaceDeclaration | TypeDeclaration | FunctionDeclaration;

interface Named {
  name: string;
  typeParameters?: string[];
  /** Lines of the doc comment, from `createDocs`. */
  docs?: string[];
}

export interface InterfaceDeclaration extends Named {
  kind: "interface";
  properties?: Property[];
  methods?: Method[];
}

export interface TypeDeclaration extends Named {
  kind: "type";
  type: string;
}

export interface FunctionDeclaration extends Method {
  kind: "function";
  /** Whether the function is not exported. */
  isLocal?: boolean;
  /** Formatted source code of each statement in the body. */
  statements: string[];
}

interface Method extends Named {
  parameters: Property[];
  returnType: string;
}

/** A property of an interface, or a parameter. */
export interface Property {
  name: string;
  type: string;
  isOptional?: boolean;
}

/**
 * Prints a TypeScript file: the banner and the statements. Does not use the printer of the TypeScript compiler, which for
 * thousands of declarations would take longer than all emitters together.
 */
export function printSource(statements: Statement[]): string {
  let text = BANNER;
  let isCompact = false;
  for (const statement of statements) {
    const block = typeof statement === "string" ? formatText(statement) : printDeclaration(statement);
    // There is no blank line between imports, nor between types without a comment.
    const wasCompact = isCompact;
    isCompact =
      typeof statement === "string"
        ? statement.startsWith("import ")
        : statement.kind === "type" && !statement.docs?.length;
    text += `${isCompact && wasCompact ? "\n" : "\n\n"}${block}`;
  }
  return `${text}\n`;
}

/** Breaks long imports. Any other source code is already formatted. */
function formatText(text: string): string {
  return (text.startsWith("import ") ? breakLongLines(text) : text).trim();
}

function printDeclaration(declaration: Declaration): string {
  const isLocal = declaration.kind === "function" && declaration.isLocal;
  const text = `${isLocal ? "" : "export "}${printWithoutExport(declaration)}`;
  return breakLongLines([...printDocComment(declaration.docs ?? []), text].join("\n"));
}

function printWithoutExport(declaration: Declaration): string {
  if (declaration.kind === "type") {
    const { name, type } = declaration;
    return `type ${name}${printTypeParameters(declaration)} =${type.startsWith("|") ? `\n${indent(type)}` : ` ${type}`};`;
  }
  if (declaration.kind === "function") {
    const statements = declaration.statements.map((statement) => `  ${statement}\n`);
    return `function ${printSignature(declaration)} {\n${statements.join("")}}`;
  }
  const { name, properties = [], methods = [] } = declaration;
  const members = [
    ...properties.map((property) => `  ${printProperty(property)};\n`),
    ...methods.map((method) => {
      const lines = [...printDocComment(method.docs ?? []), `${printSignature(method)};`];
      return `${indent(lines.join("\n"))}\n`;
    }),
  ];
  const body = members.length === 0 ? "{}" : `{\n${members.join("")}}`;
  return `interface ${name}${printTypeParameters(declaration)} ${body}`;
}

function printSignature(method: Method): string {
  const parameters = method.parameters.map(printProperty).join(", ");
  return `${method.name}${printTypeParameters(method)}(${parameters}): ${method.returnType}`;
}

function printTypeParameters({ typeParameters: names = [] }: Named): string {
  return names.length === 0 ? "" : `<${names.join(", ")}>`;
}

/** Prints a property without a semicolon. */
export function printProperty({ name, type, isOptional }: Property): string {
  return `${name}${isOptional ? "?" : ""}: ${type}`;
}

/** Indents the lines of a text that are not empty by two spaces. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

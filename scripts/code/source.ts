import { BANNER } from "./encode.js";
import { breakLongLines } from "./layout.js";

/** A top-level statement: source text that is laid out already, or a declaration. */
export type Statement = string | Declaration;

/** An interface, a type or a function. `docs` come from `docComment`. */
export type Declaration = InterfaceDeclaration | TypeDeclaration | FunctionDeclaration;

export interface InterfaceDeclaration {
  kind: "interface";
  name: string;
  typeParameters?: string[];
  docs: string[];
  properties?: { name: string; type: string; hasQuestionToken?: boolean }[];
  methods?: Method[];
}

export interface TypeDeclaration {
  kind: "type";
  name: string;
  typeParameters?: string[];
  docs: string[];
  type: string;
}

export interface FunctionDeclaration extends Method {
  kind: "function";
  /** Whether the declaration itself has no `export`. */
  hidden?: boolean;
  statements: string[];
}

interface Method {
  name: string;
  typeParameters?: string[];
  parameters: { name: string; type: string; hasQuestionToken?: boolean }[];
  returnType: string;
  docs?: string[];
}

/**
 * Prints statements as one TypeScript file below the banner. Declarations are printed by hand: there are thousands of
 * them, of three simple kinds, and the compiler's printer would take longer than all other emitters.
 */
export function printSource(statements: Statement[]): string {
  let text = BANNER;
  let isCompact = false;
  for (const statement of statements) {
    const block = typeof statement === "string" ? layOut(statement) : printDeclaration(statement);
    if (block === "") continue;
    // Imports and types without a comment stand together.
    const wasCompact = isCompact;
    isCompact =
      typeof statement === "string"
        ? statement.startsWith("import ")
        : statement.kind === "type" && statement.docs.length === 0;
    text += `${isCompact && wasCompact ? "\n" : "\n\n"}${block}`;
  }
  return `${text}\n`;
}

/** Breaks long imports; any other text is laid out already. */
function layOut(text: string): string {
  return (text.startsWith("import ") ? breakLongLines(text) : text).trim();
}

function printDeclaration(declaration: Declaration): string {
  const docs = (declaration.docs ?? []).map((doc) => `${blockComment(doc)}\n`).join("");
  const hidden = declaration.kind === "function" && declaration.hidden;
  return breakLongLines(`${docs}${hidden ? "" : "export "}${printBody(declaration)}`);
}

function printBody(declaration: Declaration): string {
  if (declaration.kind === "type") {
    const { name, type } = declaration;
    return `type ${name}${typeParameters(declaration)} =${type.startsWith("|") ? `\n${indent(type)}` : ` ${type}`};`;
  }
  if (declaration.kind === "function") {
    const statements = declaration.statements.map((statement) => `  ${statement}\n`);
    return `function ${signature(declaration)} {\n${statements.join("")}}`;
  }
  const { name, properties = [], methods = [] } = declaration;
  const members = [
    ...properties.map((property) => `  ${optional(property)};\n`),
    ...methods.map(
      (method) =>
        `${indent([...(method.docs ?? []).map(blockComment), `${signature(method)};`].join("\n"))}\n`,
    ),
  ];
  const body = members.length === 0 ? "{}" : `{\n${members.join("")}}`;
  return `interface ${name}${typeParameters(declaration)} ${body}`;
}

function signature(method: Method): string {
  const parameters = method.parameters.map(optional).join(", ");
  return `${method.name}${typeParameters(method)}(${parameters}): ${method.returnType}`;
}

function typeParameters({ typeParameters: names = [] }: { typeParameters?: string[] }): string {
  return names.length === 0 ? "" : `<${names.join(", ")}>`;
}

function optional({ name, type, hasQuestionToken }: Method["parameters"][number]): string {
  return `${name}${hasQuestionToken ? "?" : ""}: ${type}`;
}

function blockComment(text: string): string {
  if (!text.startsWith("\n")) return `/** ${text} */`;
  return `/**\n${text.slice(1).replace(/^/gm, " * ").replace(/ +$/gm, "")}\n */`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

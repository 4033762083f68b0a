import { printStringLiteral } from "../../code/encode.js";
import { printDeclaration } from "../../code/print-source.js";
import { compareText } from "../../text.js";

/** Collects the imports of a generated file while its code is printed: names of the runtime, and the namespace `Types`. */
export class Imports {
  private readonly names = new Map<string, "type" | "value">();
  private importsTypes = false;

  /** @param runtime module specifier of the server's or client's runtime */
  constructor(private readonly runtime: string) {}

  /** Imports a type of the runtime and returns its name. */
  importRuntimeType(name: string): string {
    if (!this.names.has(name)) this.names.set(name, "type");
    return name;
  }

  /** Imports a value of the runtime and returns its name. */
  importRuntimeValue(name: string): string {
    this.names.set(name, "value");
    return name;
  }

  /** Imports a function of the runtime and prints a call of it. */
  printCall(name: string, ...args: string[]): string {
    return `${this.importRuntimeValue(name)}(${args.join(", ")})`;
  }

  /** Imports the namespace `Types` of types.ts for a type of the document, e.g. `Types.Page`. Returns the type. */
  importDocumentType(type: string): string {
    this.importsTypes = true;
    return type;
  }

  /** Prints the import declarations. */
  printDeclarations(): string[] {
    return [
      ...(this.names.size > 0 ? [this.printRuntimeImport()] : []),
      ...(this.importsTypes ? ['import type * as Types from "./types.js";'] : []),
    ];
  }

  private printRuntimeImport(): string {
    const sorted = [...this.names].sort(([one], [other]) => compareText(one, other));
    const typesOnly = sorted.every(([, kind]) => kind === "type");
    const names = sorted.map(([name, kind]) => (kind === "type" && !typesOnly ? `type ${name}` : name));
    return printDeclaration(
      `import ${typesOnly ? "type " : ""}{ ${names.join(", ")} } from ${printStringLiteral(this.runtime)};`,
    );
  }
}

import { Node, type SourceFile } from "ts-morph";
import type { OperationGroup } from "../model/model.js";
import { type Insertion, detectLineBreak, type NewMember } from "./insert.js";
import { findDeclaration, type InterfaceReference } from "./interfaces.js";

/** An imported type that is a type argument of the `Handlers` object. */
export interface ImportedType {
  name: string;
  /** Import specifier, with an alias if it has one: `Context` or `AppContext as Context`. */
  imported: string;
  module: string;
}

/** Returns the type arguments of the `Handlers` object; undefined unless all of them are imported types. */
export function findImportedTypes(reference: InterfaceReference | undefined): ImportedType[] | undefined {
  const types = Node.isTypeReference(reference?.node) ? reference.node.getTypeArguments() : [];
  const imported = types.flatMap((type) => {
    const name = Node.isTypeReference(type) ? type.getTypeName() : undefined;
    const declaration = Node.isIdentifier(name) ? findDeclaration(name) : undefined;
    if (!Node.isImportSpecifier(declaration)) return [];
    const imported = declaration.getText().replace(/^type /, "");
    const module = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: type.getText(), imported, module };
  });
  return types.length > 0 && imported.length === types.length ? imported : undefined;
}

/** Chooses the name of the export of a new adapter. */
export function chooseExportName({ name, interfaceName }: OperationGroup): string {
  // A value with the name of the interface would conflict with the import.
  return `${name}Handlers` === interfaceName ? `make${interfaceName}` : `${name}Handlers`;
}

/** Creates the member of the `Handlers` object for a new adapter, which exports an object or a function. */
export function createRegistration(group: OperationGroup, isObject: boolean): NewMember {
  const exported = chooseExportName(group);
  return { name: group.name, exported, lines: [`${group.name}: ${exported}${isObject ? "" : "()"}`] };
}

/** Places the imports of new adapters after the last import from the same folder, in the style of that import. */
export function placeImports(source: SourceFile, registered: readonly NewMember[]): Insertion[] {
  const declarations = source.getImportDeclarations();
  const lastImport =
    declarations.findLast((one) => one.getModuleSpecifierValue().startsWith("./")) ?? declarations.at(-1);
  if (!lastImport || registered.length === 0) return [];
  const text = source.getFullText();
  const [quote = ""] = lastImport.getModuleSpecifier().getText();
  const extension = /\.[mc]?[jt]s$/.exec(lastImport.getModuleSpecifierValue())?.[0] ?? "";
  const semicolon = lastImport.getText().endsWith(";") ? ";" : "";
  const lines = registered.map(
    ({ name, exported }) =>
      `${detectLineBreak(text)}import { ${exported} } from ${quote}./${name}${extension}${quote}${semicolon}`,
  );
  // At the end of the line, so that a comment stays with its import.
  return [{ at: lastImport.getEnd() + text.slice(lastImport.getEnd()).search(/$/m), text: lines.join("") }];
}

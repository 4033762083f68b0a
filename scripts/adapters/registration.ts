import { Node, type SourceFile } from "ts-morph";
import type { OperationGroup } from "../model/model.js";
import { type Insertion, detectLineBreak, type NewMember } from "./insert.js";
import { findDeclaration, type InterfaceReference } from "./interfaces.js";

/** A type argument of the `Handlers` object that is an imported type, such as `Context` in `Handlers<Context>`. */
export interface ImportedType {
  /** Name in the file of the `Handlers` object. */
  name: string;
  /** Name in an import declaration, with an alias if it has one: `Context` or `AppContext as Context`. */
  importSpecifier: string;
  module: string;
}

/** Returns the type arguments of the `Handlers` object; undefined unless all of them are imported types. */
export function findImportedTypes(reference: InterfaceReference | undefined): ImportedType[] | undefined {
  const typeArguments = Node.isTypeReference(reference?.node) ? reference.node.getTypeArguments() : [];
  const importedTypes = typeArguments.flatMap((type) => {
    const name = Node.isTypeReference(type) ? type.getTypeName() : undefined;
    const declaration = Node.isIdentifier(name) ? findDeclaration(name) : undefined;
    if (!Node.isImportSpecifier(declaration)) return [];
    const importSpecifier = declaration.getText().replace(/^type /, "");
    const module = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: type.getText(), importSpecifier, module };
  });
  return typeArguments.length > 0 && importedTypes.length === typeArguments.length
    ? importedTypes
    : undefined;
}

/** Chooses the name that a new adapter exports. */
export function chooseExportName({ name, interfaceName }: OperationGroup): string {
  // A value with the name of the interface would conflict with the import.
  return `${name}Handlers` === interfaceName ? `make${interfaceName}` : `${name}Handlers`;
}

/**
 * Creates the member of the `Handlers` object that registers a new adapter.
 *
 * @param isObject whether the adapter exports an object, otherwise a function that returns one
 */
export function createRegistration(group: OperationGroup, isObject: boolean): NewMember {
  const exportName = chooseExportName(group);
  return { name: group.name, exportName, lines: [`${group.name}: ${exportName}${isObject ? "" : "()"}`] };
}

/** Places the imports of new adapters after the last import from the same folder, in the style of that import. */
export function placeImports(source: SourceFile, registrations: readonly NewMember[]): Insertion[] {
  const declarations = source.getImportDeclarations();
  const lastImport =
    declarations.findLast((declaration) => declaration.getModuleSpecifierValue().startsWith("./")) ??
    declarations.at(-1);
  if (!lastImport || registrations.length === 0) return [];
  const text = source.getFullText();
  const [quote = ""] = lastImport.getModuleSpecifier().getText();
  const extension = /\.[mc]?[jt]s$/.exec(lastImport.getModuleSpecifierValue())?.[0] ?? "";
  const semicolon = lastImport.getText().endsWith(";") ? ";" : "";
  const lines = registrations.map(
    ({ name, exportName }) =>
      `${detectLineBreak(text)}import { ${exportName} } from ${quote}./${name}${extension}${quote}${semicolon}`,
  );
  // Inserted at the end of the line, so that a comment stays with its import.
  return [{ at: lastImport.getEnd() + text.slice(lastImport.getEnd()).search(/$/m), text: lines.join("") }];
}

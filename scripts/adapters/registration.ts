import { Node } from "ts-morph";
import type { OperationGroup } from "../model/model.js";
import type { NewMember } from "./insert.js";
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
    const declaration = Node.isTypeReference(type) ? findDeclaration(type.getTypeName()) : undefined;
    if (!Node.isImportSpecifier(declaration)) return [];
    const importSpecifier = declaration.getText().replace(/^type /, "");
    const module = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: type.getText(), importSpecifier, module };
  });
  const allImported = typeArguments.length > 0 && importedTypes.length === typeArguments.length;
  return allImported ? importedTypes : undefined;
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

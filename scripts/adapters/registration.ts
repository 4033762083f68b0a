import { Node, type SourceFile } from "ts-morph";
import type { OperationGroup } from "../model/model.js";
import { type Insertion, detectLineBreak, type NewMember } from "./insert.js";
import { findDeclaration, type InterfaceReference } from "./interfaces.js";

/** A type argument that a file imports. */
export interface ImportedType {
  name: string;
  /** Name in an import declaration, with its alias. */
  imported: string;
  module: string;
}

/** Finds the type arguments of the object with all handlers; undefined unless a new file can import all of them, too. */
export function findImportedTypes(all: InterfaceReference | undefined): ImportedType[] | undefined {
  const types = Node.isTypeReference(all?.node) ? all.node.getTypeArguments() : [];
  const found = types.flatMap((type) => {
    const name = Node.isTypeReference(type) ? type.getTypeName() : undefined;
    const declaration = Node.isIdentifier(name) ? findDeclaration(name) : undefined;
    if (!Node.isImportSpecifier(declaration)) return [];
    const imported = declaration.getText().replace(/^type /, "");
    const module = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: type.getText(), imported, module };
  });
  return types.length > 0 && found.length === types.length ? found : undefined;
}

/** Names the export of the new file of a group. */
export function nameExport({ name, interfaceName }: OperationGroup): string {
  // A value with the name of the interface would conflict with the import.
  return `${name}Handlers` === interfaceName ? `make${interfaceName}` : `${name}Handlers`;
}

/** Describes the new file of a group, which exports an object or a function, as a member of the object with all handlers. */
export function registerGroup(group: OperationGroup, isObject: boolean): NewMember {
  const exported = nameExport(group);
  return { name: group.name, exported, lines: [`${group.name}: ${exported}${isObject ? "" : "()"}`] };
}

/** Places imports of new files after the last import from the same folder, in its style. */
export function placeImports(source: SourceFile, registered: readonly NewMember[]): Insertion[] {
  const all = source.getImportDeclarations();
  const example = all.findLast((one) => one.getModuleSpecifierValue().startsWith("./")) ?? all.at(-1);
  if (!example || registered.length === 0) return [];
  const text = source.getFullText();
  const [quote = ""] = example.getModuleSpecifier().getText();
  const extension = /\.[mc]?[jt]s$/.exec(example.getModuleSpecifierValue())?.[0] ?? "";
  const semicolon = example.getText().endsWith(";") ? ";" : "";
  const lines = registered.map(
    ({ name, exported }) =>
      `${detectLineBreak(text)}import { ${exported} } from ${quote}./${name}${extension}${quote}${semicolon}`,
  );
  // At the end of the line, so that a comment stays with its import.
  return [{ at: example.getEnd() + text.slice(example.getEnd()).search(/$/m), text: lines.join("") }];
}

import { Node, type SourceFile } from "ts-morph";
import type { HandlerGroup, Registration } from "./handlers.js";
import { type Insertion, lineBreak } from "./insert.js";
import { declarationOf, type InterfaceReference } from "./interfaces.js";

/** Type argument that a file imports. */
interface ImportedType {
  name: string;
  /** Name in an import declaration, with its alias. */
  imported: string;
  module: string;
}

/** The type arguments of the object with all handlers, if all are imported, so that a new file can import them too. */
export function typeArgumentsOf(all: InterfaceReference | undefined): ImportedType[] | undefined {
  const types = Node.isTypeReference(all?.node) ? all.node.getTypeArguments() : [];
  const found = types.flatMap((type) => {
    const name = Node.isTypeReference(type) ? type.getTypeName() : undefined;
    const declaration = Node.isIdentifier(name) ? declarationOf(name) : undefined;
    if (!Node.isImportSpecifier(declaration)) return [];
    const imported = declaration.getText().replace(/^type /, "");
    return {
      name: type.getText(),
      imported,
      module: declaration.getImportDeclaration().getModuleSpecifierValue(),
    };
  });
  return types.length > 0 && found.length === types.length ? found : undefined;
}

/** Describes the file that a group gets, as a member of the object with all handlers. */
export function describeAdapter(
  { name, interfaceName }: HandlerGroup,
  all: InterfaceReference | undefined,
): Registration {
  // A value with the name of the interface would conflict with the import.
  const exported = `${name}Handlers` === interfaceName ? `make${interfaceName}` : `${name}Handlers`;
  return { name, exported, value: typeArgumentsOf(all) ? exported : `${exported}()` };
}

/** Places imports of new files after the last import from the same folder, in its style. */
export function placeImports(source: SourceFile, registrations: readonly Registration[]): Insertion[] {
  const all = source.getImportDeclarations();
  const example = all.findLast((one) => one.getModuleSpecifierValue().startsWith("./")) ?? all.at(-1);
  if (!example || registrations.length === 0) return [];
  const text = source.getFullText();
  const [quote = ""] = example.getModuleSpecifier().getText();
  const extension = /\.[mc]?[jt]s$/.exec(example.getModuleSpecifierValue())?.[0] ?? "";
  const semicolon = example.getText().endsWith(";") ? ";" : "";
  const lines = registrations.map(
    ({ name, exported }) =>
      `${lineBreak(text)}import { ${exported} } from ${quote}./${name}${extension}${quote}${semicolon}`,
  );
  // At the end of the line, so that a comment stays with its import.
  return [{ at: example.getEnd() + text.slice(example.getEnd()).search(/$/m), text: lines.join("") }];
}

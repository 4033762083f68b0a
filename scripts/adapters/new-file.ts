import path from "node:path";
import { Node } from "ts-morph";
import { createFileDiagnostic, type Diagnostic } from "../diagnostic.js";
import { indent } from "../code/print-source.js";
import { groupBy } from "../maps.js";
import type { HandlerGroup } from "../model/model.js";
import { ALL_HANDLERS, type Implementation } from "./implementation.js";
import type { NewMember } from "./insert.js";
import { type AdapterEdit, type AdapterFile, isAdapterName } from "./files.js";
import { formatAsProject } from "./format.js";
import { printStub } from "./stub.js";

/**
 * Finds the reasons not to create an adapter for a group without an implementation.
 *
 * @param names names of all files in the folder
 * @param files the adapters in the folder
 * @returns undefined if there are none; empty if a reason has been reported already
 */
export function checkNewAdapter(
  { name, interfaceName, operations }: HandlerGroup,
  dir: string,
  names: readonly string[],
  files: readonly AdapterFile[],
): Diagnostic[] | undefined {
  if (operations.length === 0) return [];
  // Case-insensitive: many file systems treat `Pages.ts` and `pages.ts` as one file.
  const hasName = (file: string): boolean => path.parse(file).name.toLowerCase() === name.toLowerCase();
  // A file with a warning was reported already, and may contain the implementation.
  const unreadFiles = files.filter(({ warning }) => warning);
  if (unreadFiles.some(({ file, text }) => text.includes(interfaceName) || hasName(file))) return [];
  const existing = names.find((one) => /\.[cm]?[jt]sx?$/.test(one) && hasName(one));
  if (existing === undefined) return undefined;
  const file = path.join(dir, existing);
  if (isAdapterName(existing)) {
    const message = `This file does not implement ${interfaceName}. Implement it here, or rename the file to make room for a new ${name}.ts.`;
    return [createFileDiagnostic("error", file, message)];
  }
  // An import of pages.js would resolve to a new pages.ts.
  const handlers = operations.map((operation) => operation.name).join(", ");
  const message = `Only .ts and .mts files are read. Make sure that this file has the handlers ${handlers}.`;
  return [createFileDiagnostic("warning", file, message)];
}

/**
 * Creates the adapter of a group: an object of stubs, or a generic function that returns such an object if the type
 * arguments are unknown.
 *
 * @param types the type arguments of the `Handlers` object in another adapter, if they can be imported
 */
export async function createAdapterFile(
  group: HandlerGroup,
  dir: string,
  routesModule: string,
  types: readonly ImportedType[] | undefined,
): Promise<AdapterEdit> {
  const { name, interfaceName, operations } = group;
  const file = path.join(dir, `${name}.ts`);
  const exportName = chooseExportName(group);
  const imports = [
    { importSpecifier: interfaceName, module: toModuleSpecifier(path.relative(dir, routesModule)) },
    ...(types ?? []),
  ];
  const importLines = [...groupBy(imports, ({ module }) => module)].map(([module, named]) => {
    const list = named.map(({ importSpecifier }) => importSpecifier).join(", ");
    return `import type { ${list} } from ${JSON.stringify(module)};\n`;
  });
  const stubs = operations.map((operation) => `${printStub(operation).join("\n")},`);
  const members = indent(stubs.join("\n\n"));
  const code = types
    ? `export const ${exportName}: ${interfaceName}<${types.map((type) => type.name).join(", ")}> = {\n${members}\n};`
    : `export function ${exportName}<Context>(): ${interfaceName}<Context> {\n  return {\n${indent(members)}\n  };\n}`;
  return {
    file,
    content: await formatAsProject(file, `${importLines.join("")}\n${code}\n`),
    addedHandlers: operations.map((operation) => operation.name),
    created: true,
  };
}

/** Converts a relative path to a module specifier, with the extension of the compiled file. */
function toModuleSpecifier(relative: string): string {
  const compiled = relative
    .split(path.sep)
    .join("/")
    .replace(/\.([mc]?)ts$/, ".$1js");
  return compiled.startsWith("../") ? compiled : `./${compiled}`;
}

/** A type argument of the `Handlers` object that is an imported type, such as `Context` in `Handlers<Context>`. */
interface ImportedType {
  /** Name in the file of the `Handlers` object. */
  name: string;
  /** Name in an import declaration, with an alias if it has one: `Context` or `AppContext as Context`. */
  importSpecifier: string;
  module: string;
}

/** Returns the type arguments of the `Handlers` object; undefined unless all of them are imported types. */
export function findImportedTypes(handlersObject: Implementation | undefined): ImportedType[] | undefined {
  const annotation = handlersObject?.interfaces.get(ALL_HANDLERS);
  const typeArguments = Node.isTypeReference(annotation) ? annotation.getTypeArguments() : [];
  const importedTypes = typeArguments.flatMap((type) => {
    const declaration = Node.isTypeReference(type)
      ? type.getTypeName().getSymbol()?.getDeclarations()[0]
      : undefined;
    if (!Node.isImportSpecifier(declaration)) return [];
    const importSpecifier = declaration.getText().replace(/^type /, "");
    const module = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: type.getText(), importSpecifier, module };
  });
  const allImported = typeArguments.length > 0 && importedTypes.length === typeArguments.length;
  return allImported ? importedTypes : undefined;
}

/** Chooses the name that a new adapter exports. */
function chooseExportName({ name, interfaceName }: HandlerGroup): string {
  // A value with the name of the interface would conflict with the import.
  return `${name}Handlers` === interfaceName ? `make${interfaceName}` : `${name}Handlers`;
}

/**
 * Creates the member of the `Handlers` object that registers a new adapter.
 *
 * @param exported what the adapter exports: an object, or a function that returns one
 */
export function createRegistration(group: HandlerGroup, exported: "object" | "function"): NewMember {
  const exportName = chooseExportName(group);
  const value = exported === "object" ? exportName : `${exportName}()`;
  return { name: group.name, exportName, lines: [`${group.name}: ${value}`] };
}

import path from "node:path";
import { Node } from "ts-morph";
import { createFileDiagnostic, type Diagnostic } from "../diagnostic.js";
import { indent } from "../code/print-source.js";
import { groupBy } from "../maps.js";
import type { HandlerGroup } from "../model/model.js";
import { toModuleSpecifier } from "../file-system.js";
import { ALL_HANDLERS, createWarning, type Implementation, type NewMember } from "./implementation.js";
import { type AdapterEdit, isAdapterName } from "./files.js";
import type { ParsedAdapter } from "./parse.js";
import { createStub } from "./stub.js";

/**
 * Checks whether an adapter can be created for a group without an implementation.
 *
 * @returns the obstacles that were not reported before; undefined if it can
 */
export function checkCreation(
  { name, interfaceName, operations }: HandlerGroup,
  dir: string,
  names: readonly string[],
  adapters: readonly ParsedAdapter[],
): Diagnostic[] | undefined {
  if (operations.length === 0) return [];
  // Case-insensitive: many file systems treat `Pages.ts` and `pages.ts` as one file.
  const hasName = (file: string): boolean => path.parse(file).name.toLowerCase() === name.toLowerCase();
  // A refused file was reported already, and may contain the implementation.
  const unreadFiles = adapters.filter(({ refusal }) => refusal);
  if (unreadFiles.some(({ file, text }) => text.includes(interfaceName) || hasName(file))) return [];
  const existing = names.find((one) => /\.[cm]?[jt]sx?$/.test(one) && hasName(one));
  if (existing === undefined) {
    const mention = findMention(interfaceName, adapters);
    const message = `No file is created for ${interfaceName}, because it is mentioned here. Annotate its implementation with it, such as \`const ${name}: ${interfaceName}<Context> = { ... }\`, or remove the mention.`;
    return mention && [createWarning(mention, message)];
  }
  const handlers = operations.map((operation) => operation.name).join(", ");
  const isRead = isAdapterName(existing);
  const message = isRead
    ? `This file does not implement ${interfaceName}. Implement it here, or rename the file to make room for a new ${name}.ts.`
    : // An import of pages.js would resolve to a new pages.ts.
      `Only .ts and .mts files are read. Make sure that this file has the handlers ${handlers}.`;
  return [createFileDiagnostic(isRead ? "error" : "warning", path.join(dir, existing), message)];
}

/** Finds the first use of an interface in adapters, or else its first import. An adapter that only exports it again has neither. */
function findMention(interfaceName: string, adapters: readonly ParsedAdapter[]): Node | undefined {
  const mentions = adapters
    .filter(({ text }) => text.includes(interfaceName))
    .flatMap(({ source }) => source.forEachDescendantAsArray())
    .filter((node) => Node.isIdentifier(node) && node.getText() === interfaceName)
    .filter((node) => !node.getFirstAncestor(Node.isExportDeclaration));
  return mentions.find((node) => !node.getFirstAncestor(Node.isImportDeclaration)) ?? mentions[0];
}

/**
 * Creates the adapter of a group: an object of stubs. Also returns the member of the `Handlers` object that registers it.
 *
 * @param types the type arguments of the `Handlers` object in another adapter; undefined if they cannot be imported. The
 *   context is `unknown` then, so that the object fits every context.
 */
export function createAdapter(
  { name, interfaceName, operations }: HandlerGroup,
  dir: string,
  routesModule: string,
  types: readonly ImportedType[] | undefined,
): { edit: AdapterEdit; registration: NewMember } {
  // A value with the name of the interface would conflict with the import.
  const exportName = `${name}Handlers` === interfaceName ? `${interfaceName}Object` : `${name}Handlers`;
  const routesSpecifier = toModuleSpecifier(
    path.relative(dir, routesModule.replace(/\.([mc]?)ts$/, ".$1js")),
  );
  const imports = [{ importSpecifier: interfaceName, module: routesSpecifier }, ...(types ?? [])];
  const importLines = [...groupBy(imports, ({ module }) => module)].map(([module, named]) => {
    const list = named.map(({ importSpecifier }) => importSpecifier).join(", ");
    return `import type { ${list} } from ${JSON.stringify(module)};\n`;
  });
  const typeArguments = types ? types.map((type) => type.name).join(", ") : "unknown";
  const stubs = operations.map((operation) => indent(`${createStub(operation).lines.join("\n")},`));
  const content = `${importLines.join("")}
export const ${exportName}: ${interfaceName}<${typeArguments}> = {
${stubs.join("\n\n")}
};
`;
  const addedHandlers = operations.map((operation) => operation.name);
  return {
    edit: { file: path.join(dir, `${name}.ts`), content, addedHandlers, created: true },
    registration: { name, exportName, lines: [`${name}: ${exportName}`] },
  };
}

/** A type argument of the `Handlers` object that is an imported type, such as `Context` in `Handlers<Context>`. */
interface ImportedType {
  /** Name in the file of the `Handlers` object. */
  name: string;
  /** Name in an import declaration, with an alias if it has one: `Context` or `AppContext as Context`. */
  importSpecifier: string;
  module: string;
}

/** Returns the type arguments of the `Handlers` object; undefined unless all of them are imported types without arguments. */
export function findImportedTypes(handlersObject: Implementation | undefined): ImportedType[] | undefined {
  const annotation = handlersObject?.interfaces.get(ALL_HANDLERS);
  const typeArguments = Node.isTypeReference(annotation) ? annotation.getTypeArguments() : [];
  const importedTypes = typeArguments.flatMap((type) => {
    // The arguments of such a type would have to be imported too.
    if (!Node.isTypeReference(type) || type.getTypeArguments().length > 0) return [];
    const [declaration] = type.getTypeName().getSymbol()?.getDeclarations() ?? [];
    if (!Node.isImportSpecifier(declaration)) return [];
    const importSpecifier = declaration.getText().replace(/^type /, "");
    const module = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: type.getText(), importSpecifier, module };
  });
  const allImported = typeArguments.length > 0 && importedTypes.length === typeArguments.length;
  return allImported ? importedTypes : undefined;
}

import path from "node:path";
import { type ImportSpecifier, Node } from "ts-morph";
import { escapeCommentText } from "../code/encode.js";
import { indent } from "../code/print-source.js";
import { toModuleSpecifier } from "../file-system.js";
import { groupBy } from "../maps.js";
import type { HandledOperation, HandlerGroup } from "../model/model.js";
import type { AdapterEdit } from "./files.js";
import { ALL_HANDLERS, type Implementation } from "./implementation.js";

/**
 * Creates the adapter of a group: an object of stubs.
 *
 * @param types type arguments of the interface. Without any, the context is `unknown`, so that the object fits every context.
 */
export function createAdapter(
  group: HandlerGroup,
  folder: string,
  routesModule: string,
  types: readonly ImportSpecifier[],
): AdapterEdit {
  const { name, interfaceName, operations } = group;
  const routes = toModuleSpecifier(path.relative(folder, routesModule.replace(/\.([mc]?)ts$/, ".$1js")));
  const imports = types.map((type) => ({
    name: type.getText().replace(/^type /, ""),
    module: type.getImportDeclaration().getModuleSpecifierValue(),
  }));
  const modules = groupBy([{ name: interfaceName, module: routes }, ...imports], ({ module }) => module);
  const importLines = Array.from(modules, ([module, imported]) => {
    const names = imported.map((each) => each.name).join(", ");
    return `import type { ${names} } from ${JSON.stringify(module)};\n`;
  });
  const typeArguments = types.map(getLocalName).join(", ") || "unknown";
  const stubs = operations.map((operation) => indent(`${printStub(operation, true).join("\n")},`));
  const content = `${importLines.join("")}
export const ${getExportName(group)}: ${interfaceName}<${typeArguments}> = {
${stubs.join("\n\n")}
};
`;
  const addedHandlers = operations.map((operation) => operation.name);
  return { file: path.join(folder, `${name}.ts`), content, addedHandlers, created: true };
}

/** Returns the name that the adapter of a group exports. A value with the name of the interface would conflict with its import. */
export function getExportName({ name, interfaceName }: HandlerGroup): string {
  return `${name}Handlers` === interfaceName ? `${interfaceName}Object` : `${name}Handlers`;
}

/** Finds the type arguments of the `Handlers` object. Returns none unless all of them are imported types without arguments. */
export function findImportedTypes(implementations: readonly Implementation[]): ImportSpecifier[] {
  const all = implementations.find(({ interfaces }) => interfaces.has(ALL_HANDLERS));
  const annotation = all?.interfaces.get(ALL_HANDLERS);
  if (!Node.isTypeReference(annotation)) return [];
  const declarations = annotation.getSourceFile().getImportDeclarations();
  const specifiers = declarations.flatMap((declaration) => declaration.getNamedImports());
  const names = annotation.getTypeArguments().map((type) => type.getText());
  const found = names.flatMap((name) => specifiers.find((each) => getLocalName(each) === name) ?? []);
  return found.length === names.length ? found : [];
}

function getLocalName(specifier: ImportSpecifier): string {
  return (specifier.getAliasNode() ?? specifier.getNameNode()).getText();
}

/** Prints the lines of a stub: a handler that is not implemented, for an object literal or a class. */
export function printStub(
  { name, method, path: route, summary }: HandledOperation,
  inObject: boolean,
): string[] {
  // Text of the document cannot end the comment, start another line or a JSDoc tag.
  const comment = escapeCommentText(`${method.toUpperCase()} ${route}${summary ? `: ${summary}` : ""}`)
    .replace(/\s+/g, " ")
    .replace(/(^|[\s{])@+/g, "$1");
  return [
    `/** ${comment} */`,
    // In an object the parameters get their types from the interface. In a class the result would be `Promise<void>`.
    inObject ? `async ${name}(_request, _context) {` : `async ${name}(): Promise<never> {`,
    `  throw Object.assign(new Error(${JSON.stringify(`${name} is not implemented`)}), { status: 501 });`,
    "}",
  ];
}

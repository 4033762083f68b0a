import path from "node:path";
import { IndentationText, Project, QuoteKind } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { AdapterEdit, HandlerGroup } from "./handlers.js";
import { type AdapterFolder, isAdapterName } from "./folder.js";
import { formatAsProject } from "./format.js";
import { stubLines } from "./stub.js";

/** Decides whether a file can be created for a group without an implementation; a diagnostic says what prevents it. */
export function canCreate(
  group: HandlerGroup,
  { dir, names, skipped }: Pick<AdapterFolder, "dir" | "names" | "skipped">,
): boolean | Diagnostic {
  if (group.operations.length === 0) return false;
  // Case-insensitive: many file systems treat `Pages.ts` and `pages.ts` as one file.
  const hasName = (file: string): boolean => path.parse(file).name.toLowerCase() === group.name.toLowerCase();
  // A skipped file was reported already, and may contain the implementation.
  if (skipped.some(({ file, text }) => text.includes(group.interfaceName) || hasName(file))) return false;
  const taken = names.find((name) => isModule(name) && hasName(name));
  if (taken === undefined) return true;
  const position = { file: path.join(dir, taken), line: 1, col: 1, pointer: "" };
  if (!isAdapterName(taken)) {
    // An import of pages.js would resolve to a new pages.ts.
    const handlers = group.operations.map(({ name }) => name).join(", ");
    const message = `Only .ts and .mts files are read. Make sure that this file has the handlers ${handlers}.`;
    return { severity: "warning", message, position };
  }
  const message = `This file does not implement ${group.interfaceName}. Implement it here, or rename the file to make room for a new ${group.name}.ts.`;
  return { severity: "error", message, position };
}

/** Whether an import without an extension, or with the extension `.js`, could resolve to a file. */
function isModule(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && !/\.(?:d|test)\.[cm]?tsx?$/.test(name);
}

/** Creates the adapter of a group: a function that returns an object of stubs. */
export async function createAdapter(
  group: HandlerGroup,
  dir: string,
  routesModule: string,
): Promise<AdapterEdit> {
  const file = path.join(dir, `${group.name}.ts`);
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Double },
  });
  const stubs = group.operations.map((operation) => {
    const lines = stubLines(operation, { kind: "contextual" });
    return `${lines.map((line) => `  ${line}`).join("\n")},`;
  });
  const name = `${group.name}Handlers`;
  const source = project.createSourceFile("/adapter.ts");
  source.addImportDeclaration({
    isTypeOnly: true,
    namedImports: [group.interfaceName],
    moduleSpecifier: importPath(dir, routesModule),
  });
  source.addFunction({
    isExported: true,
    // A function with the name of the interface would shadow the import.
    name: name === group.interfaceName ? `make${name}` : name,
    typeParameters: ["Context"],
    returnType: `${group.interfaceName}<Context>`,
    statements: `return {\n${stubs.join("\n\n")}\n};`,
  });
  return {
    file,
    content: await formatAsProject(file, source.getFullText()),
    added: group.operations.map((operation) => operation.name),
    created: true,
  };
}

/** The module specifier of the routes in a folder: relative, with the extension of the compiled file. */
function importPath(dir: string, routesModule: string): string {
  const relative = path.relative(dir, routesModule).split(path.sep).join("/");
  const compiled = relative.replace(/\.([mc]?)ts$/, ".$1js");
  return compiled.startsWith("../") ? compiled : `./${compiled}`;
}

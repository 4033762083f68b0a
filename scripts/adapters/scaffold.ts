import path from "node:path";
import { IndentationText, NewLineKind, Project, QuoteKind } from "ts-morph";
import type { HandlerGroup } from "./groups.js";
import { stubLines } from "./stub.js";

/** Builds the adapter files of groups that have none: a function that returns an object of stubs. */
export function newAdapterFiles(groups: HandlerGroup[], dir: string, routesModule: string): string[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: {
      indentationText: IndentationText.TwoSpaces,
      newLineKind: NewLineKind.LineFeed,
      quoteKind: QuoteKind.Double,
    },
  });
  // ts-morph puts it in quotes and escapes it.
  const moduleSpecifier = importPath(dir, routesModule);
  return groups.map((group, index) => {
    const stubs = group.operations.map((operation) => stubLines(operation, { kind: "contextual" }));
    const lines = stubs.map((stub) => `${stub.map((line) => `  ${line}`).join("\n")},`).join("\n\n");
    const sourceFile = project.createSourceFile(`/${index}.ts`);
    sourceFile.addImportDeclaration({
      isTypeOnly: true,
      namedImports: [group.interfaceName],
      moduleSpecifier,
    });
    sourceFile.addFunction({
      isExported: true,
      name: functionName(group),
      typeParameters: ["Context"],
      returnType: `${group.interfaceName}<Context>`,
      statements: `return {\n${lines}\n};`,
    });
    return sourceFile.getFullText();
  });
}

function functionName(group: HandlerGroup): string {
  const name = `${group.name}Handlers`;
  // A function of the interface's own name would hide the import.
  return name === group.interfaceName ? `make${name}` : name;
}

/** How a module in `dir` imports the routes: relative, with the extension of what is compiled. */
function importPath(dir: string, routesModule: string): string {
  const relative = path.relative(dir, routesModule).split(path.sep).join("/");
  const compiled = relative.replace(/\.([mc]?)ts$/, ".$1js");
  return compiled.startsWith("../") ? compiled : `./${compiled}`;
}

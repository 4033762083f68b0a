import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { describeAdapter, typeArgumentsOf } from "./all-handlers.js";
import type { AdapterEdit, HandlerGroup } from "./handlers.js";
import { type AdapterFolder, isAdapterName } from "./folder.js";
import { formatAsProject } from "./format.js";
import type { InterfaceReference } from "./interfaces.js";
import { groupBy } from "./source-files.js";
import { stubLines } from "./stub.js";

/** Decides whether a file can be created for a group without an implementation; a diagnostic names the obstacle. */
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

/**
 * Creates the adapter of a group: an object of stubs if there is an object with all handlers whose type arguments can be
 * imported, otherwise a generic function that returns one.
 */
export async function createAdapter(
  group: HandlerGroup,
  dir: string,
  routesModule: string,
  registry: InterfaceReference | undefined,
): Promise<AdapterEdit> {
  const { name, interfaceName, operations } = group;
  const file = path.join(dir, `${name}.ts`);
  const { exported } = describeAdapter(group, registry);
  const types = typeArgumentsOf(registry);
  const imports = [importLine([interfaceName], importPath(dir, routesModule))];
  for (const [module, named] of groupBy(types ?? [], ({ module }) => module))
    imports.push(
      importLine(
        named.map(({ imported }) => imported),
        module,
      ),
    );
  const stubs = operations.map((operation) => `${stubLines(operation, { kind: "contextual" }).join("\n")},`);
  const members = indent(stubs.join("\n\n"));
  const code = types
    ? `export const ${exported}: ${interfaceName}<${types.map(({ name }) => name).join(", ")}> = {\n${members}\n};`
    : `export function ${exported}<Context>(): ${interfaceName}<Context> {\n  return {\n${indent(members)}\n  };\n}`;
  return {
    file,
    content: await formatAsProject(file, `${imports.join("\n")}\n\n${code}\n`),
    added: operations.map((operation) => operation.name),
    created: true,
  };
}

function importLine(names: readonly string[], module: string): string {
  return `import type { ${names.join(", ")} } from ${JSON.stringify(module)};`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** The module specifier of the routes in a folder: relative, with the extension of the compiled file. */
function importPath(dir: string, routesModule: string): string {
  const relative = path.relative(dir, routesModule).split(path.sep).join("/");
  const compiled = relative.replace(/\.([mc]?)ts$/, ".$1js");
  return compiled.startsWith("../") ? compiled : `./${compiled}`;
}

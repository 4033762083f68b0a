import { Project, type SourceFile, ts } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { HandlerGroup } from "../model/model.js";
import {
  ALL_HANDLERS,
  createWarning,
  findImplementations,
  type Implementation,
  INTERFACE_PROPERTY_PREFIX,
} from "./implementation.js";
import type { AdapterFile } from "./files.js";

/** A parsed adapter. A file with a `refusal`, such as a syntax error, has no implementations. */
export interface ParsedAdapter extends AdapterFile {
  source: SourceFile;
  implementations: Implementation[];
}

/**
 * Parses adapters in memory. Instead of reading the files that they import, it declares a stand-in for every imported type, so
 * that the compiler resolves aliases, intersections and contextual types even in an unfinished project.
 */
export function parseAdapters(
  files: readonly AdapterFile[],
  groups: readonly HandlerGroup[],
  routesModule: string,
): ParsedAdapter[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: {
      strict: true,
      noLib: true,
      types: [],
      target: ts.ScriptTarget.Latest,
      module: ts.ModuleKind.Preserve,
      moduleDetection: ts.ModuleDetectionKind.Force,
    },
  });
  // All files are added first, because each change of the project discards the symbols of all files.
  const sources = files.map((file) => ({ ...file, source: project.createSourceFile(file.file, file.text) }));
  const mentioned = sources.flatMap(({ text, source }) => listMentionedNames(text, source));
  declareTypes(project, files.map(({ text }) => text).join("\n"), new Set(mentioned), groups, routesModule);
  return sources.map((file) => {
    const refusal = file.refusal ?? findSyntaxError(project, file.source);
    return refusal
      ? { ...file, refusal, implementations: [] }
      : { ...file, implementations: findImplementations(file.source) };
  });
}

/** Types that adapters need without an import: `Readonly` keeps the members of its argument, async functions need promises. */
const GLOBALS = "type Readonly<T> = T; interface Promise<T> {} interface PromiseLike<T> {}\n";
const GLOBAL_NAMES: ReadonlySet<string> = new Set(["Readonly", "Promise", "PromiseLike"]);

/** Lists the names of possible types in an adapter: all that begin with a capital letter, and all that are imported. */
function listMentionedNames(text: string, source: SourceFile): string[] {
  const imported = source.getImportDeclarations().flatMap((declaration) => declaration.getNamedImports());
  const names = imported.map((specifier) => specifier.getName());
  return [
    ...(text.match(/(?<![\p{ID_Continue}$])(?!\p{Ll})\p{ID_Start}[\p{ID_Continue}$]*/gu) ?? []),
    ...names.filter((name) => /^(?!default$)[\p{ID_Continue}$]+$/u.test(name)),
  ];
}

/**
 * Declares the generated interfaces, and all other types that the text of the adapters mentions. The interfaces of groups
 * are global, because adapters may import them from any module that exports them again.
 */
function declareTypes(
  project: Project,
  text: string,
  names: ReadonlySet<string>,
  groups: readonly HandlerGroup[],
  routesModule: string,
): void {
  // Four type parameters, because nothing here knows how many the real type has.
  const printInterface = (name: string, members: readonly string[]): string =>
    `interface ${name}<A = unknown, B = unknown, C = unknown, D = unknown> { ${members.join("; ")} }\n`;
  const printHandlersInterface = (name: string, members: readonly string[]): string =>
    // Only the name of this property is read.
    printInterface(name, [`"${INTERFACE_PROPERTY_PREFIX}${name}": unknown`, ...members]);
  const interfaces = new Set(groups.map(({ interfaceName }) => interfaceName));
  const mentioned = [...names].filter((name) => !interfaces.has(name));
  const otherTypes = mentioned.filter((name) => !GLOBAL_NAMES.has(name));
  const removedInterfaces = otherTypes.filter((name) => /^(?!\p{Ll})\p{ID_Continue}+Handlers$/u.test(name));
  const namespaces = new Set(
    Array.from(
      text.matchAll(/([\p{ID_Continue}$]+)\.\p{ID_Continue}+Handlers(?!\p{ID_Continue})/gu),
      ([, name]) => name,
    ),
  );
  const exported = [...interfaces, ...mentioned].filter((name) => !namespaces.has(name));
  // The `any`: a member of another module's type may be a handler, and members of type `unknown` or `never` do not count as one.
  const printOtherType = (name: string): string => printInterface(name, [`[name: string]: any`]);
  const globals = [
    GLOBALS,
    ...groups.map(({ interfaceName, operations }) =>
      // A handler of any form is an implementation.
      printHandlersInterface(
        interfaceName,
        operations.map(({ name }) => `${name}: unknown`),
      ),
    ),
    ...otherTypes.map(printOtherType),
    // Stands for every module that is not an adapter, also under the name `other`.
    `declare module "*" { export { ${exported.join(", ")} };\n`,
    `export default ${printOtherType("Default")}`,
    ...Array.from(namespaces, (name) => `export * as ${name} from "other";\n`),
    "}",
  ];
  const properties = groups.map(({ name, interfaceName }) => `${name}: ${interfaceName}`);
  const routes = [
    'export * from "other";\n',
    `export ${printHandlersInterface(ALL_HANDLERS, properties)}`,
    ...removedInterfaces.map((name) => `export ${printHandlersInterface(name, [])}`),
  ];
  project.createSourceFile("/globals.d.ts", globals.join(""));
  project.createSourceFile(routesModule, routes.join(""));
}

function findSyntaxError(project: Project, source: SourceFile): Diagnostic | undefined {
  const errors = project.getProgram().getSyntacticDiagnostics(source);
  const [first] = errors.sort((one, other) => one.getStart() - other.getStart());
  if (!first) return undefined;
  const text = ts.flattenDiagnosticMessageText(first.compilerObject.messageText, " ");
  const message = `Syntax error: ${text} Correct it, so that handlers can be added to this file.`;
  return { ...createWarning(source, message, first.getStart()), severity: "error" };
}

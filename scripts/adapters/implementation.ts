import {
  type ClassDeclaration,
  Node,
  type ObjectLiteralExpression,
  Project,
  type SourceFile,
  ts,
  type TypeNode,
} from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { HandlerGroup } from "../model/model.js";
import type { AdapterFile } from "./files.js";

/** Name of the generated interface of all handlers, which has a member per group. */
export const ALL_HANDLERS = "Handlers";

/** A parsed adapter. */
export interface Adapter extends AdapterFile {
  source: SourceFile;
  implementations: Implementation[];
  syntaxError: Diagnostic | undefined;
}

/** An object literal with a type annotation, or a class, that implements generated interfaces. */
export interface Implementation {
  body: ImplementationBody;
  /** The types that name the interfaces, by the name of the interface. An object has one. */
  interfaces: ReadonlyMap<string, Node>;
  /** The members by name. The name of a spread is undefined, like a computed name, which is known only when the program runs. */
  members: ReadonlyMap<string | undefined, Node>;
  /** The spread, computed name or base class that may add other members. */
  hiddenMembers: Node | undefined;
}

export type ImplementationBody = ObjectLiteralExpression | ClassDeclaration;

/** Parses adapters in memory, without the files that they import, and finds the implementations of generated interfaces. */
export function parseAdapters(
  files: readonly AdapterFile[],
  groups: readonly HandlerGroup[],
  routesModule: string,
): Adapter[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, types: [], module: ts.ModuleKind.Preserve },
  });
  const routes = project.createSourceFile(routesModule, "export {}");
  // All files are added first, because each change of the project discards the symbols of all files.
  const parsed = files.map((file) => ({ ...file, source: project.createSourceFile(file.file, file.text) }));
  return parsed.map((file) => {
    const bodies = file.source
      .getDescendants()
      .filter((node) => Node.isObjectLiteralExpression(node) || Node.isClassDeclaration(node));
    const implementations = bodies.flatMap((body) => readImplementation(body, groups, routes));
    return { ...file, implementations, syntaxError: findSyntaxError(project, file.source) };
  });
}

function findSyntaxError(project: Project, source: SourceFile): Diagnostic | undefined {
  const [first] = project.getProgram().getSyntacticDiagnostics(source);
  if (!first) return undefined;
  const text = ts.flattenDiagnosticMessageText(first.compilerObject.messageText, " ");
  return {
    ...createWarning(source, `Syntax error: ${text} Correct it.`, first.getStart()),
    severity: "error",
  };
}

function readImplementation(
  body: ImplementationBody,
  groups: readonly HandlerGroup[],
  routes: SourceFile,
): Implementation[] {
  const isClass = Node.isClassDeclaration(body);
  const interfaces = new Map<string, Node>();
  for (const type of isClass ? body.getImplements() : [findAnnotation(body) ?? []].flat()) {
    const name = readInterfaceName(type, groups, routes);
    if (name !== undefined) interfaces.set(name, type);
  }
  if (interfaces.size === 0) return [];
  const elements: Node[] = isClass ? body.getInstanceMembers() : body.getProperties();
  const members = new Map(elements.map((element) => [readMemberName(element), element]));
  // A computed name in a class is usually a well-known symbol, not a handler.
  const hiddenMembers = isClass ? body.getExtends() : members.get(undefined);
  return [{ body, interfaces, members, hiddenMembers }];
}

function readMemberName(member: Node): string | undefined {
  const name = member.getSymbol()?.getName();
  return name === ts.InternalSymbolName.Computed ? undefined : name;
}

/** Finds the type annotation of an expression: that of the assertion, the variable or the function result that it is. */
function findAnnotation(expression: Node): TypeNode | undefined {
  const parent = expression.getParent();
  if (Node.isParenthesizedExpression(parent)) return findAnnotation(parent);
  const callable = Node.isReturnStatement(parent) ? parent.getFirstAncestor(Node.isReturnTyped) : parent;
  if (Node.isReturnTyped(callable)) return callable.getReturnTypeNode();
  return Node.isTyped(parent) ? parent.getTypeNode() : undefined;
}

/**
 * Reads the name of a generated interface that is imported by name. The interface of a group may be imported from any module that
 * exports it again, but `Handlers`, and interfaces that the document no longer has, only from the routes.
 */
function readInterfaceName(
  type: Node,
  groups: readonly HandlerGroup[],
  routes: SourceFile,
): string | undefined {
  // The first child is the name of the type, without its arguments.
  const [declaration] = type.getFirstChild()?.getSymbol()?.getDeclarations() ?? [];
  if (!Node.isImportSpecifier(declaration)) return undefined;
  const name = declaration.getName();
  const isFromRoutes = declaration.getImportDeclaration().getModuleSpecifierSourceFile() === routes;
  const isGroup = groups.some(({ interfaceName }) => interfaceName === name);
  return isGroup || (isFromRoutes && name.endsWith(ALL_HANDLERS)) ? name : undefined;
}

/** Creates a warning at the name of a node, or else at its start, or at an offset in its file. */
export function createWarning(node: Node, message: string, offset?: number): Diagnostic {
  const source = node.getSourceFile();
  const start = Node.hasName(node) ? node.getNameNode().getStart() : node.getStart();
  const { line, column } = source.getLineAndColumnAtPos(offset ?? start);
  const position = { file: source.getFilePath(), line, col: column, pointer: "" };
  return { severity: "warning", message, position };
}

import path from "node:path";
import { Node, SyntaxKind, type TypeNode } from "ts-morph";
import type { OperationGroup } from "../model/model.js";

/** Name of the generated interface of all handlers, which has a member per group. */
export const ALL_HANDLERS = "Handlers";

/** A type annotation that names a generated interface of handlers. */
export interface InterfaceReference {
  /** Name in the generated routes, regardless of aliases in this file. */
  name: string;
  /** The annotation, with its type arguments. */
  node: TypeNode;
  /** Whether the type may have more members than the interface: an intersection, or an interface that extends it. */
  allowsMoreMembers: boolean;
}

/** Maximum length of a chain of names to follow, which also ends circular ones. */
export const MAX_DEPTH = 5;
/** Generic types whose argument has the same members. */
const TRANSPARENT = new Set(["Promise", "Readonly"]);

/** Finds references to the generated interfaces of handlers in type annotations. */
export class InterfaceFinder {
  readonly #names: ReadonlySet<string>;

  /** @param routesModule path of the generated routes */
  constructor(
    groups: readonly OperationGroup[],
    readonly routesModule: string,
  ) {
    this.#names = new Set(groups.map(({ interfaceName }) => interfaceName));
  }

  /** Finds the interfaces that a type refers to, also removed ones. Resolves names inside the file only. */
  find(type: TypeNode, depth = 0): InterfaceReference[] {
    if (depth > MAX_DEPTH) return [];
    const follow = (types: readonly TypeNode[], change: Partial<InterfaceReference> = {}) =>
      types.flatMap((inner) => this.find(inner, depth + 1)).map((found) => ({ ...found, ...change }));
    if (Node.isParenthesizedTypeNode(type)) return follow([type.getTypeNode()]);
    if (Node.isFunctionTypeNode(type)) return follow([type.getReturnTypeNodeOrThrow()]);
    if (Node.isUnionTypeNode(type)) return follow(type.getTypeNodes());
    if (Node.isIntersectionTypeNode(type)) return follow(type.getTypeNodes(), { allowsMoreMembers: true });
    const qualifiedName = getQualifiedName(type);
    if (!qualifiedName) return [];
    const declaration = findDeclaration(
      qualifiedName.getFirstDescendantByKind(SyntaxKind.Identifier) ?? qualifiedName,
    );
    if (Node.isTypeAliasDeclaration(declaration))
      return follow([declaration.getTypeNodeOrThrow()], { node: type });
    if (Node.isInterfaceDeclaration(declaration))
      return follow(declaration.getExtends(), { node: type, allowsMoreMembers: true });
    const name = Node.isImportSpecifier(declaration)
      ? declaration.getName()
      : qualifiedName.getText().replace(/^.*\./s, "");
    if (!declaration && TRANSPARENT.has(name) && Node.isTypeReference(type))
      return follow(type.getTypeArguments());
    const module = Node.isImportTypeNode(type)
      ? type.getArgument().getText().slice(1, -1)
      : declaration?.getFirstAncestor(Node.isImportDeclaration)?.getModuleSpecifierValue();
    const isHandlers =
      this.#names.has(name) || (name.endsWith(ALL_HANDLERS) && this.#isRoutesModule(module, type));
    return isHandlers ? [{ name, node: type, allowsMoreMembers: false }] : [];
  }

  #isRoutesModule(specifier: string | undefined, importer: Node): boolean {
    if (!specifier?.startsWith(".")) return false;
    const module = path.resolve(path.dirname(importer.getSourceFile().getFilePath()), specifier);
    return removeExtension(module) === removeExtension(path.resolve(this.routesModule));
  }
}

/** Returns the name of a type, such as `routes.PagesHandlers`; undefined for a type without a name. */
function getQualifiedName(type: TypeNode): Node | undefined {
  if (Node.isTypeReference(type)) return type.getTypeName();
  if (Node.isImportTypeNode(type)) return type.getQualifier();
  // In `implements` and `extends` the name is an expression.
  return Node.isExpressionWithTypeArguments(type) ? type.getExpression() : undefined;
}

function removeExtension(file: string): string {
  return file.replace(/\.[mc]?[jt]s$/, "");
}

/** Finds the declaration of a name in the same file. */
export function findDeclaration(name: Node): Node | undefined {
  return name.getSymbol()?.getDeclarations()[0];
}

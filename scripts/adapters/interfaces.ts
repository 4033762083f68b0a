import path from "node:path";
import { Node, SyntaxKind, type TypeNode } from "ts-morph";
import type { OperationGroup } from "../model/model.js";

/** Name of the generated interface of all handlers, which has a member per group. */
export const ALL_HANDLERS = "Handlers";

/** A type annotation that names an interface. */
export interface InterfaceReference {
  /** Name in the module that exports the interface, regardless of aliases in this file. */
  name: string;
  /** Module that the interface is imported from; undefined for a name that is not imported. */
  specifier: string | undefined;
  /** The whole annotation, with its type arguments. */
  node: TypeNode;
  /** Whether the annotation allows more members: an intersection, or an interface that extends the named one. */
  loose: boolean;
}

/** The interfaces that adapters implement. */
export class HandlerInterfaces {
  readonly #names: ReadonlySet<string>;
  /** The interface of each group, by member of the interface with all handlers. */
  readonly byMember: ReadonlyMap<string, string>;

  constructor(
    groups: readonly OperationGroup[],
    readonly routesModule: string,
  ) {
    this.byMember = new Map(groups.map(({ name, interfaceName }) => [name, interfaceName]));
    this.#names = new Set(this.byMember.values());
  }

  /** Whether a reference names the interface of a group, existing or removed, or that of all groups. */
  has(reference: InterfaceReference): boolean {
    const { name } = reference;
    return this.#names.has(name) || (name.endsWith(ALL_HANDLERS) && this.#isGenerated(reference));
  }

  /** Whether a reference names the interface with the handlers of all groups. */
  hasAll(reference: InterfaceReference): boolean {
    return reference.name === ALL_HANDLERS && this.#isGenerated(reference);
  }

  #isGenerated({ specifier, node }: InterfaceReference): boolean {
    if (!specifier?.startsWith(".")) return false;
    const module = path.resolve(path.dirname(node.getSourceFile().getFilePath()), specifier);
    return removeExtension(module) === removeExtension(path.resolve(this.routesModule));
  }
}

function removeExtension(file: string): string {
  return file.replace(/\.[mc]?[jt]s$/, "");
}

/** Aliases of aliases that are followed; this also ends circular ones. */
const MAX_DEPTH = 5;
/** Generic types whose argument has the same members. */
const TRANSPARENT = new Set(["Promise", "Readonly"]);

/** Finds all interfaces that a type annotation refers to. Names are resolved inside the file only. */
export function findInterfaces(type: TypeNode, depth = 0): InterfaceReference[] {
  if (depth > MAX_DEPTH) return [];
  const follow = (
    types: readonly TypeNode[],
    change: Partial<InterfaceReference> = {},
  ): InterfaceReference[] =>
    types.flatMap((inner) => findInterfaces(inner, depth + 1)).map((found) => ({ ...found, ...change }));
  if (Node.isParenthesizedTypeNode(type)) return follow([type.getTypeNode()]);
  if (Node.isUnionTypeNode(type)) return follow(type.getTypeNodes());
  if (Node.isIntersectionTypeNode(type)) return follow(type.getTypeNodes(), { loose: true });
  const reference = { node: type, loose: false };
  if (Node.isImportTypeNode(type)) {
    const name = type.getQualifier()?.getText().split(".").at(-1);
    // Without the quotes.
    const specifier = type.getArgument().getText().slice(1, -1);
    return name === undefined ? [] : [{ ...reference, name, specifier }];
  }
  // In `implements` and `extends` the name is an expression.
  const isNamed = Node.isTypeReference(type) || Node.isExpressionWithTypeArguments(type);
  if (!isNamed) return [];
  const named = Node.isTypeReference(type) ? type.getTypeName() : type.getExpression();
  const [first, ...qualified] = Node.isIdentifier(named)
    ? [named]
    : named.getDescendantsOfKind(SyntaxKind.Identifier);
  const declaration = first && findDeclaration(first);
  const specifier = declaration?.getFirstAncestor(Node.isImportDeclaration)?.getModuleSpecifierValue();
  const last = qualified.at(-1)?.getText();
  if (last !== undefined) return [{ ...reference, name: last, specifier }];
  if (Node.isTypeAliasDeclaration(declaration))
    return follow([declaration.getTypeNodeOrThrow()], { node: type });
  if (Node.isInterfaceDeclaration(declaration))
    return follow(declaration.getExtends(), { node: type, loose: true });
  const name = Node.isImportSpecifier(declaration) ? declaration.getName() : named.getText();
  const [argument] = type.getTypeArguments();
  return TRANSPARENT.has(name) && !declaration && argument
    ? follow([argument])
    : [{ ...reference, name, specifier }];
}

/** Finds the declaration of a name in the same file. */
export function findDeclaration(name: Node): Node | undefined {
  return name.getSymbol()?.getDeclarations()[0];
}

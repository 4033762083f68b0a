import { Node, type TypeNode } from "ts-morph";

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

/** Aliases of aliases that are followed; this also ends circular ones. */
const MAX_DEPTH = 5;
/** Generic types whose argument has the same members. */
const TRANSPARENT = new Set(["Promise", "Readonly"]);

/** Returns all interfaces that a type annotation refers to. Names are resolved inside the file only. */
export function interfacesIn(type: TypeNode, depth = 0): InterfaceReference[] {
  if (depth > MAX_DEPTH) return [];
  const follow = (inner: TypeNode): InterfaceReference[] => interfacesIn(inner, depth + 1);
  const reference = (name: string, specifier?: string): InterfaceReference[] => [
    { name, specifier, node: type, loose: false },
  ];
  if (Node.isParenthesizedTypeNode(type)) return follow(type.getTypeNode());
  if (Node.isUnionTypeNode(type)) return type.getTypeNodes().flatMap(follow);
  if (Node.isIntersectionTypeNode(type))
    return type
      .getTypeNodes()
      .flatMap(follow)
      .map((found) => ({ ...found, loose: true }));
  if (Node.isImportTypeNode(type)) {
    const argument = type.getArgument();
    const literal = Node.isLiteralTypeNode(argument) ? argument.getLiteral() : undefined;
    const name = type.getQualifier()?.getText().split(".").at(-1);
    return name === undefined
      ? []
      : reference(name, Node.isStringLiteral(literal) ? literal.getLiteralText() : undefined);
  }
  // In `implements` and `extends` the name is an expression.
  const named = Node.isExpressionWithTypeArguments(type) ? type.getExpression() : undefined;
  const name = Node.isTypeReference(type) ? type.getTypeName() : named;
  if (Node.isPropertyAccessExpression(name))
    return reference(name.getName(), specifierOf(name.getExpression()));
  if (Node.isQualifiedName(name)) return reference(name.getRight().getText(), specifierOf(name.getLeft()));
  if (!Node.isIdentifier(name)) return [];

  const declaration = declarationOf(name);
  if (Node.isTypeAliasDeclaration(declaration))
    return follow(declaration.getTypeNodeOrThrow()).map((found) => ({ ...found, node: type }));
  if (Node.isInterfaceDeclaration(declaration))
    return declaration
      .getExtends()
      .flatMap(follow)
      .map((found) => ({ ...found, node: type, loose: true }));
  if (Node.isImportSpecifier(declaration)) return reference(declaration.getName(), specifierOf(name));
  const [argument] = typeArguments(type);
  return TRANSPARENT.has(name.getText()) && argument ? follow(argument) : reference(name.getText());
}

function typeArguments(type: TypeNode): TypeNode[] {
  return Node.isTypeReference(type) || Node.isExpressionWithTypeArguments(type)
    ? type.getTypeArguments()
    : [];
}

/** The module that a name is imported from. */
function specifierOf(name: Node): string | undefined {
  const imported = declarationOf(name)?.getFirstAncestor(Node.isImportDeclaration);
  return imported?.getModuleSpecifierValue();
}

/** The declaration of a name in the same file. */
export function declarationOf(name: Node): Node | undefined {
  return name.getSymbol()?.getDeclarations()[0];
}

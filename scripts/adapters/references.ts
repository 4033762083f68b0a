import type ts from "typescript";
import { compiler } from "../compiler.js";

/** A type annotation that names an interface of the generated routes. */
export interface InterfaceReference {
  /** As the routes module calls it, whatever the file calls it. */
  name: string;
  /** Where the name is imported from; absent for a name that is not imported. */
  specifier: string | undefined;
  /** The whole annotation, with its type arguments. */
  node: ts.Node;
  /** The annotation allows members beside the interface's: an intersection, or an interface that extends it. */
  loose: boolean;
}

/** What the names in a file's type annotations stand for. */
export interface TypeNames {
  imported: Map<string, { name: string; specifier: string }>;
  namespaces: Map<string, string>;
  /** Types that the file declares itself. */
  aliases: Map<string, ts.TypeNode>;
  interfaces: Map<string, ts.InterfaceDeclaration>;
}

/** An alias of an alias of an alias is enough; this also ends circles. */
const maxDepth = 5;
/** Wrappers that leave the handlers what they are. */
const transparent = new Set(["Promise", "Readonly"]);

/** Reads a file's imports and type declarations. */
export function typeNamesOf(tree: ts.SourceFile): TypeNames {
  const names: TypeNames = {
    imported: new Map(),
    namespaces: new Map(),
    aliases: new Map(),
    interfaces: new Map(),
  };
  for (const statement of tree.statements) {
    if (compiler.isTypeAliasDeclaration(statement)) names.aliases.set(statement.name.text, statement.type);
    if (compiler.isInterfaceDeclaration(statement)) names.interfaces.set(statement.name.text, statement);
    if (!compiler.isImportDeclaration(statement) || !compiler.isStringLiteral(statement.moduleSpecifier))
      continue;
    const specifier = statement.moduleSpecifier.text;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings) continue;
    if (compiler.isNamespaceImport(bindings)) {
      names.namespaces.set(bindings.name.text, specifier);
      continue;
    }
    for (const element of bindings.elements) {
      const name = (element.propertyName ?? element.name).text;
      names.imported.set(element.name.text, { name, specifier });
    }
  }
  return names;
}

/** Every interface that a type annotation stands for, by name alone: nothing is type-checked. */
export function referencesIn(type: ts.Node, names: TypeNames, depth = 0): InterfaceReference[] {
  if (depth > maxDepth) return [];
  const follow = (inner: ts.Node) => referencesIn(inner, names, depth + 1);
  const found = (name: string, specifier: string | undefined): InterfaceReference[] => [
    { name, specifier, node: type, loose: false },
  ];
  /** Points at the annotation at hand, not at the declaration that it leads to. */
  const here = (references: InterfaceReference[], loose: boolean) =>
    references.map((reference) => ({ ...reference, node: type, loose: loose || reference.loose }));

  if (compiler.isParenthesizedTypeNode(type)) return follow(type.type);
  if (compiler.isUnionTypeNode(type)) return type.types.flatMap(follow);
  if (compiler.isIntersectionTypeNode(type)) {
    return type.types.flatMap(follow).map((reference) => ({ ...reference, loose: true }));
  }
  if (compiler.isImportTypeNode(type)) {
    if (!type.qualifier || !compiler.isLiteralTypeNode(type.argument)) return [];
    const { literal } = type.argument;
    return found(lastName(type.qualifier), compiler.isStringLiteral(literal) ? literal.text : undefined);
  }

  if (compiler.isExpressionWithTypeArguments(type)) {
    // In `implements` and `extends` the name is an expression.
    if (compiler.isPropertyAccessExpression(type.expression)) {
      return found(type.expression.name.text, names.namespaces.get(type.expression.expression.getText()));
    }
    return compiler.isIdentifier(type.expression) ? byName(type.expression.text, type.typeArguments) : [];
  }
  if (!compiler.isTypeReferenceNode(type)) return [];
  if (compiler.isQualifiedName(type.typeName)) {
    return found(type.typeName.right.text, names.namespaces.get(type.typeName.left.getText()));
  }
  return byName(type.typeName.text, type.typeArguments);

  function byName(name: string, args: readonly ts.TypeNode[] | undefined): InterfaceReference[] {
    const alias = names.aliases.get(name);
    if (alias) return here(follow(alias), false);
    const declared = names.interfaces.get(name);
    if (declared) {
      const bases = (declared.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
      return here(bases.flatMap(follow), true);
    }
    const imported = names.imported.get(name);
    if (imported) return found(imported.name, imported.specifier);
    const [inner] = args ?? [];
    if (transparent.has(name) && inner) return follow(inner);
    return found(name, undefined);
  }
}

function lastName(name: ts.EntityName): string {
  return compiler.isQualifiedName(name) ? name.right.text : name.text;
}

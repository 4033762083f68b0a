import {
  type ClassDeclaration,
  type ClassExpression,
  type Expression,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
  ts,
  type TypeNode,
} from "ts-morph";
import {
  findDeclaration,
  findInterfaces,
  type HandlerInterfaces,
  type InterfaceReference,
} from "./interfaces.js";

/** An object literal or a class that implements a generated interface. */
export interface Implementation {
  reference: InterfaceReference;
  /** Undefined for a value whose members are unknown, such as `const pages: PagesHandlers = make()`. */
  body: ImplementationBody | undefined;
}

export type ImplementationBody = ObjectLiteralExpression | ClassDeclaration | ClassExpression;

/** Maximum length of a chain of names to follow, which also ends circular ones. */
const MAX_DEPTH = 5;

/** Finds all implementations of generated interfaces in a file. */
export function findImplementations(source: SourceFile, interfaces: HandlerInterfaces): Implementation[] {
  return source.forEachDescendantAsArray().flatMap((node) => {
    if (Node.isClassDeclaration(node) || Node.isClassExpression(node)) {
      if (Node.isAmbientable(node) && node.hasDeclareKeyword()) return [];
      const references = node.getImplements().flatMap((type) => findInterfaces(type));
      return references.filter((one) => interfaces.has(one)).map((reference) => ({ reference, body: node }));
    }
    return findAnnotatedValues(node).flatMap(({ type, value }) => {
      const body = findLiteral(value);
      const references = findInterfaces(type).filter((one) => interfaces.has(one));
      return references.flatMap((reference) => [
        { reference, body },
        ...(body && interfaces.hasAll(reference) ? findGroups(body, reference, interfaces) : []),
      ]);
    });
  });
}

/** Finds the handlers of groups that are written inside the `Handlers` object. */
function findGroups(
  all: ObjectLiteralExpression,
  reference: InterfaceReference,
  { byMember }: HandlerInterfaces,
): Implementation[] {
  return all.getProperties().flatMap((property) => {
    if (!Node.isPropertyAssignment(property)) return [];
    const name = byMember.get(readName(property) ?? "");
    const body = findLiteral(property.getInitializer());
    // Handlers outside of this object are found by their own type annotation.
    const isInside = body?.getFirstAncestor((ancestor) => ancestor === property);
    return name !== undefined && isInside ? [{ reference: { ...reference, name, loose: false }, body }] : [];
  });
}

/** Reads the name of a member; undefined if it is only known when the program runs, or is private (`#name`). */
export function readName(member: Node): string | undefined {
  const name = member.getSymbol()?.getName();
  return name === ts.InternalSymbolName.Computed || name?.startsWith("#") ? undefined : name;
}

/** Finds the values that a node annotates with a type: those that it returns, is initialized with or asserts. */
function findAnnotatedValues(node: Node): { type: TypeNode; value: Expression }[] {
  const annotate = (type: TypeNode | undefined, values: readonly (Expression | undefined)[]) =>
    values.flatMap((value) => (type && value ? [{ type, value }] : []));
  if (isFunction(node)) return annotate(node.getReturnTypeNode(), findReturned(node));
  if (Node.isSatisfiesExpression(node) || Node.isAsExpression(node) || Node.isTypeAssertion(node))
    return annotate(node.getTypeNode(), [node.getExpression()]);
  if (!Node.isVariableDeclaration(node) && !Node.isPropertyDeclaration(node)) return [];
  const type = node.getTypeNode();
  const value = node.getInitializer();
  return Node.isFunctionTypeNode(type) && value && isFunction(value)
    ? annotate(type.getReturnTypeNode(), findReturned(value))
    : annotate(type, [value]);
}

/** Finds the object literal that an expression evaluates to. */
function findLiteral(value: Node | undefined, depth = 0): ObjectLiteralExpression | undefined {
  if (Node.isObjectLiteralExpression(value)) return value;
  if (depth > MAX_DEPTH) return undefined;
  const follow = (inner: Node | undefined): ObjectLiteralExpression | undefined =>
    findLiteral(inner, depth + 1);
  if (Node.isCallExpression(value) && value.getExpression().getText() === "Object.freeze")
    return follow(value.getArguments()[0]);
  if (Node.isIdentifier(value)) {
    const declaration = findDeclaration(value);
    return Node.isVariableDeclaration(declaration) ? follow(declaration.getInitializer()) : undefined;
  }
  const isTransparent = Node.isExpressioned(value) || Node.isAwaitExpression(value);
  return isTransparent ? follow(value.getExpression()) : undefined;
}

type FunctionNode = Node & { getBody(): Node | undefined; getReturnTypeNode(): TypeNode | undefined };

function isFunction(node: Node): node is FunctionNode {
  return Node.isReturnTyped(node) && (Node.isBodied(node) || Node.isBodyable(node));
}

/** Finds the expressions that a function returns, without those of nested functions. */
function findReturned(node: FunctionNode): (Expression | undefined)[] {
  const body = node.getBody();
  if (Node.isExpression(body)) return [body];
  const statements = body?.getDescendantsOfKind(SyntaxKind.ReturnStatement) ?? [];
  return statements
    .filter((statement) => statement.getFirstAncestor(isFunction) === node)
    .map((statement) => statement.getExpression());
}

import {
  type ClassDeclaration,
  type ClassExpression,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
  ts,
  type TypeNode,
} from "ts-morph";
import type { OperationGroup } from "../model/model.js";
import {
  ALL_HANDLERS,
  findDeclaration,
  type InterfaceFinder,
  type InterfaceReference,
  MAX_DEPTH,
} from "./interfaces.js";

/** A value or a class that implements a generated interface. */
export interface Implementation {
  reference: InterfaceReference;
  /** Undefined for a value whose members are unknown, such as `const pages: PagesHandlers = make()`. */
  body: ImplementationBody | undefined;
}

export type ImplementationBody = ObjectLiteralExpression | ClassDeclaration | ClassExpression;

/** Finds all implementations of generated interfaces in a file. */
export function findImplementations(
  source: SourceFile,
  interfaces: InterfaceFinder,
  groups: readonly OperationGroup[],
): Implementation[] {
  return source.forEachDescendantAsArray().flatMap((node) => {
    if (Node.isClassDeclaration(node) || Node.isClassExpression(node)) {
      const references = node.getImplements().flatMap((type) => interfaces.find(type));
      return references.map((reference) => ({ reference, body: node }));
    }
    const { type, value } = readAnnotation(node);
    const references = type && value ? interfaces.find(type) : [];
    if (references.length === 0) return [];
    const literals = findLiterals(value);
    const bodies = literals.length > 0 ? literals : [undefined];
    return references.flatMap((reference) => [
      ...bodies.map((body) => ({ reference, body })),
      ...(reference.name === ALL_HANDLERS ? findGroups(literals, reference, groups) : []),
    ]);
  });
}

/** Finds the handlers of groups that are written as literals inside a `Handlers` object. */
function findGroups(
  handlersObjects: readonly ObjectLiteralExpression[],
  reference: InterfaceReference,
  groups: readonly OperationGroup[],
): Implementation[] {
  const properties = handlersObjects.flatMap((object) => object.getProperties());
  return properties.flatMap((property) => {
    const body = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
    const name = groups.find((group) => group.name === readName(property))?.interfaceName;
    if (name === undefined || !Node.isObjectLiteralExpression(body)) return [];
    return [{ reference: { ...reference, name, allowsMoreMembers: false }, body }];
  });
}

/** Reads a type annotation, and the value of that type: an initializer, an asserted expression or a function body. */
function readAnnotation(node: Node): { type?: TypeNode | undefined; value?: Node | undefined } {
  if (Node.isReturnTyped(node)) return { type: node.getReturnTypeNode(), value: getFunctionBody(node) };
  if (!Node.isTyped(node)) return {};
  const type = node.getTypeNode();
  if (Node.isInitializerExpressionGetable(node)) return { type, value: node.getInitializer() };
  return Node.isExpressioned(node) || Node.isTypeAssertion(node) ? { type, value: node.getExpression() } : {};
}

/** Finds the object literals that an expression or the body of a function evaluates to. Follows local variables. */
function findLiterals(value: Node | undefined, depth = 0): ObjectLiteralExpression[] {
  if (Node.isObjectLiteralExpression(value)) return [value];
  if (!value || depth > MAX_DEPTH) return [];
  const follow = (inner: Node | undefined): ObjectLiteralExpression[] => findLiterals(inner, depth + 1);
  if (Node.isBlock(value)) {
    const statements = value.getDescendantsOfKind(SyntaxKind.ReturnStatement);
    // Without the results of nested functions.
    const own = statements.filter(
      (statement) => statement.getFirstAncestor(Node.isReturnTyped) === value.getParent(),
    );
    return own.flatMap((statement) => follow(statement.getExpression()));
  }
  if (Node.isIdentifier(value)) {
    const declaration = findDeclaration(value);
    return Node.isVariableDeclaration(declaration) ? follow(declaration.getInitializer()) : [];
  }
  return follow(Node.isExpressioned(value) ? value.getExpression() : getFunctionBody(value));
}

function getFunctionBody(node: Node): Node | undefined {
  return Node.isBodied(node) || Node.isBodyable(node) ? node.getBody() : undefined;
}

/** A member whose name is known. */
export interface Member {
  name: string;
  node: Node;
}

/** Lists the members of an object literal or a class, without those whose name is unknown. */
export function listMembers(body: ImplementationBody): Member[] {
  const elements = Node.isObjectLiteralExpression(body) ? body.getProperties() : body.getInstanceMembers();
  return elements.flatMap((node) => {
    const name = readName(node);
    return name === undefined ? [] : [{ name, node }];
  });
}

/** Finds an element that may add members with unknown names: a spread, a computed name or a base class. */
export function findOpaqueElement(body: ImplementationBody): Node | undefined {
  // A computed name in a class is usually a well-known symbol, not a handler.
  if (!Node.isObjectLiteralExpression(body)) return body.getExtends()?.getParent();
  return body.getProperties().find((property) => readName(property) === undefined);
}

/** Reads the name of a member; undefined if it is only known when the program runs, or is private (`#name`). */
function readName(member: Node): string | undefined {
  const name = member.getSymbol()?.getName();
  return name === ts.InternalSymbolName.Computed || name?.startsWith("#") ? undefined : name;
}

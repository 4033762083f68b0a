import {
  type ClassDeclaration,
  type ClassExpression,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  ts,
  type Type,
  type TypeNode,
} from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import { getOrCreate } from "../maps.js";

/** Name of the generated interface of all handlers, which has a member per group. */
export const ALL_HANDLERS = "Handlers";

/** Start of the name of a property that identifies a generated interface in types made of it. The interface's name follows. */
export const INTERFACE_PROPERTY_PREFIX = "interface ";

/** An implementation of one or more generated interfaces, in an adapter. */
export interface Implementation {
  /** Annotations by the name of the generated interface that they refer to, regardless of aliases. */
  interfaces: Map<string, TypeNode>;
  /** The types of the value or class. */
  types: Type[];
  /** The object literal or class; undefined for a value whose members are unknown, such as the result of a call. */
  body: ImplementationBody | undefined;
  /** Members whose names are known. */
  members: ReadonlyMap<string, Node>;
  /** The node that may add members with unknown names, if there is one. */
  dynamicMembersNode: Node | undefined;
  added: NewMember[];
}

export type ImplementationBody = ObjectLiteralExpression | ClassDeclaration | ClassExpression;

/** A member to add to an implementation. */
export interface NewMember {
  name: string;
  /** Source lines, indented by two spaces per level, without a trailing comma. */
  lines: string[];
  /** Name of the export to import from the new adapter `name`, if the member registers one. */
  exportName?: string;
}

/** Finds all implementations of generated interfaces in a file. */
export function findImplementations(source: SourceFile): Implementation[] {
  const implementations = new Map<Node, Implementation>();
  for (const { annotation, value } of source.forEachDescendantAsArray().flatMap(readAnnotations)) {
    const type = annotation.getType();
    if (listInterfaces(type).length === 0) continue;
    const targets: { node: Node; type: Type }[] = isClass(value)
      ? [{ node: value, type }]
      : findImplementingLiterals(value);
    if (targets.length === 0) targets.push({ node: annotation, type });
    for (const target of targets) {
      const implementation = getOrCreate(implementations, target.node, () =>
        createImplementation(target.node),
      );
      implementation.types.push(...unwrapTypes(target.type));
      for (const name of listInterfaces(target.type))
        implementation.interfaces.set(name, findReference(annotation, name));
    }
  }
  return [...implementations.values()];
}

/** Reads a class, an object literal, or the annotation of another value, whose members are unknown. */
function createImplementation(node: Node): Implementation {
  const body = isClass(node) || Node.isObjectLiteralExpression(node) ? node : undefined;
  const elements: Node[] = isClass(body) ? body.getInstanceMembers() : (body?.getProperties() ?? []);
  const members = new Map<string, Node>();
  for (const element of elements) {
    const name = readMemberName(element);
    if (name !== undefined) members.set(name, element);
  }
  // A base class or a spread. A computed name in a class is usually a well-known symbol, not a handler.
  const dynamicMember = isClass(body)
    ? body.getExtends()?.getParent()
    : elements.find((element) => readMemberName(element) === undefined);
  const dynamicMembersNode = body ? dynamicMember : node;
  return { interfaces: new Map(), types: [], body, members, dynamicMembersNode, added: [] };
}

/** Reads the name of a member; undefined if it is only known when the program runs, or is private (`#name`). */
function readMemberName(member: Node): string | undefined {
  const name = member.getSymbol()?.getName();
  return name === ts.InternalSymbolName.Computed || name?.startsWith("#") ? undefined : name;
}

function isClass(node: Node | undefined): node is ClassDeclaration | ClassExpression {
  return Node.isClassDeclaration(node) || Node.isClassExpression(node);
}

/** Lists the members of a union, or of the result of a function type, and the values of promises. */
function unwrapTypes(type: Type): Type[] {
  const split = (each: Type): Type[] => (each.isUnion() ? each.getUnionTypes() : [each]);
  const members = split(type.getCallSignatures()[0]?.getReturnType() ?? type);
  return members.flatMap((member) =>
    member.getSymbol()?.getName() === "Promise" ? member.getTypeArguments().flatMap(split) : [member],
  );
}

/** Lists the generated interfaces that a type consists of. */
function listInterfaces(type: Type): string[] {
  const properties = unwrapTypes(type).flatMap((member) => member.getProperties());
  const names = properties.map((property) => property.getName());
  return names
    .filter((name) => name.startsWith(INTERFACE_PROPERTY_PREFIX))
    .map((name) => name.slice(INTERFACE_PROPERTY_PREFIX.length));
}

/** Finds the part of an annotation that names an interface, with its type arguments. */
function findReference(annotation: TypeNode, interfaceName: string): TypeNode {
  const types = annotation.forEachDescendantAsArray().filter(Node.isTypeNode);
  return types.findLast((type) => listInterfaces(type.getType()).includes(interfaceName)) ?? annotation;
}

/** Reads the type annotations of a node, with the class or value that they describe. */
function readAnnotations(node: Node): { annotation: TypeNode; value: Node }[] {
  if (isClass(node)) return node.getImplements().map((annotation) => ({ annotation, value: node }));
  const type = Node.isTyped(node) ? node.getTypeNode() : undefined;
  const annotation = Node.isReturnTyped(node) ? node.getReturnTypeNode() : type;
  const value = getAnnotatedValue(node);
  return annotation && value ? [{ annotation, value }] : [];
}

/** Returns the body of a function, the expression of a type assertion, or the initializer of a variable. */
function getAnnotatedValue(node: Node): Node | undefined {
  if (Node.isBodied(node) || Node.isBodyable(node)) return node.getBody();
  if (Node.isExpressioned(node) || Node.isTypeAssertion(node)) return node.getExpression();
  return Node.isInitializerExpressionGetable(node) ? node.getInitializer() : undefined;
}

/** Finds the object literals in an expression or a function body that implement interfaces, also through variables. */
function findImplementingLiterals(value: Node): { node: ObjectLiteralExpression; type: Type }[] {
  // The bodies of handlers and the arguments of calls contain no implementations, and a spread is only part of one.
  const isLeaf =
    Node.isMethodDeclaration(value) || Node.isCallExpression(value) || Node.isSpreadAssignment(value);
  const inner = isLeaf ? [] : value.forEachChildAsArray().flatMap(findImplementingLiterals);
  if (!Node.isObjectLiteralExpression(value) && !Node.isIdentifier(value)) return inner;
  const type = value.getContextualType();
  if (!type || listInterfaces(type).length === 0) return inner;
  // An identifier stands for the literal that initializes its variable. The symbol of a shorthand (`{ name }`) is its property.
  const parent = value.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : value.getSymbol();
  const declaration = symbol?.getValueDeclaration();
  const node = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : value;
  return Node.isObjectLiteralExpression(node) ? [{ node, type }, ...inner] : inner;
}

/** Creates a warning at the name of a node, or else at its start, or at an offset in its file. */
export function createWarning(node: Node, message: string, offset?: number): Diagnostic {
  const source = node.getSourceFile();
  const start = Node.hasName(node) ? node.getNameNode().getStart() : node.getStart();
  const { line, column } = source.getLineAndColumnAtPos(offset ?? start);
  const position = { file: source.getFilePath(), line, col: column, pointer: "" };
  return { severity: "warning", message, position };
}

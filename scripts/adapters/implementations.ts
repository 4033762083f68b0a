import {
  type ClassDeclaration,
  type ClassExpression,
  type Expression,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  type TypeNode,
} from "ts-morph";
import { declarationOf, type InterfaceReference, interfacesIn } from "./interfaces.js";

/** An object literal or a class that implements one or more generated interfaces. */
export interface Implementation {
  body: ObjectLiteralExpression | ClassDeclaration | ClassExpression;
  references: InterfaceReference[];
  /** Whether parameters of new methods get their types from the annotation; otherwise they would be `any`. */
  contextual: boolean;
}

/** The implementations in a file. */
export interface FoundImplementations {
  implementations: Implementation[];
  /** Annotations of values whose members are unknown, such as `const pages: PagesHandlers = make()`. */
  opaque: InterfaceReference[];
}

/** The interfaces to look for. */
export interface WantedInterfaces {
  /** Whether a reference names the interface of a group, existing or removed. */
  isWanted(reference: InterfaceReference): boolean;
  /** For the interface with the handlers of all groups: the interface of each group, by member name. */
  groupsIn(reference: InterfaceReference): ReadonlyMap<string, string> | undefined;
}

/** Maximum length of a chain of names to follow, which also ends circular ones. */
const MAX_DEPTH = 5;

/** Finds all implementations of the wanted interfaces in a file. */
export function findImplementations(
  source: SourceFile,
  { isWanted, groupsIn }: WantedInterfaces,
): FoundImplementations {
  const byBody = new Map<Node, Implementation>();
  const opaque: InterfaceReference[] = [];

  const add = (body: Implementation["body"], references: InterfaceReference[], contextual: boolean): void => {
    const known = byBody.get(body) ?? { body, references: [], contextual };
    known.contextual ||= contextual;
    for (const reference of references)
      if (!known.references.some(({ name }) => name === reference.name)) known.references.push(reference);
    byBody.set(body, known);
  };

  const addValue = (type: TypeNode, value: Expression): void => {
    const all = interfacesIn(type);
    const literal = literalOf(value);
    const references = all.filter(isWanted);
    if (references.length > 0 && literal) add(literal.object, references, literal.direct);
    else opaque.push(...references);
    for (const reference of all) {
      const groups = groupsIn(reference);
      if (!groups || !literal) continue;
      for (const property of literal.object.getProperties()) {
        if (!Node.isPropertyAssignment(property)) continue;
        const name = groups.get(nameOf(property.getNameNode()) ?? "");
        const group = literalOf(property.getInitializerOrThrow());
        // Handlers behind a name or a call are found at their own annotation.
        if (name !== undefined && group?.direct)
          add(group.object, [{ ...reference, name, loose: false }], literal.direct);
      }
    }
  };

  source.forEachDescendant((node) => {
    if (Node.isClassDeclaration(node) || Node.isClassExpression(node)) {
      const references = node
        .getImplements()
        .flatMap((type) => interfacesIn(type))
        .filter(isWanted);
      const ambient = Node.isAmbientable(node) && node.hasDeclareKeyword();
      if (references.length > 0 && !ambient) add(node, references, false);
    } else if (isFunction(node)) {
      const type = node.getReturnTypeNode();
      if (type) for (const value of returnedExpressions(node)) addValue(type, value);
    } else if (Node.isVariableDeclaration(node) || Node.isPropertyDeclaration(node)) {
      const type = node.getTypeNode();
      const value = node.getInitializer();
      if (Node.isFunctionTypeNode(type) && value && isFunction(value))
        for (const returned of returnedExpressions(value))
          addValue(type.getReturnTypeNodeOrThrow(), returned);
      else if (type && value) addValue(type, value);
    } else if (Node.isSatisfiesExpression(node) || Node.isAsExpression(node) || Node.isTypeAssertion(node)) {
      const type = node.getTypeNode();
      if (type) addValue(type, node.getExpression());
    }
  });
  return { implementations: [...byBody.values()], opaque };
}

/** The text of a name that is known without running the program. */
export function nameOf(name: Node): string | undefined {
  const literal = Node.isComputedPropertyName(name) ? name.getExpression() : name;
  if (Node.isStringLiteral(literal) || Node.isNoSubstitutionTemplateLiteral(literal))
    return literal.getLiteralText();
  return Node.isComputedPropertyName(name) ? undefined : name.getText();
}

/**
 * Finds the object literal that an expression evaluates to. It is `direct` if the annotation around the expression
 * determines the types of the parameters of its methods.
 */
function literalOf(
  value: Expression | undefined,
  depth = 0,
): { object: ObjectLiteralExpression; direct: boolean } | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const indirect = (inner: Expression | undefined): ReturnType<typeof literalOf> => {
    const literal = literalOf(inner, depth + 1);
    return literal && { ...literal, direct: false };
  };
  if (Node.isObjectLiteralExpression(value)) return { object: value, direct: true };
  if (Node.isParenthesizedExpression(value) || Node.isNonNullExpression(value) || isConstAssertion(value))
    return literalOf(value.getExpression(), depth + 1);
  if (
    Node.isAsExpression(value) ||
    Node.isTypeAssertion(value) ||
    Node.isSatisfiesExpression(value) ||
    Node.isAwaitExpression(value)
  )
    return indirect(value.getExpression());
  if (Node.isCallExpression(value) && value.getExpression().getText() === "Object.freeze") {
    const [argument] = value.getArguments();
    return Node.isExpression(argument) ? indirect(argument) : undefined;
  }
  if (!Node.isIdentifier(value)) return undefined;
  const declaration = declarationOf(value);
  return Node.isVariableDeclaration(declaration) ? indirect(declaration.getInitializer()) : undefined;
}

function isConstAssertion(value: Node | undefined): value is Node & { getExpression(): Expression } {
  return (
    (Node.isAsExpression(value) || Node.isTypeAssertion(value)) && value.getTypeNode()?.getText() === "const"
  );
}

type FunctionNode = Node & { getBody(): Node | undefined; getReturnTypeNode(): TypeNode | undefined };

function isFunction(node: Node): node is FunctionNode {
  return Node.isReturnTyped(node) && (Node.isBodied(node) || Node.isBodyable(node));
}

/** The expressions that a function returns, without those of nested functions. */
function returnedExpressions(node: FunctionNode): Expression[] {
  const body = node.getBody();
  if (Node.isExpression(body)) return [body];
  const found: Expression[] = [];
  body?.forEachDescendant((inner, traversal) => {
    if (isFunction(inner) || Node.isClassDeclaration(inner) || Node.isClassExpression(inner))
      traversal.skip();
    const returned = Node.isReturnStatement(inner) ? inner.getExpression() : undefined;
    if (returned) found.push(returned);
  });
  return found;
}

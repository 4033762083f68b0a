import { Node, type ObjectLiteralExpression, Scope, SyntaxKind } from "ts-morph";
import { type Implementation, nameOf } from "./implementations.js";
import { stubMessage } from "./stub.js";

/** A member of an implementation. */
export interface Member {
  name: string;
  /** The name in the source. */
  node: Node;
  /** Whether the member seems to handle an operation, unlike data and helpers. */
  handlerLike: boolean;
  /** Whether the member is an unchanged stub. */
  stub: boolean;
  /** The operation in the comment before the member, such as `GET /v1/pages`. Stubs have one. */
  route: string | undefined;
}

/** The members of an implementation. */
export interface Members {
  members: Member[];
  /** The first element that may add members with unknown names. */
  unseen: { node: Node; what: "spread" | "computed name" | "base class" } | undefined;
}

/** Lists the members of an object literal or a class. */
export function membersOf(body: Implementation["body"]): Members {
  return Node.isObjectLiteralExpression(body) ? objectMembers(body) : classMembers(body);
}

function objectMembers(body: ObjectLiteralExpression): Members {
  const result: Members = { members: [], unseen: undefined };
  for (const property of body.getProperties()) {
    const node = Node.isSpreadAssignment(property) ? undefined : property.getNameNode();
    const name = node && nameOf(node);
    if (!node || name === undefined) {
      result.unseen ??= { node: property, what: node ? "computed name" : "spread" };
      continue;
    }
    const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
    result.members.push(memberOf(property, node, name, !isData(value)));
  }
  return result;
}

function classMembers(body: Exclude<Implementation["body"], ObjectLiteralExpression>): Members {
  const base = body.getExtends();
  const result: Members = {
    members: [],
    unseen: base && { node: base.getParentOrThrow(), what: "base class" },
  };
  const usedOnThis = new Set(
    body
      .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
      .filter((access) => Node.isThisExpression(access.getExpression()))
      .map((access) => access.getName()),
  );
  for (const member of body.getMembers()) {
    if (Node.isConstructorDeclaration(member)) {
      // `constructor(public retrievePage: ...)` declares a member.
      for (const parameter of member.getParameters().filter((one) => one.isParameterProperty()))
        result.members.push(memberOf(parameter, parameter.getNameNode(), parameter.getName(), false));
      continue;
    }
    if (Node.isClassStaticBlockDeclaration(member) || member.isStatic()) continue;
    const node = member.getNameNode();
    const name = Node.isPrivateIdentifier(node) ? undefined : nameOf(node);
    // A computed name in a class is usually a well-known symbol, not a handler.
    if (name === undefined) continue;
    const value = Node.isPropertyDeclaration(member) ? member.getInitializer() : member;
    const callable =
      Node.isMethodDeclaration(value) || Node.isArrowFunction(value) || Node.isFunctionExpression(value);
    // Methods that the class itself calls are helpers, not orphaned handlers.
    const helper = name.startsWith("_") || member.getScope() !== Scope.Public || usedOnThis.has(name);
    result.members.push(memberOf(member, node, name, callable && !helper));
  }
  return result;
}

function memberOf(member: Node, node: Node, name: string, handlerLike: boolean): Member {
  const comment = member.getSourceFile().getFullText().slice(member.getPos(), member.getStart());
  const [, method, path = ""] =
    /^[\s/*]*(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|QUERY) (\/\S*)/.exec(comment) ?? [];
  const statements = Node.isMethodDeclaration(member) && member.hasBody() ? member.getStatements() : [];
  return {
    name,
    node,
    handlerLike,
    // A formatter may have changed the quotes.
    stub: statements.length === 1 && new RegExp(`["'\`]${stubMessage(name)}["'\`]`).test(member.getText()),
    // A colon separates the path from the summary.
    route: method === undefined ? undefined : `${method} ${path.replace(/:$/, "")}`,
  };
}

function isData(value: Node | undefined): boolean {
  return (
    Node.isLiteralExpression(value) ||
    Node.isTemplateExpression(value) ||
    Node.isObjectLiteralExpression(value) ||
    Node.isArrayLiteralExpression(value) ||
    Node.isTrueLiteral(value) ||
    Node.isFalseLiteral(value) ||
    Node.isNullLiteral(value)
  );
}

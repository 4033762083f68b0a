import type ts from "typescript";
import { compiler } from "../compiler.js";
import type { Implementation } from "./find.js";
import { stubMessage } from "./stub.js";

/** A member of an implementation, by name. */
export interface Member {
  name: string;
  /** Offset of the name. */
  start: number;
  /** It looks as if it were meant to handle an operation. */
  handlerLike: boolean;
  /** It is still the stub that we put there. */
  stub: boolean;
  /** The operation that the comment in front names, as our stubs' do: `GET /v1/pages`. */
  route: string | undefined;
}

/** The members of an implementation, as far as they can be seen. */
export interface Members {
  members: Member[];
  /** The first element that may bring in members that have no name here. */
  unseen: { start: number; what: "spread" | "computed name" | "base class" } | undefined;
}

/** Lists the members of an object literal or class. */
export function membersOf(body: Implementation["body"]): Members {
  return compiler.isObjectLiteralExpression(body) ? objectMembers(body) : classMembers(body);
}

function objectMembers(body: ts.ObjectLiteralExpression): Members {
  const result: Members = { members: [], unseen: undefined };
  for (const property of body.properties) {
    if (compiler.isSpreadAssignment(property)) {
      result.unseen ??= { start: property.getStart(), what: "spread" };
      continue;
    }
    const name = nameText(property.name);
    if (name === undefined) {
      result.unseen ??= { start: property.getStart(), what: "computed name" };
      continue;
    }
    const handlerLike = compiler.isPropertyAssignment(property) ? !isPlainData(property.initializer) : true;
    result.members.push({
      name,
      start: property.name.getStart(),
      handlerLike,
      stub: isStub(property, name),
      route: routeOf(property),
    });
  }
  return result;
}

function classMembers(body: ts.ClassLikeDeclaration): Members {
  const result: Members = { members: [], unseen: undefined };
  const base = body.heritageClauses?.find(({ token }) => token === compiler.SyntaxKind.ExtendsKeyword);
  if (base) result.unseen = { start: base.getStart(), what: "base class" };
  const usedInside = namesOnThis(body);
  for (const member of body.members) {
    if (compiler.isConstructorDeclaration(member)) {
      for (const parameter of member.parameters) {
        // `constructor(public retrievePage: ...)` declares a member.
        if (
          !compiler.isParameterPropertyDeclaration(parameter, member) ||
          !compiler.isIdentifier(parameter.name)
        )
          continue;
        const start = parameter.name.getStart();
        result.members.push({
          name: parameter.name.text,
          start,
          handlerLike: false,
          stub: false,
          route: undefined,
        });
      }
      continue;
    }
    if (!member.name || compiler.isPrivateIdentifier(member.name) || hasModifier(member, "static")) continue;
    const name = nameText(member.name);
    // A computed name in a class is a well-known symbol more often than a handler: no reason to stop.
    if (name === undefined) continue;
    const isFunction =
      compiler.isMethodDeclaration(member) ||
      (compiler.isPropertyDeclaration(member) &&
        member.initializer !== undefined &&
        (compiler.isArrowFunction(member.initializer) || compiler.isFunctionExpression(member.initializer)));
    // What the class itself calls is a helper of its handlers, not a handler that was left over.
    const handlerLike =
      isFunction &&
      !name.startsWith("_") &&
      !hasModifier(member, "private") &&
      !hasModifier(member, "protected") &&
      !usedInside.has(name);
    const start = member.name.getStart();
    result.members.push({ name, start, handlerLike, stub: isStub(member, name), route: routeOf(member) });
  }
  return result;
}

/** The text of a name that is known without running the program. */
function nameText(name: ts.PropertyName): string | undefined {
  if (!compiler.isComputedPropertyName(name)) return name.text;
  return compiler.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function isPlainData(value: ts.Expression): boolean {
  return (
    compiler.isLiteralExpression(value) ||
    compiler.isTemplateExpression(value) ||
    compiler.isObjectLiteralExpression(value) ||
    compiler.isArrayLiteralExpression(value) ||
    value.kind === compiler.SyntaxKind.TrueKeyword ||
    value.kind === compiler.SyntaxKind.FalseKeyword ||
    value.kind === compiler.SyntaxKind.NullKeyword
  );
}

function isStub(member: ts.Node, name: string): boolean {
  if (!compiler.isMethodDeclaration(member) || member.body?.statements.length !== 1) return false;
  // Whatever quotes a formatter has put around it.
  return new RegExp(`["'\`]${stubMessage(name)}["'\`]`).test(member.body.getText());
}

function routeOf(member: ts.Node): string | undefined {
  const text = member.getSourceFile().text.slice(member.getFullStart(), member.getStart());
  const [, method, path = ""] =
    /^[\s/*]*(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|QUERY) (\/\S*)/.exec(text) ?? [];
  // Behind the path comes a colon where there is a summary.
  return method === undefined ? undefined : `${method} ${path.replace(/:$/, "")}`;
}

function hasModifier(member: ts.ClassElement, keyword: "static" | "private" | "protected"): boolean {
  if (!compiler.canHaveModifiers(member)) return false;
  return (compiler.getModifiers(member) ?? []).some((modifier) => modifier.getText() === keyword);
}

/** Names that a class uses through `this`. */
function namesOnThis(body: ts.ClassLikeDeclaration): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      compiler.isPropertyAccessExpression(node) &&
      node.expression.kind === compiler.SyntaxKind.ThisKeyword
    ) {
      names.add(node.name.text);
    }
    compiler.forEachChild(node, visit);
  };
  visit(body);
  return names;
}

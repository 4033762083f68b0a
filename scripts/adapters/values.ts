import type ts from "typescript";
import { compiler } from "../compiler.js";

/** Names of names of names are enough; this also ends circles. */
const maxDepth = 5;

/** What a function returns, its nested functions and classes left out. */
export function returnedExpressions(node: { body?: ts.Node | undefined }): ts.Expression[] {
  if (!node.body) return [];
  // The body of an arrow function is a block or the returned expression itself.
  if (!compiler.isBlock(node.body)) return compiler.isExpression(node.body) ? [node.body] : [];
  const found: ts.Expression[] = [];
  const visit = (inner: ts.Node): void => {
    if (compiler.isFunctionLike(inner) || compiler.isClassLike(inner)) return;
    if (compiler.isReturnStatement(inner) && inner.expression) found.push(inner.expression);
    compiler.forEachChild(inner, visit);
  };
  visit(node.body);
  return found;
}

/**
 * The object literal that an expression stands for. `direct` says that the annotation around the expression
 * reaches the literal, so that TypeScript takes the types of its methods' parameters from there.
 */
export function literalOf(
  value: ts.Expression,
  depth = 0,
): { object: ts.ObjectLiteralExpression; direct: boolean } | undefined {
  if (depth > maxDepth) return undefined;
  const indirect = (inner: ts.Expression) => {
    const literal = literalOf(inner, depth + 1);
    return literal && { ...literal, direct: false };
  };
  if (compiler.isObjectLiteralExpression(value)) return { object: value, direct: true };
  if (compiler.isParenthesizedExpression(value) || compiler.isNonNullExpression(value)) {
    return literalOf(value.expression, depth + 1);
  }
  if (compiler.isAsExpression(value) || compiler.isTypeAssertionExpression(value)) {
    return compiler.isConstTypeReference(value.type)
      ? literalOf(value.expression, depth + 1)
      : indirect(value.expression);
  }
  if (compiler.isSatisfiesExpression(value) || compiler.isAwaitExpression(value))
    return indirect(value.expression);
  if (compiler.isCallExpression(value) && value.expression.getText() === "Object.freeze") {
    const [argument] = value.arguments;
    return argument && indirect(argument);
  }
  if (compiler.isIdentifier(value)) {
    const initializer = initializerOf(value);
    return initializer && indirect(initializer);
  }
  return undefined;
}

/** The initial value of the variable that a name stands for, looked up in the blocks around it. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name; scope.parent; scope = scope.parent) {
    const { parent } = scope;
    if (compiler.isFunctionLike(parent) && parent.parameters.some((one) => bindsName(one.name, name.text))) {
      return undefined;
    }
    if (!compiler.isBlock(parent) && !compiler.isSourceFile(parent) && !compiler.isModuleBlock(parent))
      continue;
    for (const statement of parent.statements) {
      if (!compiler.isVariableStatement(statement)) continue;
      for (const declaration of statement.declarationList.declarations) {
        if (!bindsName(declaration.name, name.text)) continue;
        return compiler.isIdentifier(declaration.name) ? declaration.initializer : undefined;
      }
    }
  }
  return undefined;
}

function bindsName(binding: ts.BindingName, name: string): boolean {
  if (compiler.isIdentifier(binding)) return binding.text === name;
  return binding.elements.some(
    (element) => compiler.isBindingElement(element) && bindsName(element.name, name),
  );
}

import { ts } from "ts-morph";

/** Names of names of names are enough; this also ends circles. */
const maxDepth = 5;

/** What a function returns, its nested functions and classes left out. */
export function returnedExpressions(node: { body?: ts.Node | undefined }): ts.Expression[] {
  if (!node.body) return [];
  // The body of an arrow function is a block or the returned expression itself.
  if (!ts.isBlock(node.body)) return ts.isExpression(node.body) ? [node.body] : [];
  const found: ts.Expression[] = [];
  const visit = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner) || ts.isClassLike(inner)) return;
    if (ts.isReturnStatement(inner) && inner.expression) found.push(inner.expression);
    ts.forEachChild(inner, visit);
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
  if (ts.isObjectLiteralExpression(value)) return { object: value, direct: true };
  if (ts.isParenthesizedExpression(value) || ts.isNonNullExpression(value)) {
    return literalOf(value.expression, depth + 1);
  }
  if (ts.isAsExpression(value) || ts.isTypeAssertionExpression(value)) {
    return ts.isConstTypeReference(value.type)
      ? literalOf(value.expression, depth + 1)
      : indirect(value.expression);
  }
  if (ts.isSatisfiesExpression(value) || ts.isAwaitExpression(value)) return indirect(value.expression);
  if (ts.isCallExpression(value) && value.expression.getText() === "Object.freeze") {
    const [argument] = value.arguments;
    return argument && indirect(argument);
  }
  if (ts.isIdentifier(value)) {
    const initializer = initializerOf(value);
    return initializer && indirect(initializer);
  }
  return undefined;
}

/** The initial value of the variable that a name stands for, looked up in the blocks around it. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name; scope.parent; scope = scope.parent) {
    const { parent } = scope;
    if (ts.isFunctionLike(parent) && parent.parameters.some((one) => bindsName(one.name, name.text))) {
      return undefined;
    }
    if (!ts.isBlock(parent) && !ts.isSourceFile(parent) && !ts.isModuleBlock(parent)) continue;
    for (const statement of parent.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const declaration of statement.declarationList.declarations) {
        if (!bindsName(declaration.name, name.text)) continue;
        return ts.isIdentifier(declaration.name) ? declaration.initializer : undefined;
      }
    }
  }
  return undefined;
}

function bindsName(binding: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(binding)) return binding.text === name;
  return binding.elements.some((element) => ts.isBindingElement(element) && bindsName(element.name, name));
}

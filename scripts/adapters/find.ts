import type ts from "typescript";
import { compiler } from "../compiler.js";
import { referencesIn, typeNamesOf, type InterfaceReference } from "./references.js";
import { literalOf, returnedExpressions } from "./values.js";

/** An object literal or a class that implements one or more of the generated interfaces. */
export interface Implementation {
  body: ts.ObjectLiteralExpression | ts.ClassLikeDeclaration;
  references: InterfaceReference[];
  /** The annotation gives the parameters of a new method their types; without that they would be `any`. */
  contextual: boolean;
}

export interface Found {
  implementations: Implementation[];
  /** Annotations of values whose handlers cannot be seen, such as `const pages: PagesHandlers = make()`. */
  opaque: InterfaceReference[];
}

/** Which annotations count. */
export interface Wanted {
  /** The interface of a group. */
  isWanted(reference: InterfaceReference): boolean;
  /**
   * For the interface that has the handlers of all groups as its members (`Handlers` of the generated routes): the
   * interface of each group by the name of the member. For any other nothing.
   */
  groupsIn(reference: InterfaceReference): ReadonlyMap<string, string> | undefined;
}

/** Finds the implementations in a file of all interfaces that are wanted. */
export function findImplementations(tree: ts.SourceFile, { isWanted, groupsIn }: Wanted): Found {
  const names = typeNamesOf(tree);
  const byBody = new Map<ts.Node, Implementation>();
  const opaque: InterfaceReference[] = [];

  const wantedIn = (type: ts.Node) => referencesIn(type, names).filter(isWanted);

  /** The handlers of a group written out where those of all groups are put together. */
  const addGroups = (type: ts.Node, values: () => ts.Expression[]) => {
    for (const reference of referencesIn(type, names)) {
      const groups = groupsIn(reference);
      if (!groups) continue;
      for (const value of values()) {
        const all = literalOf(value);
        for (const property of all?.object.properties ?? []) {
          if (!compiler.isPropertyAssignment(property) || compiler.isComputedPropertyName(property.name))
            continue;
          const name = groups.get(property.name.text);
          const group = literalOf(property.initializer);
          // A name or a call stands for handlers that are written, and found, elsewhere.
          if (name !== undefined && all && group?.direct)
            add(group.object, [{ ...reference, name, loose: false }], all.direct);
        }
      }
    }
  };

  const add = (body: Implementation["body"], references: InterfaceReference[], contextual: boolean) => {
    const known = byBody.get(body);
    if (!known) {
      byBody.set(body, { body, references: [...references], contextual });
      return;
    }
    known.contextual ||= contextual;
    for (const reference of references) {
      if (!known.references.some(({ name }) => name === reference.name)) known.references.push(reference);
    }
  };

  const addValues = (type: ts.Node, values: () => ts.Expression[]) => {
    addGroups(type, values);
    const references = wantedIn(type);
    if (references.length === 0) return;
    for (const value of values()) {
      const literal = literalOf(value);
      if (literal) add(literal.object, references, literal.direct);
      else opaque.push(...references);
    }
  };

  const visit = (node: ts.Node): void => {
    if (compiler.isClassLike(node)) {
      const clause = node.heritageClauses?.find(
        ({ token }) => token === compiler.SyntaxKind.ImplementsKeyword,
      );
      const references = (clause?.types ?? []).flatMap(wantedIn);
      if (references.length > 0 && !isAmbient(node)) add(node, references, false);
    } else if (isFunctionWithBody(node)) {
      if (node.type) addValues(node.type, () => returnedExpressions(node));
    } else if (compiler.isVariableDeclaration(node) || compiler.isPropertyDeclaration(node)) {
      const { type, initializer } = node;
      if (type && initializer && compiler.isFunctionTypeNode(type) && isFunctionWithBody(initializer)) {
        addValues(type.type, () => returnedExpressions(initializer));
      } else if (type && initializer) {
        addValues(type, () => [initializer]);
      }
    } else if (
      compiler.isSatisfiesExpression(node) ||
      compiler.isAsExpression(node) ||
      compiler.isTypeAssertionExpression(node)
    ) {
      addValues(node.type, () => [node.expression]);
    }
    compiler.forEachChild(node, visit);
  };
  visit(tree);
  return { implementations: [...byBody.values()], opaque };
}

type FunctionWithBody =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.GetAccessorDeclaration;

function isFunctionWithBody(node: ts.Node): node is FunctionWithBody {
  return (
    (compiler.isFunctionDeclaration(node) ||
      compiler.isFunctionExpression(node) ||
      compiler.isArrowFunction(node) ||
      compiler.isMethodDeclaration(node) ||
      compiler.isGetAccessorDeclaration(node)) &&
    node.body !== undefined
  );
}

function isAmbient(node: ts.ClassLikeDeclaration): boolean {
  return (
    compiler.isClassDeclaration(node) &&
    (node.modifiers ?? []).some(({ kind }) => kind === compiler.SyntaxKind.DeclareKeyword)
  );
}

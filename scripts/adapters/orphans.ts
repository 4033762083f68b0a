import { Node, Scope } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { HandlerGroup } from "../model/model.js";
import { ALL_HANDLERS, createWarning, type Implementation } from "./implementation.js";
import { isUntouchedStub } from "./stub.js";

/**
 * Reports handlers and interfaces of an implementation that the document does not have. Suggests the new name of a handler whose
 * comment has the route of an operation.
 *
 * @param created groups that get a new file
 */
export function reportOrphans(
  implementation: Implementation,
  groups: readonly HandlerGroup[],
  created: readonly HandlerGroup[],
): Diagnostic[] {
  const { members, interfaces } = implementation;
  const orphans = [...members].filter(([name]) => !isDeclared(implementation, name));
  if (interfaces.has(ALL_HANDLERS))
    return (mayHaveHelpers(implementation) ? [] : orphans).map(([name, node]) =>
      createWarning(node, `Orphaned handlers "${name}": the document no longer has such a tag. Remove them.`),
    );
  const removed = [...interfaces].filter(([name]) => !groups.some((group) => group.interfaceName === name));
  if (removed.length === 0)
    return orphans.flatMap(([name, node]) => {
      const reason = isHandlerLike(node) ? describeOrphan(name, node, implementation, groups) : undefined;
      return reason === undefined ? [] : createWarning(node, `Orphaned handler "${name}": ${reason}`);
    });
  const successor = created.find(({ operations }) => operations.some(({ name }) => members.has(name)));
  const hint = successor ? ` Was it renamed to ${successor.interfaceName}?` : "";
  return removed.map(([name, node]) => {
    const message = `Orphaned adapter: the document no longer has a tag for ${name}. Remove it or move its handlers.`;
    return createWarning(node, message + hint);
  });
}

function isDeclared({ types }: Implementation, name: string): boolean {
  return types.some((type) => type.getProperty(name) !== undefined);
}

/** Whether members of an implementation may be something else than handlers. */
function mayHaveHelpers({ body, types }: Implementation): boolean {
  // Types that are unknown here have an index signature.
  return !Node.isObjectLiteralExpression(body) || types.some((type) => type.getStringIndexType());
}

/**
 * Describes why the interface of a handler does not declare it: its operation was moved to another group, renamed or removed.
 * Returns undefined for a helper.
 */
function describeOrphan(
  handlerName: string,
  node: Node,
  implementation: Implementation,
  groups: readonly HandlerGroup[],
): string | undefined {
  if (isUntouchedStub(node, handlerName))
    return "its interface no longer declares it, and it is an untouched stub. Delete it.";
  const operations = groups.flatMap(({ interfaceName, operations: list }) =>
    list.map(({ name, method, path }) => ({ name, interfaceName, route: `${method.toUpperCase()} ${path}` })),
  );
  const moved = operations.find(({ name }) => name === handlerName);
  if (moved) return `its operation belongs to ${moved.interfaceName} now. Move it there.`;
  const route = readRoute(node);
  const renamed = operations.find((operation) => operation.route === route);
  if (!renamed && mayHaveHelpers(implementation)) return undefined;
  const owner = renamed && !isDeclared(implementation, renamed.name) ? ` of ${renamed.interfaceName}` : "";
  const hint = renamed ? ` Was it renamed to "${renamed.name}"${owner}?` : "";
  return `the document no longer has such an operation. Remove or rename it.${hint}`;
}

/** Whether a member seems to handle an operation, unlike data and private helpers. A value of unknown type does. */
function isHandlerLike(member: Node): boolean {
  if (Node.isScoped(member) && member.getScope() !== Scope.Public) return false;
  const type = member.getType();
  return type.isAny() || type.getCallSignatures().length > 0;
}

/** Reads the operation in the comment before a member, such as `GET /v1/pages`. Stubs have one. */
function readRoute(member: Node): string | undefined {
  const comment = member.getSourceFile().getFullText().slice(member.getPos(), member.getStart());
  // A colon separates the path from the summary.
  return /^[\s/*]*([A-Z]+ \/\S*?):?(?:\s|$)/.exec(comment)?.[1];
}

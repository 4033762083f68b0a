import { Node, Scope } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { HandlerGroup } from "../model/model.js";
import { ALL_HANDLERS, createWarning, type Implementation } from "./implementation.js";

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
  if (removed.length === 0) {
    const handlers = orphans.filter(([, node]) => isHandlerLike(node));
    return reportHandlers(implementation, handlers, groups);
  }
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

/** Reports handlers whose interface does not declare them: their operation was moved to another group, renamed or removed. */
function reportHandlers(
  implementation: Implementation,
  handlers: readonly (readonly [string, Node])[],
  groups: readonly HandlerGroup[],
): Diagnostic[] {
  const operations = groups.flatMap(({ interfaceName, operations: list }) =>
    list.map(({ name, method, path }) => ({ name, interfaceName, route: `${method.toUpperCase()} ${path}` })),
  );
  return handlers.flatMap(([name, node]) => {
    const moved = operations.find((operation) => operation.name === name);
    const prefix = `Orphaned handler "${name}":`;
    if (moved)
      return createWarning(
        node,
        `${prefix} its operation belongs to ${moved.interfaceName} now. Move it there.`,
      );
    const route = readRoute(node);
    const renamed = operations.find((operation) => operation.route === route);
    // Helpers are not reported.
    if (!renamed && mayHaveHelpers(implementation)) return [];
    const owner = renamed && !isDeclared(implementation, renamed.name) ? ` of ${renamed.interfaceName}` : "";
    const hint = renamed ? ` Was it renamed to "${renamed.name}"${owner}?` : "";
    const message = "the document no longer has such an operation. Remove or rename it.";
    return createWarning(node, `${prefix} ${message}${hint}`);
  });
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

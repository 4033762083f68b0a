import { Node, Scope } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { HandledOperation, HandlerGroup } from "../model/model.js";
import { computeSimilarity } from "../text.js";
import { ALL_HANDLERS, createWarning, type Implementation } from "./implementation.js";
import { formatStubMessage } from "./stub.js";

/** Minimum similarity of two names to suggest that a handler was renamed, from 0 to 1. */
const MIN_RENAME_SIMILARITY = 0.6;
/** Maximum number of comparisons. Suggestions are meaningless when hundreds of names have changed. */
const MAX_COMPARISONS = 10_000;

/**
 * Reports handlers and interfaces of an implementation that the document does not have, with their likely new names.
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
      warnAtName(node, `Orphaned handlers "${name}": the document has no such tag any more. Remove them.`),
    );
  const removed = [...interfaces].filter(([name]) => !groups.some((group) => group.interfaceName === name));
  if (removed.length === 0) {
    const handlers = orphans.filter(([, node]) => isHandlerLike(node));
    return reportHandlers(implementation, handlers, groups);
  }
  const successor = created.find(({ operations }) => operations.some(({ name }) => members.has(name)));
  const hint = successor ? ` Was it renamed to ${successor.interfaceName}?` : "";
  return removed.map(([name, node]) => {
    const message = `Orphaned adapter: the document has no ${name} any more. Remove it or move its handlers.`;
    return createWarning(node, message + hint);
  });
}

/** Whether an interface of an implementation declares a handler with a name. */
function isDeclared({ types }: Implementation, name: string): boolean {
  return types.some((type) => type.getProperty(name) !== undefined);
}

/** Whether members of an implementation may be something else than handlers. */
function mayHaveHelpers({ body, types }: Implementation): boolean {
  // Types that are unknown here have an index signature.
  return !Node.isObjectLiteralExpression(body) || types.some((type) => type.getStringIndexType());
}

/** Reports handlers whose interface does not declare them: their operation was moved to another group, or removed. */
function reportHandlers(
  implementation: Implementation,
  handlers: readonly (readonly [string, Node])[],
  groups: readonly HandlerGroup[],
): Diagnostic[] {
  const owners = new Map(
    groups.flatMap((group) => group.operations.map(({ name }) => [name, group.interfaceName])),
  );
  const removed = handlers.filter(([name]) => !owners.has(name));
  const operations = groups.flatMap((group) => group.operations);
  const renames = findRenames(implementation, removed, operations);
  return handlers.flatMap(([name, node]) => {
    const owner = owners.get(name);
    if (owner !== undefined)
      return warnAtName(
        node,
        `Orphaned handler "${name}": its operation belongs to ${owner} now. Move it there.`,
      );
    const newName = renames.get(name);
    // Helpers are not reported unless they have a likely new name.
    if (newName === undefined && mayHaveHelpers(implementation)) return [];
    const group =
      newName === undefined || isDeclared(implementation, newName) ? "" : ` of ${owners.get(newName)}`;
    const hint = newName === undefined ? "" : ` Was it renamed to "${newName}"${group}?`;
    const message = `Orphaned handler "${name}": the document has no such operation any more. Remove or rename it.`;
    return warnAtName(node, message + hint);
  });
}

/** Whether a member seems to handle an operation, unlike data and private helpers. A value of unknown type does. */
function isHandlerLike(member: Node): boolean {
  if (Node.isScoped(member) && member.getScope() !== Scope.Public) return false;
  const type = member.getType();
  return type.isAny() || type.getCallSignatures().length > 0;
}

/**
 * Finds the likely new names of handlers whose operations were removed: of the operation with the route in the comment of
 * the handler, otherwise of a missing handler with a similar name. The most similar pairs come first.
 */
function findRenames(
  implementation: Implementation,
  removed: readonly (readonly [string, Node])[],
  operations: readonly HandledOperation[],
): ReadonlyMap<string, string> {
  const { members, opaqueNode } = implementation;
  // Operations without a handler, or with an unchanged stub. An opaque node may contain the missing handlers.
  const missing = operations.filter(({ name }) => {
    const handler = members.get(name);
    return isDeclared(implementation, name) && (handler ? isUnchangedStub(handler, name) : !opaqueNode);
  });
  const movable = operations.filter(({ name }) => !isDeclared(implementation, name));
  const canCompare = removed.length * missing.length <= MAX_COMPARISONS;
  const pairs = removed.flatMap(([from, node]) => {
    const route = readRoute(node);
    const rate = ({ name, method, path }: HandledOperation): number => {
      if (`${method.toUpperCase()} ${path}` === route) return Infinity;
      return canCompare && isDeclared(implementation, name) ? computeSimilarity(from, name) : 0;
    };
    return [...missing, ...movable].map((operation) => ({
      from,
      to: operation.name,
      rating: rate(operation),
    }));
  });
  const renames = new Map<string, string>();
  const used = new Set<string>();
  for (const { from, to, rating } of pairs.sort((one, other) => other.rating - one.rating)) {
    if (rating < MIN_RENAME_SIMILARITY || renames.has(from) || used.has(to)) continue;
    renames.set(from, to);
    used.add(to);
  }
  // A single handler and a single operation are paired even if their names are not similar.
  const [oldName, ...oldNames] = removed.flatMap(([name]) => (renames.has(name) ? [] : [name]));
  const [newName, ...newNames] = missing.flatMap(({ name }) => (used.has(name) ? [] : [name]));
  if (oldName && newName && oldNames.length + newNames.length === 0 && !mayHaveHelpers(implementation))
    renames.set(oldName, newName);
  return renames;
}

function isUnchangedStub(member: Node, name: string): boolean {
  const body = Node.isMethodDeclaration(member) ? member.getBody() : undefined;
  if (!Node.isBlock(body) || body.getStatements().length !== 1) return false;
  // A formatter may have changed the quotes.
  return new RegExp(`["'\`]${formatStubMessage(name)}["'\`]`).test(body.getText());
}

/** Reads the operation in the comment before a member, such as `GET /v1/pages`. Stubs have one. */
function readRoute(member: Node): string | undefined {
  const comment = member.getSourceFile().getFullText().slice(member.getPos(), member.getStart());
  // A colon separates the path from the summary.
  return /^[\s/*]*([A-Z]+ \/\S*?):?(?:\s|$)/.exec(comment)?.[1];
}

/** Creates a warning at the name of a member. */
function warnAtName(member: Node, message: string): Diagnostic {
  return createWarning(Node.hasName(member) ? member.getNameNode() : member, message);
}

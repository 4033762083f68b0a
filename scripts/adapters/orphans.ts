import { Node, Scope } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { OperationGroup } from "../model/model.js";
import { ALL_HANDLERS } from "./interfaces.js";
import { type Adapter, createWarning } from "./parser.js";
import { findRenames } from "./renames.js";

/**
 * Reports handlers and interfaces of an adapter that the document does not have, with their likely new names.
 *
 * @param created groups that get a new file
 */
export function reportOrphans(
  adapter: Adapter,
  groups: readonly OperationGroup[],
  created: readonly OperationGroup[],
): Diagnostic[] {
  const { members, references } = adapter;
  const allHandlers = references.find(({ name }) => name === ALL_HANDLERS);
  if (allHandlers) {
    const orphans = members.filter(({ name }) => !groups.some((group) => group.name === name));
    return (allHandlers.allowsMoreMembers ? [] : orphans).map(({ name, node }) =>
      warnAtName(node, `Orphaned handlers "${name}": the document has no such tag any more. Remove them.`),
    );
  }
  const removed = references.filter((one) => !groups.some((group) => group.interfaceName === one.name));
  if (removed.length === 0) return reportOrphanedHandlers(adapter, groups);
  const names = new Set(members.map(({ name }) => name));
  const successor = created.find(({ operations }) => operations.some(({ name }) => names.has(name)));
  const hint = successor ? ` Was it renamed to ${successor.interfaceName}?` : "";
  return removed.map(({ name, node }) => {
    const message = `Orphaned adapter: the document has no ${name} any more. Remove it or move its handlers.`;
    return createWarning(node, message + hint);
  });
}

/** Reports the handlers of an adapter whose operations were removed, or belong to another interface. */
function reportOrphanedHandlers(adapter: Adapter, groups: readonly OperationGroup[]): Diagnostic[] {
  const { body, members, references } = adapter;
  const interfaceOf = new Map(
    groups.flatMap(({ interfaceName, operations }) => operations.map(({ name }) => [name, interfaceName])),
  );
  const implementsOperation = (name: string): boolean =>
    references.some((reference) => reference.name === interfaceOf.get(name));
  const orphans = members.filter(({ name, node }) => !implementsOperation(name) && isHandlerLike(node));
  const removed = orphans.filter(({ name }) => !interfaceOf.has(name));
  // Classes and intersections may have helpers, so only members with a likely new name are reported there.
  const mayHaveHelpers =
    !Node.isObjectLiteralExpression(body) || references.some((reference) => reference.allowsMoreMembers);
  const renames = findRenames(adapter, removed, groups, implementsOperation, mayHaveHelpers);
  return orphans.flatMap(({ name, node }) => {
    const newInterface = interfaceOf.get(name);
    if (newInterface !== undefined) {
      const message = `Orphaned handler "${name}": its operation belongs to ${newInterface} now. Move it there.`;
      return [warnAtName(node, message)];
    }
    const newName = renames.get(name);
    if (newName === undefined && mayHaveHelpers) return [];
    const message = `Orphaned handler "${name}": the document has no such operation any more. Remove or rename it.`;
    if (newName === undefined) return [warnAtName(node, message)];
    const owner = implementsOperation(newName) ? "" : ` of ${interfaceOf.get(newName)}`;
    return [warnAtName(node, `${message} Was it renamed to "${newName}"${owner}?`)];
  });
}

/** Whether a member seems to handle an operation, unlike data and private helpers. A value of unknown type does. */
function isHandlerLike(member: Node): boolean {
  if (Node.isScoped(member) && member.getScope() !== Scope.Public) return false;
  const type = member.getType();
  return type.isAny() || type.getCallSignatures().length > 0;
}

/** Creates a warning at the name of a member. */
function warnAtName(member: Node, message: string): Diagnostic {
  return createWarning(Node.hasName(member) ? member.getNameNode() : member, message);
}

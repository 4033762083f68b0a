import { Node, Scope } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { OperationGroup } from "../model/model.js";
import type { Member } from "./implementations.js";
import { ALL_HANDLERS } from "./interfaces.js";
import { type Adapter, createWarning } from "./parser.js";
import { pairSimilarNames } from "./similar-names.js";
import { formatStubMessage } from "./stub.js";

/**
 * Reports handlers and interfaces of an implementation that the document does not have, with their likely new names.
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
  return removed.map(({ name, node }) =>
    createWarning(
      node,
      `Orphaned adapter: the document has no ${name} any more. Remove it or move its handlers.${hint}`,
    ),
  );
}

function reportOrphanedHandlers(adapter: Adapter, groups: readonly OperationGroup[]): Diagnostic[] {
  const { members, references } = adapter;
  const interfaceOf = new Map(
    groups.flatMap(({ interfaceName, operations }) => operations.map(({ name }) => [name, interfaceName])),
  );
  const isExpected = (name: string): boolean =>
    references.some((reference) => reference.name === interfaceOf.get(name));
  const orphans = members.filter(({ name, node }) => !isExpected(name) && isHandlerLike(node));
  const removed = orphans.filter(({ name }) => !interfaceOf.has(name));
  const renames = findRenames(adapter, removed, groups, isExpected);
  return orphans.flatMap(({ name, node }) => {
    const newInterface = interfaceOf.get(name);
    if (newInterface !== undefined) {
      const message = `Orphaned handler "${name}": its operation belongs to ${newInterface} now. Move it there.`;
      return [warnAtName(node, message)];
    }
    const newName = renames.get(name);
    if (newName === undefined && mayHaveHelpers(adapter)) return [];
    const where = newName === undefined || isExpected(newName) ? "" : ` of ${interfaceOf.get(newName)}`;
    const hint = newName === undefined ? "" : ` Was it renamed to "${newName}"${where}?`;
    const message = `Orphaned handler "${name}": the document has no such operation any more. Remove or rename it.`;
    return [warnAtName(node, message + hint)];
  });
}

/** Finds the likely new names of removed handlers: the operations that they had been stubs of, or similar names. */
function findRenames(
  adapter: Adapter,
  removed: readonly Member[],
  groups: readonly OperationGroup[],
  isExpected: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const operations = groups.flatMap((group) => group.operations);
  const handlers = new Map(adapter.members.map(({ name, node }) => [name, node]));
  // Operations without a handler, or with an unchanged stub. An opaque element may contain the missing handlers.
  const missing = operations.filter(({ name }) => {
    const handler = handlers.get(name);
    return isExpected(name) && (handler ? isUnchangedStub(handler, name) : !adapter.opaqueNode);
  });
  const renames = new Map<string, string>();
  for (const { name, node } of removed) {
    const route = readRoute(node);
    const operation = operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === route);
    if (operation && (missing.includes(operation) || !isExpected(operation.name)))
      renames.set(name, operation.name);
  }
  const used = new Set(renames.values());
  const unmatched = removed.map(({ name }) => name).filter((name) => !renames.has(name));
  const available = missing.map(({ name }) => name).filter((name) => !used.has(name));
  // A single handler and a single operation are paired even if their names are not similar.
  const [name, newName] = [...unmatched, ...available];
  const isSinglePair = unmatched.length === 1 && available.length === 1 && !mayHaveHelpers(adapter);
  if (isSinglePair && name !== undefined && newName !== undefined) return renames.set(name, newName);
  return new Map([...renames, ...pairSimilarNames(unmatched, available)]);
}

/** Whether an adapter may have members that are no handlers. Only those with a likely new name are reported. */
function mayHaveHelpers({ body, references }: Adapter): boolean {
  return !Node.isObjectLiteralExpression(body) || references.some((one) => one.allowsMoreMembers);
}

/** Whether a member seems to handle an operation, unlike data and private helpers. A value of unknown type does. */
function isHandlerLike(member: Node): boolean {
  if (Node.isScoped(member) && member.getScope() !== Scope.Public) return false;
  const type = member.getType();
  return type.isAny() || type.getCallSignatures().length > 0;
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
  const name = Node.hasName(member) ? member.getNameNode() : member;
  return createWarning(name, message);
}

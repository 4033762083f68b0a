import { Node } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { OperationGroup } from "../model/model.js";
import { ALL_HANDLERS } from "./interfaces.js";
import type { Member } from "./members.js";
import { type Adapter, createWarning } from "./parser.js";
import { pairSimilarNames } from "./similar-names.js";

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
    const orphans = members.filter(
      (member) => !allHandlers.loose && !groups.some(({ name }) => name === member.name),
    );
    return orphans.map(({ name, node }) =>
      createWarning(node, `Orphaned handlers "${name}": the document has no such tag any more. Remove them.`),
    );
  }
  const interfaceNames = new Set(groups.map(({ interfaceName }) => interfaceName));
  const removed = references.filter(({ name }) => !interfaceNames.has(name));
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
  const owners = new Map(groups.flatMap((group) => group.operations.map(({ name }) => [name, group])));
  const isExpected = (name: string): boolean =>
    references.some((reference) => reference.name === owners.get(name)?.interfaceName);
  const orphans = members.filter(({ name, handlerLike }) => handlerLike && !isExpected(name));
  const removed = orphans.filter(({ name }) => !owners.has(name));
  const renames = findRenames(adapter, removed, groups, isExpected);

  // Classes and intersections may have helpers, so only members with a likely new name are reported there.
  const helpersAllowed =
    !Node.isObjectLiteralExpression(adapter.body) || references.some(({ loose }) => loose);
  return orphans.flatMap(({ name, node }) => {
    const owner = owners.get(name)?.interfaceName;
    const newName = renames.get(name);
    if (owner === undefined && newName === undefined && helpersAllowed) return [];
    const where =
      newName === undefined || isExpected(newName) ? "" : ` of ${owners.get(newName)?.interfaceName}`;
    const hint = newName === undefined ? "" : ` Was it renamed to "${newName}"${where}?`;
    const advice =
      owner === undefined
        ? `the document has no such operation any more. Remove or rename it.${hint}`
        : `its operation belongs to ${owner} now. Move it there.`;
    return [createWarning(node, `Orphaned handler "${name}": ${advice}`)];
  });
}

/** Finds the likely new names of removed handlers: the operations that they had been stubs of, or similar names. */
function findRenames(
  { members, opaqueElement }: Adapter,
  removed: readonly Member[],
  groups: readonly OperationGroup[],
  isExpected: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const operations = groups.flatMap((group) => group.operations);
  const byName = new Map(members.map((member) => [member.name, member]));
  // Operations without a handler, or with an unchanged stub. An opaque element may contain the missing handlers.
  const missing = operations
    .map(({ name }) => name)
    .filter((name) => isExpected(name) && (byName.get(name)?.stub ?? !opaqueElement));
  const byRoute = new Map(
    operations.map(({ name, method, path }) => [`${method.toUpperCase()} ${path}`, name]),
  );
  const renames = new Map<string, string>();
  for (const { name, route = "" } of removed) {
    const newName = byRoute.get(route);
    if (newName !== undefined && (!isExpected(newName) || missing.includes(newName)))
      renames.set(name, newName);
  }
  const used = new Set(renames.values());
  const unmatched = removed.map(({ name }) => name).filter((name) => !renames.has(name));
  const available = missing.filter((name) => !used.has(name));
  return new Map([...renames, ...pairSimilarNames(unmatched, available)]);
}

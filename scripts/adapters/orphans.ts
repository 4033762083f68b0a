import type { Diagnostic } from "../diagnostic.js";
import { ALL_HANDLERS, type HandlerGroup } from "./handlers.js";
import type { Adapter } from "./source-files.js";
import { warningAt } from "./source-files.js";
import { likelyRenames } from "./similar-names.js";
import { Node } from "ts-morph";

/** The operations of a document, indexed for the search for orphaned handlers. */
export interface OperationIndex {
  groups: ReadonlyMap<string, HandlerGroup>;
  /** Interface by operation name. */
  interfaceOf: ReadonlyMap<string, string>;
  /** Operation name by method and path, such as `GET /v1/pages`. */
  byRoute: ReadonlyMap<string, string>;
}

/** Indexes groups by interface, operation and route. */
export function indexOperations(groups: readonly HandlerGroup[]): OperationIndex {
  const operations = groups.flatMap((group) => group.operations.map((operation) => ({ group, operation })));
  return {
    groups: new Map(groups.map((group) => [group.interfaceName, group])),
    interfaceOf: new Map(operations.map(({ group, operation }) => [operation.name, group.interfaceName])),
    byRoute: new Map(
      operations.map(({ operation: { name, method, path } }) => [`${method.toUpperCase()} ${path}`, name]),
    ),
  };
}

/**
 * Reports handlers and interfaces of an implementation that the document does not have, with their likely new names.
 *
 * @param created groups that get a new file
 */
export function reportOrphans(
  adapter: Adapter,
  index: OperationIndex,
  created: readonly HandlerGroup[],
): Diagnostic[] {
  const all = adapter.references.find(({ name }) => name === ALL_HANDLERS);
  if (all) {
    const names = new Set([...index.groups.values()].map(({ name }) => name));
    const orphans = adapter.members.filter(({ name }) => !all.loose && !names.has(name));
    return orphans.map(({ name, node }) =>
      warningAt(node, `Orphaned handlers "${name}": the document has no such tag any more. Remove them.`),
    );
  }
  const removed = adapter.references.filter(({ name }) => !index.groups.has(name));
  if (removed.length === 0) return orphanedHandlers(adapter, index);
  const names = new Set(adapter.members.map(({ name }) => name));
  const heir = created.find(({ operations }) => operations.some(({ name }) => names.has(name)));
  const hint = heir ? ` Was it renamed to ${heir.interfaceName}?` : "";
  return removed.map(({ name, node }) =>
    warningAt(
      node,
      `Orphaned adapter: the document has no ${name} any more. Remove it or move its handlers.${hint}`,
    ),
  );
}

function orphanedHandlers(adapter: Adapter, { groups, interfaceOf, byRoute }: OperationIndex): Diagnostic[] {
  const own = adapter.references.flatMap(({ name }) => groups.get(name)?.operations ?? []);
  const expected = new Set(own.map(({ name }) => name));
  const orphans = adapter.members.filter(({ name, handlerLike }) => handlerLike && !expected.has(name));
  const removed = orphans.filter(({ name }) => !interfaceOf.has(name));
  const open = openOperations(adapter, [...expected]);

  // The route in the comment of a handler is more reliable than its name.
  const renames = new Map<string, string>();
  for (const { name, route } of removed) {
    const operation = byRoute.get(route ?? "");
    if (operation !== undefined && (!expected.has(operation) || open.includes(operation)))
      renames.set(name, operation);
  }
  const taken = new Set(renames.values());
  const unknown = removed.map(({ name }) => name).filter((name) => !renames.has(name));
  const free = open.filter((name) => !taken.has(name));
  for (const [from, to] of likelyRenames(unknown, free)) renames.set(from, to);

  // Classes and intersections may have helpers, so only members with a likely new name are reported there.
  const helpersAllowed =
    !Node.isObjectLiteralExpression(adapter.body) || adapter.references.some(({ loose }) => loose);
  return orphans.flatMap(({ name, node }) => {
    const now = interfaceOf.get(name);
    const to = renames.get(name);
    if (now === undefined && to === undefined && helpersAllowed) return [];
    const where = to === undefined || expected.has(to) ? "" : ` of ${interfaceOf.get(to) ?? ""}`;
    const hint = to === undefined ? "" : ` Was it renamed to "${to}"${where}?`;
    const advice =
      now === undefined
        ? `the document has no such operation any more. Remove or rename it.${hint}`
        : `its operation belongs to ${now} now. Move it there.`;
    return [warningAt(node, `Orphaned handler "${name}": ${advice}`)];
  });
}

/** Operations that a handler may have been renamed to: those without a handler, or with an unchanged stub. */
function openOperations({ members, unseen }: Adapter, names: string[]): string[] {
  const known = new Map(members.map((member) => [member.name, member]));
  // An unseen element may contain the missing handlers.
  return names.filter((name) => known.get(name)?.stub ?? !unseen);
}

import type { Member } from "./members.js";
import { likelyRenames } from "./similar.js";

export interface OrphanQuestion {
  members: Member[];
  /** Names of the operations that the implementation is for. */
  expected: Set<string>;
  /** Those among them that have no handler yet, or but a stub. */
  open: string[];
  /** Interface of each operation in the spec. */
  interfaceOf: Map<string, string>;
  /** Name of each operation in the spec by its method and path, as in `GET /v1/pages`. */
  byRoute: Map<string, string>;
  /**
   * The type allows other members: classes, intersections. Helpers are legitimate there, and nothing tells
   * them from handlers left over. So a member is reported only when there is a reason to take it for one:
   * an operation of its name in another group, or one still waiting for a handler whose old name it may be.
   */
  helpersAllowed: boolean;
}

export interface Orphan {
  /** Offset of its name. */
  start: number;
  message: string;
}

/** Finds the handlers that have no operation, and says what may have become of it. */
export function findOrphans(question: OrphanQuestion): Orphan[] {
  const { members, expected, open, interfaceOf, byRoute, helpersAllowed } = question;
  const orphans = members.filter(({ name, handlerLike }) => handlerLike && !expected.has(name));
  const removed = orphans.filter(({ name }) => !interfaceOf.has(name));
  // The comment of a handler knows better than its name which operation it was for.
  const known = new Map(
    removed.flatMap(({ name, route }): [string, string][] => {
      const operation = route === undefined ? undefined : byRoute.get(route);
      return operation === undefined || (expected.has(operation) && !open.includes(operation))
        ? []
        : [[name, operation]];
    }),
  );
  const taken = new Set(known.values());
  const unknown = removed.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  const renames = new Map([
    ...likelyRenames(
      unknown,
      open.filter((name) => !taken.has(name)),
    ),
    ...known,
  ]);
  return orphans.flatMap(({ name, start }) => {
    const now = interfaceOf.get(name);
    if (now !== undefined)
      return [{ start, message: `handler "${name}" belongs to ${now} now; move it there` }];
    const renamed = renames.get(name);
    if (helpersAllowed && renamed === undefined) return [];
    const gone = `handler "${name}" has no operation in the spec any more; remove or rename it`;
    if (renamed === undefined) return [{ start, message: gone }];
    const where = expected.has(renamed) ? "" : ` of ${interfaceOf.get(renamed) ?? ""}`;
    return [{ start, message: `${gone}; was it renamed to "${renamed}"${where}?` }];
  });
}

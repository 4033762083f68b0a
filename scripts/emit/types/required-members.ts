import { listConjuncts } from "../../model/schema/composition.js";
import type { Schema } from "../../model/schema/schema.js";
import { matchesPattern } from "./patterns.js";
import {
  ANY_JSON_VALUE,
  createIntersection,
  createUnion,
  type IndexSignature,
  type Member,
  type Type,
  UNKNOWN,
} from "./type.js";

// Properties that a schema requires, and does not declare in its `properties`.

/** Creates the member for a required property that `properties` does not declare. */
export function createRequiredMember(
  name: string,
  patterns: readonly IndexSignature[],
  additional: Type | undefined,
): Member {
  const matching = patterns.filter(({ pattern }) => matchesPattern(name, pattern)).map(({ type }) => type);
  // A pattern can match more names here than in the document, in which case `additional` is the type.
  const types = [createIntersection(matching), additional ?? UNKNOWN].filter((type) => type !== UNKNOWN);
  const isKnown = types.length > 0 && additional !== UNKNOWN;
  return { name, type: isKnown ? createUnion(types) : ANY_JSON_VALUE, isOptional: false, docs: [] };
}

/** Whether a schema that a composed schema consists of, or each branch of its union, declares and requires a property itself. */
export function isRequiredByParts(schema: Schema, name: string): boolean {
  const requires = (target: Schema): boolean => target.properties.has(name) && target.required.includes(name);
  const listTargets = (parts: readonly Schema[]): Schema[] => [
    ...new Set(parts.map((part) => part.reference ?? part)),
  ];
  return (
    listTargets(listConjuncts(schema)).some(requires) ||
    schema.unions.some((branches) => listTargets(branches).every(requires))
  );
}

/**
 * Moves required members without a type of their own to the inline types of `allOf` that declare them: `{ a: string }` is easier to
 * read than `{ a: {} | null } & { a?: string }`.
 */
export function moveRequiredMembers(
  own: Type | undefined,
  parts: readonly Type[],
): { own: Type | undefined; parts: readonly Type[] } {
  if (own?.kind !== "object") return { own, parts };
  const declared = new Set(
    parts.flatMap((part) => (part.kind === "object" ? part.members : [])).map(({ name }) => name),
  );
  const isMoved = ({ name, type }: Member): boolean => type === ANY_JSON_VALUE && declared.has(name);
  const moved = new Set(own.members.filter(isMoved).map(({ name }) => name));
  if (moved.size === 0) return { own, parts };
  const members = own.members.filter((member) => !isMoved(member));
  const requireMoved = (member: Member): Member =>
    moved.has(member.name) ? { ...member, isOptional: false } : member;
  return {
    own: members.length + own.signatures.length === 0 ? undefined : { ...own, members },
    parts: parts.map((part) =>
      part.kind === "object" ? { ...part, members: part.members.map(requireMoved) } : part,
    ),
  };
}

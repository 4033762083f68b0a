import { Node } from "ts-morph";
import type { OperationGroup } from "../model/model.js";
import { computeSimilarity } from "../similarity.js";
import type { Member } from "./implementations.js";
import type { Adapter } from "./parser.js";
import { formatStubMessage } from "./stub.js";

/** Minimum similarity of two names to suggest that a handler was renamed, from 0 to 1. */
const MIN_SIMILARITY = 0.6;
/** Maximum number of comparisons. Suggestions are meaningless when hundreds of names have changed. */
const MAX_COMPARISONS = 10_000;

/**
 * Finds the likely new names of handlers whose operations were removed: the operations with the route in the comment of
 * the handler, otherwise those with similar names.
 *
 * @param implementsOperation whether the adapter must have a handler with a name
 * @param mayHaveHelpers whether members may be something else than handlers
 * @returns new names by old name; handlers without a likely new name are omitted
 */
export function findRenames(
  { members, opaqueNode }: Adapter,
  removed: readonly Member[],
  groups: readonly OperationGroup[],
  implementsOperation: (name: string) => boolean,
  mayHaveHelpers: boolean,
): ReadonlyMap<string, string> {
  const operations = groups.flatMap((group) => group.operations);
  const handlers = new Map(members.map(({ name, node }) => [name, node]));
  // Operations without a handler, or with an unchanged stub. An opaque node may contain the missing handlers.
  const missing = operations.filter(({ name }) => {
    const handler = handlers.get(name);
    return implementsOperation(name) && (handler ? isUnchangedStub(handler, name) : !opaqueNode);
  });
  const renames = new Map<string, string>();
  for (const { name, node } of removed) {
    const route = readRoute(node);
    const operation = operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === route);
    if (operation && (missing.includes(operation) || !implementsOperation(operation.name)))
      renames.set(name, operation.name);
  }
  const used = new Set(renames.values());
  const oldNames = removed.map(({ name }) => name).filter((name) => !renames.has(name));
  const newNames = missing.map(({ name }) => name).filter((name) => !used.has(name));
  // A single handler and a single operation are paired even if their names are not similar.
  const isSinglePair = oldNames.length === 1 && newNames.length === 1 && !mayHaveHelpers;
  return new Map([...renames, ...pairSimilarNames(oldNames, newNames, isSinglePair ? 0 : MIN_SIMILARITY)]);
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

/** Pairs old names with similar new names, the most similar ones first. */
function pairSimilarNames(
  oldNames: readonly string[],
  newNames: readonly string[],
  minSimilarity: number,
): Map<string, string> {
  const pairs = new Map<string, string>();
  if (oldNames.length * newNames.length > MAX_COMPARISONS) return pairs;
  const candidates = oldNames
    .flatMap((from) => newNames.map((to) => ({ from, to, similarity: computeSimilarity(from, to) })))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((one, other) => other.similarity - one.similarity);
  const used = new Set<string>();
  for (const { from, to } of candidates) {
    if (pairs.has(from) || used.has(to)) continue;
    pairs.set(from, to);
    used.add(to);
  }
  return pairs;
}

import { getOrCreate } from "./maps.js";

/** Visits each node that is reachable from the roots once, breadth-first: the roots first, then their successors. */
export function* walkGraph<Node>(
  roots: Iterable<Node>,
  listSuccessors: (node: Node) => Iterable<Node>,
): Generator<Node, undefined> {
  // A set iterates over the nodes that the loop adds, too.
  const reached = new Set(roots);
  for (const node of reached) {
    yield node;
    for (const next of listSuccessors(node)) reached.add(next);
  }
}

/** Returns a function that lists the predecessors of a node among some nodes: the inverse of `listSuccessors`. */
export function invertEdges<Node>(
  nodes: Iterable<Node>,
  listSuccessors: (node: Node) => Iterable<Node>,
): (node: Node) => readonly Node[] {
  const previous = new Map<Node, Node[]>();
  for (const node of nodes)
    for (const next of listSuccessors(node)) getOrCreate(previous, next, (): Node[] => []).push(node);
  return (node) => previous.get(node) ?? [];
}

/** Creates a function that tests whether a goal is reachable from a node. All calls together visit each node once. */
export function createReachabilityTest<Node extends object>(
  listSuccessors: (node: Node) => Iterable<Node>,
  isGoal: (node: Node) => boolean,
): (node: Node) => boolean {
  const results = new WeakMap<Node, boolean>();
  return (root) => {
    const listUnknown = (node: Node): Iterable<Node> => (results.has(node) ? [] : listSuccessors(node));
    const reached = [...walkGraph([root], listUnknown)];
    const goals = reached.filter((node) => results.get(node) ?? isGoal(node));
    const leading = new Set(walkGraph(goals, invertEdges(reached, listUnknown)));
    for (const node of reached) results.set(node, leading.has(node));
    return leading.has(root);
  };
}

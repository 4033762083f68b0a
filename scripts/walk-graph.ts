/** Visits each node that is reachable from the roots once: the roots first, then the nodes that they list. */
export function* walkGraph<Node>(
  roots: Iterable<Node>,
  listNext: (node: Node) => Iterable<Node>,
): Generator<Node, undefined> {
  // A set iterates over the nodes that the loop adds, too.
  const reached = new Set(roots);
  for (const node of reached) {
    yield node;
    for (const next of listNext(node)) reached.add(next);
  }
}

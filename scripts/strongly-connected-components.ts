/** A node whose successors are being visited. */
interface Visit<Node> {
  node: Node;
  successors: Iterator<Node>;
  /** Whether the node is its own successor. */
  isLoop: boolean;
}

/**
 * Finds the nodes of a graph that are in a cycle: numbers its strongly connected components with Tarjan's algorithm.
 *
 * @returns the same number for all nodes of a cycle; nodes outside of cycles have none
 */
export function findStronglyConnectedComponents<Node>(
  nodes: Iterable<Node>,
  listSuccessors: (node: Node) => Iterable<Node>,
): Map<Node, number> {
  const indexes = new Map<Node, number>();
  const lowLinks = new Map<Node, number>();
  const stack: Node[] = [];
  const onStack = new Set<Node>();
  const numbers = new Map<Node, number>();

  const enter = (node: Node): Visit<Node> => {
    lowLinks.set(node, indexes.size);
    indexes.set(node, indexes.size);
    stack.push(node);
    onStack.add(node);
    return { node, successors: listSuccessors(node)[Symbol.iterator](), isLoop: false };
  };
  const lowerLink = (node: Node, link = 0): void => {
    lowLinks.set(node, Math.min(lowLinks.get(node) ?? 0, link));
  };
  const leave = ({ node, isLoop }: Visit<Node>): void => {
    const index = indexes.get(node) ?? 0;
    if (lowLinks.get(node) !== index) return;
    const component = stack.splice(stack.lastIndexOf(node));
    for (const each of component) onStack.delete(each);
    if (component.length > 1 || isLoop) for (const each of component) numbers.set(each, index);
  };

  for (const root of nodes) {
    if (indexes.has(root)) continue;
    // A stack of visits replaces recursion, which would overflow on long chains.
    const visits = [enter(root)];
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { value: next, done } = visit.successors.next();
      if (done === true) {
        leave(visit);
        visits.pop();
        const parent = visits.at(-1);
        if (parent) lowerLink(parent.node, lowLinks.get(visit.node));
        continue;
      }
      visit.isLoop ||= next === visit.node;
      if (!indexes.has(next)) visits.push(enter(next));
      else if (onStack.has(next)) lowerLink(visit.node, indexes.get(next));
    }
  }
  return numbers;
}

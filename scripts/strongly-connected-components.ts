import { invertEdges, walkGraph } from "./walk-graph.js";

/** Finds the nodes in cycles with Kosaraju's algorithm. Returns the same number for all nodes of a strongly connected component. */
export function findStronglyConnectedComponents<Node>(
  nodes: Iterable<Node>,
  listSuccessors: (node: Node) => Iterable<Node>,
): Map<Node, number> {
  const visited = new Set<Node>();
  const postorder: Node[] = [];
  for (const root of nodes) {
    // A stack replaces recursion, which would overflow on long chains. A node is on it again while its successors are visited.
    const pending = [{ node: root, isVisited: false }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { node, isVisited } = next;
      if (isVisited) postorder.push(node);
      if (isVisited || visited.has(node)) continue;
      visited.add(node);
      pending.push({ node, isVisited: true });
      for (const successor of listSuccessors(node)) pending.push({ node: successor, isVisited: false });
    }
  }
  const listPredecessors = invertEdges(postorder, listSuccessors);
  const numbers = new Map<Node, number>();
  const numbered = new Set<Node>();
  for (const root of postorder.reverse()) {
    if (numbered.has(root)) continue;
    const listUnnumbered = (node: Node): Node[] =>
      listPredecessors(node).filter((each) => !numbered.has(each));
    const component = [...walkGraph([root], listUnnumbered)];
    for (const node of component) numbered.add(node);
    const isCycle = component.length > 1 || listPredecessors(root).includes(root);
    if (isCycle) for (const node of component) numbers.set(node, numbered.size);
  }
  return numbers;
}

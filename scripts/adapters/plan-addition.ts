import type { Diagnostic } from "../diagnostic.js";
import type { Addition } from "./add-members.js";
import type { NewMember } from "./insert.js";
import type { InterfaceReference } from "./interfaces.js";
import { type Adapter, createWarning } from "./parser.js";
import type { StubTarget } from "./stub.js";

/** An adapter, and its reference to one of the interfaces that it implements. */
interface ImplementedInterface {
  adapter: Adapter;
  reference: InterfaceReference;
}

/** Finds the adapters that implement an interface. */
export function findImplementationsOf(
  interfaceName: string,
  adapters: readonly Adapter[],
): ImplementedInterface[] {
  return adapters.flatMap((adapter) => {
    const reference = adapter.references.find(({ name }) => name === interfaceName);
    return reference ? [{ adapter, reference }] : [];
  });
}

/** An addition, or diagnostics that explain why missing members cannot be added. */
export interface AdditionPlan {
  addition?: Addition;
  diagnostics: Diagnostic[];
}

const NOTHING_TO_ADD: AdditionPlan = { diagnostics: [] };

/**
 * Plans to add the members that the implementation of an interface lacks.
 *
 * @param implementations all implementations of the interface
 * @param required the sources of all members that the implementation must have
 * @param createMember creates a member from its source
 */
export function planAddition<Item extends { name: string }>(
  implementations: readonly ImplementedInterface[],
  required: readonly Item[],
  createMember: (item: Item, target: StubTarget) => NewMember,
): AdditionPlan {
  if (required.length === 0) return NOTHING_TO_ADD;
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  const complete = implementations.filter(({ adapter }) => !adapter.opaqueNode);
  const [implementation, ...others] = complete;
  if (implementation && others.length > 0) {
    const { name, node } = implementation.reference;
    const location = `${node.getSourceFile().getBaseName()}:${node.getStartLineNumber()}`;
    const message = `${name} is implemented in ${location} already. Handlers are added to neither.`;
    return { diagnostics: others.map(({ reference }) => createWarning(reference.node, message)) };
  }
  const candidates = implementation ? [implementation] : implementations;
  const existing = new Set(candidates.flatMap(({ adapter }) => adapter.members.map(({ name }) => name)));
  const missing = required.filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return NOTHING_TO_ADD;
  const body = implementation?.adapter.body;
  if (body) {
    const target = { body, reference: implementation.reference };
    const members = missing.map((item) => createMember(item, target));
    return { addition: { body, members }, diagnostics: [] };
  }
  const list = missing.map(({ name }) => `"${name}"`).join(", ");
  const message = `The handlers ${list} may be defined here. None were added.`;
  const opaqueNodes = candidates.flatMap(({ adapter }) => adapter.opaqueNode ?? []);
  return { diagnostics: opaqueNodes.slice(0, 1).map((node) => createWarning(node, message)) };
}

import type { TypeNode } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import { type Adapter, type AdapterBody, createWarning, type NewMember } from "./adapter.js";

/** The implementation of an interface, and the annotation that names the interface. */
export interface Target {
  body: AdapterBody;
  annotation: TypeNode;
}

/**
 * Plans to add the members that the implementation of an interface lacks. Returns diagnostics if they cannot be added.
 *
 * @param required the sources of all members of the interface
 * @param createMember creates a member from its source
 */
export function planMembers<Item extends { name: string }>(
  interfaceName: string,
  required: readonly Item[],
  adapters: readonly Adapter[],
  createMember: (item: Item, target: Target) => NewMember,
): Diagnostic[] {
  const implementations = adapters.flatMap((adapter) => {
    const annotation = adapter.interfaces.get(interfaceName);
    return annotation && required.length > 0 ? [{ ...adapter, annotation }] : [];
  });
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  const [implementation, ...others] = implementations.filter(({ opaqueNode }) => !opaqueNode);
  if (implementation && others.length > 0) {
    const { annotation } = implementation;
    const location = `${annotation.getSourceFile().getBaseName()}:${annotation.getStartLineNumber()}`;
    const message = `${interfaceName} is implemented in ${location} already. Handlers are added to neither.`;
    return others.map((other) => createWarning(other.annotation, message));
  }
  const candidates = implementation ? [implementation] : implementations;
  const missing = required.filter(({ name }) => !candidates.some(({ members }) => members.has(name)));
  if (implementation?.body) {
    const target = { body: implementation.body, annotation: implementation.annotation };
    implementation.added.push(...missing.map((item) => createMember(item, target)));
    return [];
  }
  const list = missing.map(({ name }) => `"${name}"`).join(", ");
  const message = `The handlers ${list} may be defined here. None were added.`;
  const opaqueNodes = missing.length > 0 ? candidates.flatMap(({ opaqueNode }) => opaqueNode ?? []) : [];
  return opaqueNodes.slice(0, 1).map((node) => createWarning(node, message));
}

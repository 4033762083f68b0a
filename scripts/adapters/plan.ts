import path from "node:path";
import { DiagnosticError } from "../diagnostic.js";
import { Node } from "ts-morph";
import { compareDiagnostics, compareText, type Diagnostic } from "../diagnostic.js";
import { groupBy } from "../group-by.js";
import type { OperationGroup } from "../model/model.js";
import { type Addition, addMembers } from "./add-members.js";
import { readAdapterFolder } from "./folder.js";
import type { NewMember } from "./insert.js";
import { ALL_HANDLERS, HandlerInterfaces, type InterfaceReference } from "./interfaces.js";
import { checkNewAdapter, createAdapter } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { type Adapter, AdapterParser, createWarning } from "./parser.js";
import { findImportedTypes, createRegistration } from "./registration.js";
import type { AdapterReport } from "./report.js";
import { printStub } from "./stub.js";

/**
 * Compares the hand-written adapters in a folder with the operations of a document: plans a stub for each missing
 * handler and a new file for each interface without an implementation, and reports orphaned handlers. Writes nothing.
 *
 * @param routesModule absolute path of the generated routes
 */
export async function planAdapters(
  groups: readonly OperationGroup[],
  dir: string,
  routesModule: string,
): Promise<AdapterReport> {
  const folder = path.resolve(dir);
  if (folder === path.dirname(path.resolve(routesModule)))
    throw new DiagnosticError("--adapters is the folder of --out. Choose a different folder.");
  const contents = await readAdapterFolder(folder);
  const parser = new AdapterParser(new HandlerInterfaces(groups, routesModule));
  const { files, adapters, opaqueReferences } = parser.parse(contents.files);
  const diagnostics = files.flatMap(({ problem }) => problem ?? []);

  const additions: Addition[] = [];
  const collectAddition = (result: Addition | Diagnostic[]): void => {
    if (Array.isArray(result)) diagnostics.push(...result);
    else additions.push(result);
  };
  const created: OperationGroup[] = [];
  for (const group of groups) {
    const { interfaceName, operations } = group;
    const implementations = findImplementationsOf(interfaceName, adapters);
    const opaqueReference = opaqueReferences.find(({ name }) => name === interfaceName);
    if (implementations.length > 0) {
      const addition = planAddition(interfaceName, implementations, ({ adapter: { body }, reference }) =>
        operations.map((operation) => ({
          name: operation.name,
          lines: printStub(operation, { body, reference }),
        })),
      );
      collectAddition(addition);
    } else if (opaqueReference) {
      const message = `The handlers of ${interfaceName} in this value are unknown. None were added.`;
      diagnostics.push(createWarning(opaqueReference.node, message));
    } else {
      const check = checkNewAdapter(group, folder, { names: contents.names, files });
      if (check === true) created.push(group);
      else if (check !== false) diagnostics.push(check);
    }
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, groups, created));

  // New adapters are registered in the object that has the handlers of all groups.
  const handlersObjects = findImplementationsOf(ALL_HANDLERS, adapters).filter(({ adapter }) =>
    Node.isObjectLiteralExpression(adapter.body),
  );
  const importedTypes = findImportedTypes(handlersObjects[0]?.reference);
  const registrations = planAddition(ALL_HANDLERS, handlersObjects, () =>
    created.map((group) => createRegistration(group, importedTypes !== undefined)),
  );
  collectAddition(registrations);
  const edits = await Promise.all(
    created.map((group) => createAdapter(group, folder, routesModule, importedTypes)),
  );
  // Members are added last, because parsing the edited file invalidates the nodes of its previous content.
  for (const additionsToFile of groupBy(additions, ({ adapter }) => adapter.file.file).values()) {
    const result = addMembers(parser, additionsToFile);
    if ("severity" in result) diagnostics.push(result);
    else edits.push(result);
  }
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
}

/** An adapter, and the reference to one of the interfaces that it implements. */
interface ImplementedInterface {
  adapter: Adapter;
  reference: InterfaceReference;
}

function findImplementationsOf(interfaceName: string, adapters: readonly Adapter[]): ImplementedInterface[] {
  return adapters.flatMap((adapter) => {
    const reference = adapter.references.find(({ name }) => name === interfaceName);
    return reference ? [{ adapter, reference }] : [];
  });
}

/**
 * Plans to add the members that the implementation of an interface lacks.
 *
 * @param printMembers returns all members that the implementation must have
 * @returns the addition, or diagnostics that explain why none can be made; no diagnostics if no member is missing
 */
function planAddition(
  interfaceName: string,
  implementations: readonly ImplementedInterface[],
  printMembers: (implementation: ImplementedInterface) => NewMember[],
): Addition | Diagnostic[] {
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  const withKnownMembers = implementations.filter(({ adapter }) => !adapter.opaqueElement);
  const candidates = withKnownMembers.length > 0 ? withKnownMembers : implementations;
  const [implementation, ...others] = candidates;
  const required = implementation ? printMembers(implementation) : [];
  if (!implementation || required.length === 0) return [];
  const { adapter, reference } = implementation;
  if (others.length > 0) {
    const location = `${path.basename(adapter.file.file)}:${reference.node.getStartLineNumber()}`;
    const message = `${interfaceName} is implemented in ${location} already. Handlers are added to neither.`;
    return others.map((other) => createWarning(other.reference.node, message));
  }
  const names = new Set(adapter.members.map(({ name }) => name));
  const missing = required.filter(({ name }) => !names.has(name));
  if (missing.length === 0) return [];
  if (!adapter.opaqueElement) return { adapter, interfaceName, members: missing };
  const list = missing.map(({ name }) => `"${name}"`).join(", ");
  const message = `This ${adapter.opaqueElement.kind} may contain the handlers ${list}. None were added.`;
  return [createWarning(adapter.opaqueElement.node, message)];
}

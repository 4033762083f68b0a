import path from "node:path";
import { compareDiagnostics, compareText, type Diagnostic } from "../diagnostic.js";
import { Node } from "ts-morph";
import { groupBy } from "../group-by.js";
import type { OperationGroup } from "../model/model.js";
import { outputError } from "../write/paths.js";
import { type Addition, addMembers } from "./add-members.js";
import { readAdapterFolder } from "./folder.js";
import type { NewMember } from "./insert.js";
import { ALL_HANDLERS, HandlerInterfaces, type InterfaceReference } from "./interfaces.js";
import { canCreateAdapter, createAdapter } from "./new-file.js";
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
    throw outputError("--adapters is the folder of --out. Choose a different folder.");
  const found = await readAdapterFolder(folder);
  const parser = new AdapterParser(new HandlerInterfaces(groups, routesModule));
  const { files, adapters, opaque } = parser.parse(found.files);
  const diagnostics = files.flatMap(({ problem }) => problem ?? []);

  const additions: Addition[] = [];
  const addMissing = (...parameters: Parameters<typeof planAddition>): void => {
    const planned = planAddition(...parameters);
    if (Array.isArray(planned)) diagnostics.push(...planned);
    else additions.push(planned);
  };
  const created: OperationGroup[] = [];
  for (const group of groups) {
    const { interfaceName, operations } = group;
    const implementations = findImplementationsOf(interfaceName, adapters);
    const opaqueReference = opaque.find(({ name }) => name === interfaceName);
    if (implementations.length > 0) {
      addMissing(interfaceName, implementations, ({ adapter: { body }, reference }) =>
        operations.map((each) => ({ name: each.name, lines: printStub(each, { body, reference }) })),
      );
    } else if (opaqueReference) {
      const message = `The handlers of ${interfaceName} in this value are unknown. None were added.`;
      diagnostics.push(createWarning(opaqueReference.node, message));
    } else {
      const canCreate = canCreateAdapter(group, folder, { ...found, files });
      if (canCreate === true) created.push(group);
      else if (canCreate !== false) diagnostics.push(canCreate);
    }
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, groups, created));

  const registries = findImplementationsOf(ALL_HANDLERS, adapters).filter(({ adapter }) =>
    Node.isObjectLiteralExpression(adapter.body),
  );
  const types = findImportedTypes(registries[0]?.reference);
  addMissing(ALL_HANDLERS, registries, () =>
    created.map((group) => createRegistration(group, types !== undefined)),
  );
  const edits = await Promise.all(created.map((group) => createAdapter(group, folder, routesModule, types)));
  // Edits come last, because each one invalidates the nodes of its file.
  for (const inFile of groupBy(additions, ({ adapter }) => adapter.file.file).values()) {
    const result = addMembers(parser, inFile);
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

/** Plans to add the members that the implementation of an interface lacks, or explains why none can be added. */
function planAddition(
  interfaceName: string,
  implementations: readonly ImplementedInterface[],
  printMembers: (implementation: ImplementedInterface) => NewMember[],
): Addition | Diagnostic[] {
  // An object with a spread wraps another one. Stubs belong to the wrapped object.
  const complete = implementations.filter(({ adapter }) => !adapter.unseen);
  const [implementation, ...others] = complete.length > 0 ? complete : implementations;
  const wanted = implementation ? printMembers(implementation) : [];
  if (!implementation || wanted.length === 0) return [];
  const { adapter, reference } = implementation;
  if (others.length > 0) {
    const where = `${path.basename(adapter.file.file)}:${reference.node.getStartLineNumber()}`;
    const message = `${interfaceName} is implemented in ${where} already. Handlers are added to neither.`;
    return others.map((other) => createWarning(other.reference.node, message));
  }
  const names = new Set(adapter.members.map(({ name }) => name));
  const members = wanted.filter(({ name }) => !names.has(name));
  if (members.length === 0) return [];
  if (!adapter.unseen) return { adapter, interfaceName, members };
  const list = members.map(({ name }) => `"${name}"`).join(", ");
  const message = `This ${adapter.unseen.what} may contain the handlers ${list}. None were added.`;
  return [createWarning(adapter.unseen.node, message)];
}

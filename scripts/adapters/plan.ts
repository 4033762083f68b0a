import path from "node:path";
import { Node } from "ts-morph";
import { compareDiagnostics, compareText, type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { groupBy } from "../group-by.js";
import type { OperationGroup } from "../model/model.js";
import { type Addition, addMembers } from "./add-members.js";
import { readAdapterFolder } from "./files.js";
import type { NewMember } from "./insert.js";
import { ALL_HANDLERS, type InterfaceReference } from "./interfaces.js";
import { checkNewAdapter, createAdapter } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { type Adapter, AdapterParser, createWarning } from "./parser.js";
import { createRegistration, findImportedTypes } from "./registration.js";
import type { AdapterReport } from "./report.js";
import { printStub, type StubTarget } from "./stub.js";

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
  const { names, files } = await readAdapterFolder(folder);
  const parser = new AdapterParser(groups, routesModule);
  const parsedFiles = parser.parse(files);
  const checkedFiles = parsedFiles.map(({ file }) => file);
  const adapters = parsedFiles.flatMap((parsed) => parsed.adapters);

  const diagnostics = checkedFiles.flatMap(({ problem }) => problem ?? []);
  const additions: Addition[] = [];
  const created: OperationGroup[] = [];
  for (const group of groups) {
    const { interfaceName, operations } = group;
    const implementations = findImplementationsOf(interfaceName, adapters);
    const problems =
      implementations.length > 0
        ? planAddition(additions, implementations, operations, (operation, target) => ({
            name: operation.name,
            lines: printStub(operation, target),
          }))
        : checkNewAdapter(group, folder, names, checkedFiles);
    diagnostics.push(...(problems ?? []));
    if (!problems) created.push(group);
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, groups, created));

  // New adapters are registered in the object that has the handlers of all groups.
  const handlersObjects = findImplementationsOf(ALL_HANDLERS, adapters).filter(({ adapter }) =>
    Node.isObjectLiteralExpression(adapter.body),
  );
  const importedTypes = findImportedTypes(handlersObjects[0]?.reference);
  const registrations = created.map((group) => createRegistration(group, importedTypes !== undefined));
  diagnostics.push(...planAddition(additions, handlersObjects, registrations, (member) => member));
  const edits = await Promise.all(
    created.map((group) => createAdapter(group, folder, routesModule, importedTypes)),
  );
  // Members are added last, because parsing an edited file invalidates the nodes of its previous content.
  const additionsByBody = groupBy(additions, ({ body }) => body);
  for (const { file, adapters: adaptersOfFile } of parsedFiles) {
    const [first, ...others] = adaptersOfFile.flatMap(({ body }) => {
      const members = body && additionsByBody.get(body)?.flatMap((addition) => addition.members);
      return members ? [{ body, members }] : [];
    });
    const result = first && addMembers(parser, file, first, ...others);
    if (result && "severity" in result) diagnostics.push(result);
    else if (result) edits.push(result);
  }
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
}

interface ImplementedInterface {
  adapter: Adapter;
  /** Reference to one of the interfaces that the adapter implements. */
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
 * @param additions receives the addition, if there is one
 * @param implementations all implementations of the interface
 * @param required what all members that the implementation must have are created from
 * @returns diagnostics that explain why missing members cannot be added
 */
function planAddition<Item extends { name: string }>(
  additions: Addition[],
  implementations: readonly ImplementedInterface[],
  required: readonly Item[],
  createMember: (item: Item, target: StubTarget) => NewMember,
): Diagnostic[] {
  if (required.length === 0) return [];
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  const complete = implementations.filter(({ adapter }) => !adapter.opaqueNode);
  const [implementation, ...others] = complete;
  if (implementation && others.length > 0) {
    const { name, node } = implementation.reference;
    const location = `${node.getSourceFile().getBaseName()}:${node.getStartLineNumber()}`;
    const message = `${name} is implemented in ${location} already. Handlers are added to neither.`;
    return others.map(({ reference }) => createWarning(reference.node, message));
  }
  const candidates = implementation ? [implementation] : implementations;
  const existing = new Set(candidates.flatMap(({ adapter }) => adapter.members.map(({ name }) => name)));
  const missing = required.filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return [];
  const body = implementation?.adapter.body;
  if (body) {
    const target = { body, reference: implementation.reference };
    additions.push({ body, members: missing.map((item) => createMember(item, target)) });
    return [];
  }
  const list = missing.map(({ name }) => `"${name}"`).join(", ");
  const nodes = candidates.flatMap(({ adapter }) => adapter.opaqueNode ?? []).slice(0, 1);
  return nodes.map((node) =>
    createWarning(node, `The handlers ${list} may be defined here. None were added.`),
  );
}

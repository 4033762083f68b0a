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
import { canCreate, createAdapter } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { type Adapter, AdapterParser, warningAt } from "./parser.js";
import { findImportedTypes, registerGroup } from "./registration.js";
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
    const uses = findUses(interfaceName, adapters);
    const hidden = opaque.find(({ name }) => name === interfaceName);
    if (uses.length > 0) {
      addMissing(interfaceName, uses, ({ adapter: { body }, reference }) =>
        operations.map((each) => ({ name: each.name, lines: printStub(each, { body, reference }) })),
      );
    } else if (hidden) {
      const message = `The handlers of ${interfaceName} in this value are unknown. None were added.`;
      diagnostics.push(warningAt(hidden.node, message));
    } else {
      const possible = canCreate(group, folder, { ...found, files });
      if (possible === true) created.push(group);
      else if (possible !== false) diagnostics.push(possible);
    }
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, groups, created));

  const registries = findUses(ALL_HANDLERS, adapters).filter(({ adapter }) =>
    Node.isObjectLiteralExpression(adapter.body),
  );
  const types = findImportedTypes(registries[0]?.reference);
  addMissing(ALL_HANDLERS, registries, () =>
    created.map((group) => registerGroup(group, types !== undefined)),
  );
  const edits = await Promise.all(created.map((group) => createAdapter(group, folder, routesModule, types)));
  // Last: an edit invalidates the nodes of its file.
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

/** An interface that an adapter implements. */
interface Use {
  adapter: Adapter;
  reference: InterfaceReference;
}

function findUses(interfaceName: string, adapters: readonly Adapter[]): Use[] {
  return adapters.flatMap((adapter) => {
    const reference = adapter.references.find(({ name }) => name === interfaceName);
    return reference ? [{ adapter, reference }] : [];
  });
}

/** Plans to add the members that the implementation of an interface lacks, or explains why none can be added. */
function planAddition(
  interfaceName: string,
  uses: readonly Use[],
  printMembers: (use: Use) => NewMember[],
): Addition | Diagnostic[] {
  // An object with a spread is a wrapper: stubs belong to the object that it wraps.
  const whole = uses.filter(({ adapter }) => !adapter.unseen);
  const [use, ...more] = whole.length > 0 ? whole : uses;
  const wanted = use ? printMembers(use) : [];
  if (!use || wanted.length === 0) return [];
  const { adapter, reference } = use;
  if (more.length > 0) {
    const where = `${path.basename(adapter.file.file)}:${reference.node.getStartLineNumber()}`;
    const message = `${interfaceName} is implemented in ${where} already. Handlers are added to neither.`;
    return more.map((other) => warningAt(other.reference.node, message));
  }
  const names = new Set(adapter.members.map(({ name }) => name));
  const members = wanted.filter(({ name }) => !names.has(name));
  if (members.length === 0) return [];
  if (!adapter.unseen) return { adapter, interfaceName, members };
  const list = members.map(({ name }) => `"${name}"`).join(", ");
  const message = `This ${adapter.unseen.what} may contain the handlers ${list}. None were added.`;
  return [warningAt(adapter.unseen.node, message)];
}

import path from "node:path";
import { Node, type TypeNode } from "ts-morph";
import { type Diagnostic, DiagnosticError, sortDiagnostics } from "../diagnostic.js";
import { getRequired } from "../maps.js";
import type { HandlerGroup } from "../model/model.js";
import { compareText } from "../text.js";
import { type AdapterEdit, readAdapterFolder } from "./files.js";
import { ALL_HANDLERS, createWarning, type Implementation, type NewMember } from "./implementation.js";
import { insertMembers } from "./insert.js";
import { createAdapter, findImportedTypes, checkCreation } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { parseAdapters, type ParsedAdapter } from "./parse.js";
import { createStub } from "./stub.js";

/** Edits of adapters, sorted by file, and diagnostics, sorted by file and position. */
export interface AdapterPlan {
  edits: AdapterEdit[];
  diagnostics: Diagnostic[];
  /** Whether handlers are orphaned, or missing where none can be added. Diagnostics report them. */
  needsManualChange: boolean;
}

/**
 * Compares the hand-written adapters in a folder with the operations of a document: plans a stub for each missing
 * handler and a new file for each interface without an implementation, and reports orphaned handlers. Writes nothing.
 *
 * @param folder absolute path
 * @param routesModule absolute path of the generated routes
 */
export async function planAdapters(
  groups: readonly HandlerGroup[],
  folder: string,
  routesModule: string,
): Promise<AdapterPlan> {
  if (folder === path.dirname(routesModule))
    throw new DiagnosticError("--adapters is the folder of --out. Choose a different folder.");
  const { names, files } = await readAdapterFolder(folder);
  const adapters = parseAdapters(files, groups, routesModule);
  const implementations = adapters.flatMap((adapter) => adapter.implementations);
  const diagnostics = adapters.flatMap(({ refusal }) => refusal ?? []);
  const created: HandlerGroup[] = [];
  for (const group of groups) {
    const { interfaceName, operations } = group;
    if (implementations.some(({ interfaces }) => interfaces.has(interfaceName))) {
      diagnostics.push(...addMissingMembers(interfaceName, operations, createStub, implementations));
      continue;
    }
    const obstacles = checkCreation(group, folder, names, adapters);
    if (obstacles) diagnostics.push(...obstacles);
    else created.push(group);
  }
  const orphans = implementations.flatMap((each) => reportOrphans(each, groups, created));

  // New adapters are registered in the object that has the handlers of all groups.
  const objects = implementations.filter(({ body }) => Node.isObjectLiteralExpression(body));
  const types = findImportedTypes(objects.find(({ interfaces }) => interfaces.has(ALL_HANDLERS)));
  const newAdapters = created.map((group) => createAdapter(group, folder, routesModule, types));
  const registrations = newAdapters.map(({ registration }) => registration);
  diagnostics.push(
    ...addMissingMembers(ALL_HANDLERS, registrations, (registration) => registration, objects),
  );
  const edited = adapters.map((adapter) => ({ ...adapter, text: insertMembers(adapter) }));
  const isChanged = implementations.some(({ added }) => added.length > 0);
  const results = isChanged ? parseAdapters(edited, groups, routesModule) : [];
  const plans = adapters.map((adapter, index) => planEdit(adapter, results[index]));
  const edits = [...newAdapters.map(({ edit }) => edit), ...plans.flatMap((plan) => plan.edits)];
  const manualChanges = [...orphans, ...plans.flatMap((plan) => plan.diagnostics)];
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: sortDiagnostics([...diagnostics, ...manualChanges]),
    needsManualChange: manualChanges.length > 0,
  };
}

/**
 * Adds the missing members of an interface to its implementation.
 *
 * @param create creates a member, given the implementation's body and annotation
 * @returns warnings if it is unclear where missing members belong, in which case none are added
 */
function addMissingMembers<Declared extends { name: string }>(
  interfaceName: string,
  required: readonly Declared[],
  create: (member: Declared, body: Implementation["body"], annotation: TypeNode) => NewMember,
  all: readonly Implementation[],
): Diagnostic[] {
  if (required.length === 0) return [];
  const found = all.filter(({ interfaces }) => interfaces.has(interfaceName));
  const getAnnotation = ({ interfaces }: Implementation): TypeNode => getRequired(interfaces, interfaceName);
  const listMissing = (implementations: readonly Implementation[]): Declared[] =>
    required.filter(({ name }) => !implementations.some(({ members }) => members.has(name)));
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  const [target, ...others] = found.filter(({ dynamicMembersNode }) => !dynamicMembersNode);
  if (!target) {
    const [node] = found.flatMap(({ dynamicMembersNode }) => dynamicMembersNode ?? []);
    const names = formatNames(listMissing(found));
    const message = `The handlers ${names} may come from this spread, base class or call, so none were added. Add those that are missing.`;
    return node && names !== "" ? [createWarning(node, message)] : [];
  }
  const annotation = getAnnotation(target);
  if (others.length === 0) {
    const { body, added } = target;
    added.push(...listMissing([target]).map((member) => create(member, body, annotation)));
    return [];
  }
  if (others.every((other) => getAnnotation(other) === annotation))
    return [target, ...others].flatMap((each) => {
      const names = formatNames(listMissing([each]));
      const message = `The handlers ${names} are missing in this object. Other objects have the same type annotation, so none were added. Add them by hand.`;
      return names === "" ? [] : createWarning(each.body ?? annotation, message);
    });
  const location = `${annotation.getSourceFile().getBaseName()}:${annotation.getStartLineNumber()}`;
  const message = `${interfaceName} is also implemented in ${location}, so no handlers are added. Remove one of the two.`;
  return others.map((other) => createWarning(getAnnotation(other), message));
}

function formatNames(named: readonly { name: string }[]): string {
  return named.map(({ name }) => `"${name}"`).join(", ");
}

/**
 * Plans the edit of a file, given the result of parsing it with the additions. A file in which a stub did not become a
 * handler is left alone, with a diagnostic.
 */
function planEdit(
  { file, text, implementations }: ParsedAdapter,
  result: ParsedAdapter | undefined,
): Pick<AdapterPlan, "edits" | "diagnostics"> {
  const body = implementations.find(({ added }) => added.length > 0)?.body;
  if (!body || !result) return { edits: [], diagnostics: [] };
  // The result has the same implementations in the same order.
  const isAdded = ({ name, exportName }: NewMember, index: number): boolean =>
    result.implementations[index]?.members.has(name) === true &&
    (exportName === undefined || result.source.getLocal(exportName) !== undefined);
  const members = implementations.flatMap(({ added }) => added);
  if (!implementations.every(({ added }, index) => added.every((member) => isAdded(member, index)))) {
    const message = `The handlers ${formatNames(members)} are missing and could not be added here. Add them by hand.`;
    return { edits: [], diagnostics: [createWarning(body, message, body.getEnd() - 1)] };
  }
  const stubs = members.filter(({ exportName }) => exportName === undefined);
  const addedHandlers = stubs.map(({ name }) => name);
  const edit = { file, content: result.text, addedHandlers, created: false, previousContent: text };
  return { edits: [edit], diagnostics: [] };
}

import path from "node:path";
import { Node, type TypeNode } from "ts-morph";
import { type Diagnostic, DiagnosticError, sortDiagnostics } from "../diagnostic.js";
import type { HandledOperation, HandlerGroup } from "../model/model.js";
import { compareText } from "../text.js";
import { type AdapterEdit, type AdapterFile, readAdapterFolder } from "./files.js";
import { ALL_HANDLERS, type Implementation, type ImplementationBody } from "./implementation.js";
import { type Additions, insertMembers, type NewMember } from "./insert.js";
import { checkNewAdapter, createAdapterFile, createRegistration, findImportedTypes } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { parseAdapters, type ParsedAdapter } from "./parse.js";
import { printStub } from "./stub.js";
import { createWarning } from "./warning.js";

/** Edits of adapters, sorted by file, and diagnostics, sorted by file and position. */
export interface AdapterReport {
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
): Promise<AdapterReport> {
  if (folder === path.dirname(routesModule))
    throw new DiagnosticError("--adapters is the folder of --out. Choose a different folder.");
  const { names, files } = await readAdapterFolder(folder);
  const parse = (some: readonly AdapterFile[]): ParsedAdapter[] => parseAdapters(some, groups, routesModule);
  const parsedAdapters = parse(files);
  const implementations = parsedAdapters.flatMap((parsed) => parsed.implementations);

  const diagnostics = parsedAdapters.flatMap(({ warning }) => warning ?? []);
  const additions: Additions = new Map();
  const created: HandlerGroup[] = [];
  for (const group of groups) {
    const { interfaceName, operations } = group;
    if (implementations.some(({ interfaces }) => interfaces.has(interfaceName))) {
      diagnostics.push(...addMembers(interfaceName, operations, implementations, createHandler, additions));
      continue;
    }
    const check = checkNewAdapter(group, folder, names, parsedAdapters);
    diagnostics.push(...check.diagnostics);
    if (check.create) created.push(group);
  }
  const orphans = implementations.flatMap((each) => reportOrphans(each, groups, created));

  // New adapters are registered in the object that has the handlers of all groups.
  const objects = implementations.filter(({ body }) => Node.isObjectLiteralExpression(body));
  const types = findImportedTypes(objects.find(({ interfaces }) => interfaces.has(ALL_HANDLERS)));
  const register = (group: HandlerGroup): NewMember =>
    createRegistration(group, types ? "object" : "function");
  diagnostics.push(...addMembers(ALL_HANDLERS, created, objects, register, additions));
  const newFiles = created.map((group) => createAdapterFile(group, folder, routesModule, types));
  const plans = planEdits(parsedAdapters, parse, additions);
  const edits = [...(await Promise.all(newFiles)), ...plans.flatMap((plan) => plan.edits)];
  const manualChanges = [...orphans, ...plans.flatMap((plan) => plan.diagnostics)];
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: sortDiagnostics([...diagnostics, ...manualChanges]),
    needsManualChange: manualChanges.length > 0,
  };
}

function createHandler(
  operation: HandledOperation,
  body: ImplementationBody,
  annotation: TypeNode,
): NewMember {
  return { name: operation.name, lines: printStub(operation, body, annotation) };
}

/**
 * Adds the members that the implementation of an interface lacks to the additions. Returns warnings if it is unclear where they
 * belong.
 *
 * @param required the sources of all members of the interface
 * @param createMember creates a member from its source
 */
function addMembers<Item extends { name: string }>(
  interfaceName: string,
  required: readonly Item[],
  all: readonly Implementation[],
  createMember: (item: Item, body: ImplementationBody, annotation: TypeNode) => NewMember,
  additions: Additions,
): Diagnostic[] {
  if (required.length === 0) return [];
  const found = all.flatMap((implementation) => {
    const annotation = implementation.interfaces.get(interfaceName);
    return annotation ? [{ implementation, annotation }] : [];
  });
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  const [target, ...others] = found.filter(({ implementation }) => !implementation.opaqueNode);
  if (target && others.length > 0) {
    const { annotation } = target;
    const location = `${annotation.getSourceFile().getBaseName()}:${annotation.getStartLineNumber()}`;
    const message = `${interfaceName} is implemented in ${location} already. Handlers are added to neither.`;
    return others.map((other) => createWarning(other.annotation, message));
  }
  const candidates = (target ? [target] : found).map(({ implementation }) => implementation);
  const missing = required.filter(({ name }) => !candidates.some(({ members }) => members.has(name)));
  const body = target?.implementation.body;
  if (missing.length === 0) return [];
  if (target && body) {
    const { implementation, annotation } = target;
    const members = missing.map((item) => createMember(item, body, annotation));
    additions.set(implementation, [...(additions.get(implementation) ?? []), ...members]);
    return [];
  }
  const list = missing.map(({ name }) => `"${name}"`).join(", ");
  const message = `The handlers ${list} may be defined here. None were added.`;
  const node = candidates.find(({ opaqueNode }) => opaqueNode)?.opaqueNode;
  return node ? [createWarning(node, message)] : [];
}

/** The edit that adds members to a file, or the diagnostic that they could not be added. */
type EditPlan = Pick<AdapterReport, "edits" | "diagnostics">;

/** Plans the edits that add members to files, and parses the results to check them. */
function planEdits(
  files: readonly ParsedAdapter[],
  parse: (files: readonly AdapterFile[]) => ParsedAdapter[],
  additions: Additions,
): EditPlan[] {
  if (additions.size === 0) return [];
  const results = parse(files.map((file) => ({ ...file, text: insertMembers(file, additions) })));
  return files.flatMap((file, index) => {
    const result = results[index];
    return result ? [planEdit(file, result, additions)] : [];
  });
}

/**
 * Plans the edit of a file, given the result of parsing it with the additions. A file in which a stub did not become a
 * handler is left alone, with a diagnostic.
 */
function planEdit(
  { file, text, implementations }: ParsedAdapter,
  result: ParsedAdapter,
  additions: Additions,
): EditPlan {
  const body = implementations.find((each) => additions.has(each))?.body;
  if (!body) return { edits: [], diagnostics: [] };
  const added = implementations.map((each) => additions.get(each) ?? []);
  // The result has the same implementations in the same order.
  const isAdded = ({ name, exportName }: NewMember, index: number): boolean =>
    result.implementations[index]?.members.has(name) === true &&
    (exportName === undefined || result.source.getLocal(exportName) !== undefined);
  if (!added.every((members, index) => members.every((member) => isAdded(member, index)))) {
    const message = "Handlers are missing and could not be added here. Add them by hand.";
    return { edits: [], diagnostics: [createWarning(body, message, body.getEnd() - 1)] };
  }
  const stubs = added.flat().filter(({ exportName }) => exportName === undefined);
  const addedHandlers = stubs.map(({ name }) => name);
  const edit = { file, content: result.text, addedHandlers, created: false, previousContent: text };
  return { edits: [edit], diagnostics: [] };
}

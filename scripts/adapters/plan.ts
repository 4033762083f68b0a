import path from "node:path";
import { Node } from "ts-morph";
import { compareDiagnostics, type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { compareText } from "../text.js";
import type { Operation, OperationGroup } from "../model/model.js";
import { ALL_HANDLERS, type NewMember } from "./adapter.js";
import { editFiles } from "./edit.js";
import { type AdapterEdit, readAdapterFolder } from "./files.js";
import { planMembers, type Target } from "./members.js";
import { checkNewAdapter, createAdapter, createRegistration, findImportedTypes } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { parseAdapters } from "./parse.js";
import { printStub } from "./stub.js";

/** Edits sorted by file, and diagnostics sorted by file and position. */
export interface AdapterReport {
  edits: AdapterEdit[];
  diagnostics: Diagnostic[];
}

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
  const parsedFiles = parseAdapters(files, groups, routesModule);
  const adapters = parsedFiles.flatMap((parsed) => parsed.adapters);

  const diagnostics = parsedFiles.flatMap(({ problem }) => problem ?? []);
  const created: OperationGroup[] = [];
  for (const group of groups) {
    const { interfaceName, operations } = group;
    if (adapters.some(({ interfaces }) => interfaces.has(interfaceName))) {
      diagnostics.push(...planMembers(interfaceName, operations, adapters, createHandler));
      continue;
    }
    const problems = checkNewAdapter(group, folder, names, parsedFiles);
    if (problems) diagnostics.push(...problems);
    else created.push(group);
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, groups, created));

  // New adapters are registered in the object that has the handlers of all groups.
  const objects = adapters.filter(({ body }) => Node.isObjectLiteralExpression(body));
  const types = findImportedTypes(objects.find(({ interfaces }) => interfaces.has(ALL_HANDLERS)));
  const register = (group: OperationGroup): NewMember => createRegistration(group, types !== undefined);
  diagnostics.push(...planMembers(ALL_HANDLERS, created, objects, register));
  const edits = await Promise.all(created.map((group) => createAdapter(group, folder, routesModule, types)));
  for (const result of editFiles(parsedFiles, (edited) => parseAdapters(edited, groups, routesModule)))
    if ("severity" in result) diagnostics.push(result);
    else edits.push(result);
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
}

function createHandler(operation: Operation, target: Target): NewMember {
  return { name: operation.name, lines: printStub(operation, target) };
}

import path from "node:path";
import { Node } from "ts-morph";
import { compareDiagnostics, compareText, type Diagnostic, DiagnosticError } from "../diagnostic.js";
import type { Operation, OperationGroup } from "../model/model.js";
import { type Addition, addMembers } from "./add-members.js";
import { type AdapterEdit, readAdapterFolder } from "./files.js";
import type { NewMember } from "./insert.js";
import { ALL_HANDLERS } from "./interfaces.js";
import { checkNewAdapter, createAdapter } from "./new-file.js";
import { reportOrphans } from "./orphans.js";
import { AdapterParser, type ParsedAdapterFile } from "./parser.js";
import { type AdditionPlan, findImplementationsOf, planAddition } from "./plan-addition.js";
import { createRegistration, findImportedTypes } from "./registration.js";
import { printStub, type StubTarget } from "./stub.js";

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
  const parser = new AdapterParser(groups, routesModule);
  const parsedFiles = parser.parse(files);
  const checkedFiles = parsedFiles.map(({ file }) => file);
  const adapters = parsedFiles.flatMap((parsed) => parsed.adapters);

  const diagnostics = checkedFiles.flatMap(({ problem }) => problem ?? []);
  const plans: AdditionPlan[] = [];
  const created: OperationGroup[] = [];
  for (const group of groups) {
    const implementations = findImplementationsOf(group.interfaceName, adapters);
    if (implementations.length > 0) {
      plans.push(planAddition(implementations, group.operations, createHandler));
      continue;
    }
    const problems = checkNewAdapter(group, folder, names, checkedFiles);
    if (problems) diagnostics.push(...problems);
    else created.push(group);
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, groups, created));

  // New adapters are registered in the object that has the handlers of all groups.
  const handlersObjects = findImplementationsOf(ALL_HANDLERS, adapters).filter(({ adapter }) =>
    Node.isObjectLiteralExpression(adapter.body),
  );
  const importedTypes = findImportedTypes(handlersObjects[0]?.reference);
  const registrations = created.map((group) => createRegistration(group, importedTypes !== undefined));
  plans.push(planAddition(handlersObjects, registrations, (member) => member));
  const edits = await Promise.all(
    created.map((group) => createAdapter(group, folder, routesModule, importedTypes)),
  );
  // Members are added last, because parsing an edited file invalidates the nodes of its previous content.
  const additions = plans.flatMap((plan) => plan.addition ?? []);
  for (const parsedFile of parsedFiles) {
    const result = addMembersToFile(parsedFile, additions, parser);
    if (result && "severity" in result) diagnostics.push(result);
    else if (result) edits.push(result);
  }
  diagnostics.push(...plans.flatMap((plan) => plan.diagnostics));
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
}

function createHandler(operation: Operation, target: StubTarget): NewMember {
  return { name: operation.name, lines: printStub(operation, target) };
}

/** Adds the planned members to the adapters of a file. Returns the edit, or why it failed; undefined without members. */
function addMembersToFile(
  { file, adapters }: ParsedAdapterFile,
  additions: readonly Addition[],
  parser: AdapterParser,
): AdapterEdit | Diagnostic | undefined {
  const [first, ...others] = adapters.flatMap(({ body }): Addition[] => {
    const members = additions.filter((addition) => addition.body === body).flatMap((each) => each.members);
    return body && members.length > 0 ? [{ body, members }] : [];
  });
  return first && addMembers(parser, file, first, ...others);
}

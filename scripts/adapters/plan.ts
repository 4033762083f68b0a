import path from "node:path";
import { Node, SyntaxKind, type ts } from "ts-morph";
import { createFileDiagnostic, type Diagnostic, DiagnosticError, sortDiagnostics } from "../diagnostic.js";
import type { HandlerGroup } from "../model/model.js";
import { compareText } from "../text.js";
import { type AdapterEdit, readAdapterFolder } from "./files.js";
import {
  type Adapter,
  ALL_HANDLERS,
  createWarning,
  type Implementation,
  parseAdapters,
} from "./implementation.js";
import { insertImports, insertMembers } from "./insert.js";
import { createAdapter, findImportedTypes, getExportName, printStub } from "./stubs.js";

/** Edits of adapters, sorted by file, and diagnostics, sorted by file and position. */
export interface AdapterPlan {
  edits: AdapterEdit[];
  diagnostics: Diagnostic[];
  /** Whether handlers are orphaned. Diagnostics report them. */
  hasOrphans: boolean;
}

/**
 * Compares the hand-written adapters in a folder with the operations of a document: plans a stub for each missing
 * handler and a new file for each interface without an implementation, and reports orphaned handlers. Writes nothing. While a file
 * has a syntax error, only that is reported.
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
  const { paths, files } = await readAdapterFolder(folder);
  const adapters = parseAdapters(files, groups, routesModule);
  const errors = adapters.flatMap(({ syntaxError }) => syntaxError ?? []);
  if (errors.length > 0) return { edits: [], diagnostics: errors, hasOrphans: false };

  const implementations = adapters.flatMap((adapter) => adapter.implementations);
  const orphans = implementations.flatMap((implementation) => reportOrphans(implementation, groups));
  const diagnostics = [...orphans];
  const created: HandlerGroup[] = [];
  for (const group of groups) {
    const found = implementations.filter(({ interfaces }) => interfaces.has(group.interfaceName));
    const obstacle = findObstacle(group, found, adapters, paths);
    if (obstacle) diagnostics.push(obstacle);
    else if (found.length === 0 && group.operations.length > 0) created.push(group);
  }
  const types = findImportedTypes(implementations);
  const edits = [
    ...created.map((group) => createAdapter(group, folder, routesModule, types)),
    ...adapters.flatMap((adapter) => planEdit(adapter, groups, created)),
  ];
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: sortDiagnostics(diagnostics),
    hasOrphans: orphans.length > 0,
  };
}

/** Describes why the missing handlers of a group cannot be added. `found` has the implementations of its interface. */
function findObstacle(
  { name, interfaceName, operations }: HandlerGroup,
  found: readonly Implementation[],
  adapters: readonly Adapter[],
  paths: readonly string[],
): Diagnostic | undefined {
  const missing = operations.filter((operation) => !found.some(({ members }) => members.has(operation.name)));
  // An object with a spread wraps another implementation. Stubs belong to the wrapped one.
  if (missing.length === 0 || found.some(({ hiddenMembers }) => !hiddenMembers)) return undefined;
  const location = found[0]?.hiddenMembers ?? findMention(name, interfaceName, adapters);
  // Case-insensitive: many file systems treat `Pages.ts` and `pages.ts` as one file. An import of pages.js resolves to pages.ts.
  const namesake = paths.find(
    (file) => /\.[cm]?[jt]sx?$/.test(file) && path.parse(file).name.toLowerCase() === name.toLowerCase(),
  );
  const handlers = missing.map((operation) => `"${operation.name}"`).join(", ");
  const message = `The handlers ${handlers} may be defined here, so no stubs are added. Define them in an object or class with the type annotation ${interfaceName}, imported by name.`;
  if (location) return createWarning(location, message);
  return namesake === undefined ? undefined : createFileDiagnostic("warning", namesake, message);
}

/** Finds where a group may be implemented in another way: the last mention of its interface, or its member of the `Handlers` object. */
function findMention(name: string, interfaceName: string, adapters: readonly Adapter[]): Node | undefined {
  const mentions = adapters
    .filter(({ text }) => text.includes(interfaceName))
    .flatMap(({ source }) => source.getDescendantsOfKind(SyntaxKind.Identifier))
    .filter((node) => node.getText() === interfaceName && !node.getFirstAncestor(Node.isExportDeclaration));
  const members = adapters
    .flatMap(({ implementations }) => implementations)
    .flatMap((each) => (each.interfaces.has(ALL_HANDLERS) ? (each.members.get(name) ?? []) : []));
  return mentions.at(-1) ?? members[0];
}

/** Reports members of an implementation that its interfaces no longer have. */
function reportOrphans(
  { body, interfaces, members }: Implementation,
  groups: readonly HandlerGroup[],
): Diagnostic[] {
  const generated = [...groups, { interfaceName: ALL_HANDLERS, operations: groups }];
  const declared = generated.filter(({ interfaceName }) => interfaces.has(interfaceName));
  const names = new Set(declared.flatMap(({ operations }) => operations.map(({ name }) => name)));
  // A class can have other methods. A comment with a route, as in a stub, tells its handlers.
  const isHandler = (member: Node): boolean =>
    Node.isObjectLiteralExpression(body) || /^[\s/*]*[A-Z]+ \//.test(member.getFullText());
  const orphans = [...members].filter(
    ([name, member]) => name !== undefined && !names.has(name) && isHandler(member),
  );
  const interfaceNames = [...interfaces.keys()].join(" and ");
  return orphans.map(([name, member]) =>
    createWarning(
      member,
      `Orphaned handler "${name}": the document no longer has it in ${interfaceNames}. Remove or rename it.`,
    ),
  );
}

/** Plans the stubs of an adapter, and the members and imports that register new adapters in its `Handlers` object. */
function planEdit(
  { file, text, source, implementations }: Adapter,
  groups: readonly HandlerGroup[],
  created: readonly HandlerGroup[],
): AdapterEdit[] {
  const addedHandlers: string[] = [];
  const changes: ts.TextChange[] = [];
  for (const { body, interfaces, members, hiddenMembers } of implementations) {
    if (hiddenMembers) continue;
    const isMissing = ({ name }: { name: string }): boolean => !members.has(name);
    const isObject = Node.isObjectLiteralExpression(body);
    const declared = groups.filter(({ interfaceName }) => interfaces.has(interfaceName));
    const operations = declared.flatMap((group) => group.operations).filter(isMissing);
    const registered = isObject && interfaces.has(ALL_HANDLERS) ? created.filter(isMissing) : [];
    const stubs = operations.map((operation) => printStub(operation, isObject));
    const registrations = registered.map((group) => [`${group.name}: ${getExportName(group)}`]);
    addedHandlers.push(...operations.map(({ name }) => name));
    changes.push(...insertMembers(body, [...stubs, ...registrations]), ...insertImports(source, registered));
  }
  if (changes.length === 0) return [];
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const content = bom + source.applyTextChanges(changes).getFullText();
  return [{ file, content, addedHandlers, created: false, previousContent: text }];
}

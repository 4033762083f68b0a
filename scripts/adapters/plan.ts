import path from "node:path";
import { compareDiagnostics, compareText, type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { Node } from "ts-morph";
import { type AdapterReport, ALL_HANDLERS, type HandlerGroup } from "./handlers.js";
import { type Addition, addStubs } from "./add-stubs.js";
import { describeAdapter } from "./all-handlers.js";
import { readAdapterFolder } from "./folder.js";
import type { WantedInterfaces } from "./implementations.js";
import type { InterfaceReference } from "./interfaces.js";
import { canCreate, createAdapter } from "./new-file.js";
import { indexOperations, reportOrphans } from "./orphans.js";
import { type Adapter, groupBy, SourceFiles, warningAt } from "./source-files.js";

/** Implements `planAdapters`, in a separate module, because it loads ts-morph. */
export async function plan(
  groups: HandlerGroup[],
  dir: string,
  routesModule: string,
): Promise<AdapterReport> {
  if (path.resolve(dir) === path.dirname(path.resolve(routesModule)))
    throw new DiagnosticError([
      { severity: "error", message: "--adapters is the folder of --out. Choose a different folder." },
    ]);
  const folder = await readAdapterFolder(dir);
  const index = indexOperations(groups);
  const wantedIn = (file: string): WantedInterfaces =>
    wantedInterfaces(groups, path.resolve(routesModule), file);
  const files = new SourceFiles();
  const { adapters, opaque, ...rest } = files.analyze(folder.files, wantedIn);
  const surroundings = { ...folder, skipped: [...folder.skipped, ...rest.skipped] };
  const diagnostics = [...folder.diagnostics, ...rest.diagnostics];

  const additions: Addition[] = [];
  const addMissing = (...parameters: Parameters<typeof findMissing>): void => {
    const found = findMissing(...parameters);
    if (Array.isArray(found)) diagnostics.push(...found);
    else additions.push(found);
  };
  const created: HandlerGroup[] = [];
  for (const group of groups) {
    const uses = usesOf(group.interfaceName, adapters);
    const hidden = opaque.find(({ name }) => name === group.interfaceName);
    if (uses.length > 0) {
      addMissing(group.interfaceName, group.operations, uses);
    } else if (hidden) {
      const message = `The handlers of ${group.interfaceName} in this value are unknown. None were added.`;
      diagnostics.push(warningAt(hidden.node, message));
    } else {
      const possible = canCreate(group, surroundings);
      if (possible === true) created.push(group);
      else if (possible !== false) diagnostics.push(possible);
    }
  }
  for (const adapter of adapters) diagnostics.push(...reportOrphans(adapter, index, created));

  const objects = usesOf(ALL_HANDLERS, adapters).filter(({ adapter }) =>
    Node.isObjectLiteralExpression(adapter.body),
  );
  const all = objects[0]?.reference;
  const members = created.map((group) => describeAdapter(group, all));
  addMissing(ALL_HANDLERS, members, objects);
  const edits = await Promise.all(
    created.map((group) => createAdapter(group, folder.dir, routesModule, all)),
  );
  // Last: an edit invalidates the nodes of its file.
  for (const [file, inFile] of groupBy(additions, ({ adapter }) => adapter.file.file)) {
    const result = addStubs(files, inFile, wantedIn(file));
    if ("severity" in result) diagnostics.push(result);
    else edits.push(result);
  }
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
}

/** The interfaces to look for in a file: those of the document, and removed ones that it still imports. */
function wantedInterfaces(groups: readonly HandlerGroup[], routes: string, file: string): WantedInterfaces {
  const names = new Set(groups.map(({ interfaceName }) => interfaceName));
  const byMember = new Map(groups.map(({ name, interfaceName }) => [name, interfaceName]));
  const fromRoutes = ({ specifier }: InterfaceReference): boolean =>
    specifier?.startsWith(".") === true &&
    withoutExtension(path.resolve(path.dirname(file), specifier)) === withoutExtension(routes);
  return {
    isWanted: (reference) =>
      names.has(reference.name) || (reference.name.endsWith("Handlers") && fromRoutes(reference)),
    groupsIn: (reference) =>
      reference.name === ALL_HANDLERS && fromRoutes(reference) ? byMember : undefined,
  };
}

function withoutExtension(file: string): string {
  return file.replace(/\.[mc]?[jt]s$/, "");
}

type Use = Pick<Addition, "adapter" | "reference">;

/** Finds the implementations of an interface. */
function usesOf(interfaceName: string, adapters: readonly Adapter[]): Use[] {
  return adapters.flatMap((adapter) => {
    const reference = adapter.references.find(({ name }) => name === interfaceName);
    return reference ? [{ adapter, reference }] : [];
  });
}

/** Finds the members that an interface lacks in its implementation, or explains why none can be added. */
function findMissing(
  interfaceName: string,
  wanted: Addition["missing"],
  uses: readonly Use[],
): Addition | Diagnostic[] {
  // An object with a spread is a wrapper: stubs belong to the object that it wraps.
  const whole = uses.filter(({ adapter }) => !adapter.unseen);
  const [only, ...more] = whole.length > 0 ? whole : uses;
  if (!only || wanted.length === 0) return [];
  const { adapter, reference } = only;
  if (more.length > 0) {
    const where = `${path.basename(adapter.file.file)}:${reference.node.getStartLineNumber()}`;
    const message = `${interfaceName} is implemented in ${where} already. Handlers are added to neither.`;
    return more.map((other) => warningAt(other.reference.node, message));
  }
  const names = new Set(adapter.members.map(({ name }) => name));
  const missing = wanted.filter(({ name }) => !names.has(name));
  if (missing.length === 0) return [];
  if (!adapter.unseen) return { adapter, reference, missing };
  const list = missing.map(({ name }) => `"${name}"`).join(", ");
  const message = `This ${adapter.unseen.what} may contain the handlers ${list}. None were added.`;
  return [warningAt(adapter.unseen.node, message)];
}

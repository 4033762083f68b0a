import path from "node:path";
import { compiler } from "../compiler.js";
import { compareDiagnostics, compareText, type Diagnostic, DiagnosticError } from "../diagnostic.js";
import type { HandledOperation, HandlerGroup } from "./groups.js";
import { editFiles, type Addition } from "./edit.js";
import { survey, type InSource, type Located, type WantedInFolder } from "./locate.js";
import { makeFiles, roomFor } from "./new-files.js";
import { findOrphans } from "./orphans.js";
import { placeOf } from "./place.js";
import type { InterfaceReference } from "./references.js";
import type { AdapterReport } from "./report.js";
import { readAdapterFolder } from "./sources.js";
import { formatAsProject } from "./user-format.js";
import { isFrom, vanishedInterface } from "./vanished.js";

/** The work behind `planAdapters`, in a module of its own so that the compiler is loaded with it. */
export async function plan(
  groups: HandlerGroup[],
  dir: string,
  routesModule: string,
): Promise<AdapterReport> {
  if (path.resolve(dir) === path.dirname(path.resolve(routesModule)))
    throw new DiagnosticError([
      { severity: "error", message: "--adapters is the folder of --out; give the adapters one of their own" },
    ]);
  const folder = await readAdapterFolder(dir);
  const byInterface = new Map(groups.map((group) => [group.interfaceName, group]));
  const routes = path.resolve(routesModule);
  const isVanished = vanishedInterface(byInterface, routes);
  const interfaces = new Map(groups.map(({ name, interfaceName }) => [name, interfaceName]));
  const wanted: WantedInFolder = {
    isWanted: (reference, file) => byInterface.has(reference.name) || isVanished(reference, file),
    groupsIn: (reference, file) =>
      reference.name === "Handlers" && isFrom(routes, reference, file) ? interfaces : undefined,
  };
  const { implementations, opaque, ...rest } = survey(folder.sources, wanted);
  const surroundings = { ...folder, skipped: [...folder.skipped, ...rest.skipped] };
  const diagnostics = [...folder.diagnostics, ...rest.diagnostics];

  const additions: Addition[] = [];
  const fresh: HandlerGroup[] = [];
  for (const group of groups) {
    const isMeant = ({ name }: InterfaceReference) => name === group.interfaceName;
    const uses = implementations.flatMap((implementation) => {
      const reference = implementation.references.find(isMeant);
      return reference ? [{ implementation, reference }] : [];
    });
    if (uses.length > 0) {
      const { addition, problems } = additionFor(group, uses);
      if (addition) additions.push(addition);
      diagnostics.push(...problems);
      continue;
    }
    const hidden = opaque.find(isMeant);
    if (hidden) {
      const message = `cannot see which handlers of ${group.interfaceName} this value has; none added`;
      diagnostics.push(warning(hidden, hidden.node.getStart(), message));
      continue;
    }
    const room = roomFor(group, surroundings);
    if (room === "make") fresh.push(group);
    else if (room !== "leave") diagnostics.push(room);
  }

  const interfaceOf = new Map(
    groups.flatMap(({ operations, interfaceName }) => operations.map(({ name }) => [name, interfaceName])),
  );
  const byRoute = new Map(
    groups.flatMap(({ operations }) =>
      operations.map(({ name, method, path: route }) => [`${method.toUpperCase()} ${route}`, name]),
    ),
  );
  for (const implementation of implementations) {
    diagnostics.push(...leftovers(implementation, { byInterface, interfaceOf, byRoute, fresh }));
  }

  const changed = editFiles(additions, wanted.groupsIn);
  diagnostics.push(...changed.diagnostics);
  const created = (await makeFiles(fresh, folder.dir, routes)).map(async (edit) => ({
    ...edit,
    content: await formatAsProject(edit.file, edit.content),
  }));
  const edits = [...changed.edits, ...(await Promise.all(created))];
  return {
    edits: edits.sort((one, other) => compareText(one.file, other.file)),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
}

/** One implementation of the interface at hand, and where it says so. */
type Use = Omit<Addition, "operations">;

/** What to add to the implementation of a group's interface, or why nothing can be added. */
function additionFor(group: HandlerGroup, uses: Use[]): { addition?: Addition; problems: Diagnostic[] } {
  // An object that spreads another one in is a wrapper: the handlers belong where they are written out.
  const whole = uses.filter(({ implementation }) => !implementation.unseen);
  const [only, ...more] = whole.length > 0 ? whole : uses;
  if (!only) return { problems: [] };
  const { implementation } = only;
  if (more.length > 0) {
    const first = placeOf(implementation.source.file, implementation.tree, only.reference.node.getStart());
    const where = `${path.basename(first.file)}:${first.line}`;
    const message = `${group.interfaceName} is implemented in ${where} already; handlers are added to neither`;
    return {
      problems: more.map((other) => warning(other.implementation, other.reference.node.getStart(), message)),
    };
  }
  const operations = missingIn(implementation, group);
  if (operations.length === 0) return { problems: [] };
  if (implementation.unseen) {
    const { start, what } = implementation.unseen;
    const names = operations.map(({ name }) => `"${name}"`).join(", ");
    const message = `cannot tell whether this ${what} brings in the handlers ${names}; none added`;
    return { problems: [warning(implementation, start, message)] };
  }
  return { addition: { ...only, operations }, problems: [] };
}

/** What is in the spec. */
interface Spec {
  byInterface: Map<string, HandlerGroup>;
  /** Interface by name of the operation. */
  interfaceOf: Map<string, string>;
  /** Name of the operation by method and path. */
  byRoute: Map<string, string>;
  /** The groups that get new files. */
  fresh: HandlerGroup[];
}

/** Reports what an implementation has and the spec has not: interfaces, handlers. */
function leftovers(
  implementation: Located,
  { byInterface, interfaceOf, byRoute, fresh }: Spec,
): Diagnostic[] {
  const { references, members, body } = implementation;
  const gone = references.filter(({ name }) => !byInterface.has(name));
  if (gone.length > 0) {
    return gone.map(({ name, node }) =>
      warning(implementation, node.getStart(), goneMessage(name, implementation, fresh)),
    );
  }
  const groups = references.flatMap(({ name }) => byInterface.get(name) ?? []);
  const orphans = findOrphans({
    members,
    expected: new Set(groups.flatMap(({ operations }) => operations.map(({ name }) => name))),
    open: groups.flatMap((group) => openIn(implementation, group)),
    interfaceOf,
    byRoute,
    helpersAllowed: compiler.isClassLike(body) || references.some(({ loose }) => loose),
  });
  return orphans.map(({ start, message }) => warning(implementation, start, message));
}

function missingIn(implementation: Located, group: HandlerGroup): HandledOperation[] {
  const names = new Set(implementation.members.map(({ name }) => name));
  return group.operations.filter(({ name }) => !names.has(name));
}

/** Operations that a handler may have been renamed to: without one, or with nothing but our stub. */
function openIn(implementation: Located, group: HandlerGroup): string[] {
  const open = new Set(implementation.members.filter(({ stub }) => stub).map(({ name }) => name));
  // What a spread brings in is not missing just because it cannot be seen.
  if (!implementation.unseen) for (const { name } of missingIn(implementation, group)) open.add(name);
  return group.operations.map(({ name }) => name).filter((name) => open.has(name));
}

function goneMessage(name: string, { members }: Located, fresh: HandlerGroup[]): string {
  const gone = `${name} is not in the spec any more; remove this adapter or move its handlers`;
  const names = new Set(members.map((member) => member.name));
  const heir = fresh.find(({ operations }) => operations.some((operation) => names.has(operation.name)));
  return heir ? `${gone}; was it renamed to ${heir.interfaceName}?` : gone;
}

function warning({ source, tree }: InSource, start: number, message: string): Diagnostic {
  return { severity: "warning", message, position: placeOf(source.file, tree, start) };
}

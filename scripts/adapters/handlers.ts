import type { Diagnostic } from "../diagnostic.js";
import type { Operation, OperationGroup } from "../model/model.js";

/** An operation, as far as its stub shows it. */
export type HandledOperation = Pick<Operation, "name" | "method" | "path" | "summary">;

/** The operations of a tag. Their handlers are the members of one generated interface. */
export interface HandlerGroup extends Pick<OperationGroup, "name" | "interfaceName"> {
  operations: HandledOperation[];
}

/** The generated interface with a member per group. */
export const ALL_HANDLERS = "Handlers";

/** A new file of handlers, as a member of the object with the handlers of all groups. */
export interface Registration {
  /** Name of the group and of its file. */
  name: string;
  /** Name that the file exports. */
  exported: string;
  /** Expression for the handlers. */
  value: string;
}

/** A hand-written file with stubs for its missing handlers, or a new file. */
export interface AdapterEdit {
  /** Absolute path. */
  file: string;
  /** The whole file after the edit. */
  content: string;
  /** Names of the operations that receive a stub, in the order of the file; empty where only groups are added. */
  added: string[];
  created: boolean;
  /** The whole file before the edit; a file that has changed since is not overwritten. */
  before?: string;
}

/** Edits sorted by file, and diagnostics sorted by file and position. */
export interface AdapterReport {
  edits: AdapterEdit[];
  diagnostics: Diagnostic[];
}

/** Reduces groups to the properties that adapters need, which makes them cheap to send to a thread. */
export function handlerGroups(groups: readonly OperationGroup[]): HandlerGroup[] {
  return groups.map(({ name, interfaceName, operations }) => ({
    name,
    interfaceName,
    operations: operations.map(({ name, method, path, summary }) => ({ name, method, path, summary })),
  }));
}

import type { Operation, OperationGroup } from "../model/model.js";

/** What a handler's stub is made from. */
export type HandledOperation = Pick<Operation, "name" | "method" | "path" | "summary">;

/** The operations of a tag, as far as adapters go. */
export interface HandlerGroup extends Pick<OperationGroup, "name" | "interfaceName"> {
  operations: HandledOperation[];
}

/** As much of groups as adapters are about: less to copy for a thread. */
export function handlerGroups(groups: readonly OperationGroup[]): HandlerGroup[] {
  return groups.map(({ name, interfaceName, operations }) => ({
    name,
    interfaceName,
    operations: operations.map(({ name, method, path, summary }) => ({ name, method, path, summary })),
  }));
}

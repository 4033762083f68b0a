import path from "node:path";
import type { InterfaceReference } from "./references.js";

/**
 * Tells whether a name is a handler interface of a group that is gone: it ends as those do, comes from the
 * generated routes, and no group has it. `Handlers` alone is no tag's interface.
 */
export function vanishedInterface(
  existing: ReadonlyMap<string, unknown>,
  routesModule: string,
): (reference: InterfaceReference, file: string) => boolean {
  return (reference, file) =>
    !existing.has(reference.name) &&
    /.Handlers$/.test(reference.name) &&
    isFrom(routesModule, reference, file);
}

/** Whether a name is imported from a module, whatever extension the import is written with. */
export function isFrom(module: string, { specifier }: InterfaceReference, file: string): boolean {
  if (!specifier?.startsWith(".")) return false;
  return withoutExtension(path.resolve(path.dirname(file), specifier)) === withoutExtension(module);
}

function withoutExtension(file: string): string {
  return file.replace(/\.[mc]?[jt]s$/, "");
}

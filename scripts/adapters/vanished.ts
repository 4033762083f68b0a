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
  const routes = withoutExtension(routesModule);
  return ({ name, specifier }, file) => {
    if (existing.has(name) || !/.Handlers$/.test(name) || !specifier?.startsWith(".")) return false;
    return withoutExtension(path.resolve(path.dirname(file), specifier)) === routes;
  };
}

function withoutExtension(file: string): string {
  return file.replace(/\.[mc]?[jt]s$/, "");
}

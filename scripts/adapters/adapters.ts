import type { HandlerGroup } from "./groups.js";
import type { AdapterReport } from "./report.js";

export type { AdapterReport } from "./report.js";
export { applyAdapterEdits } from "./write.js";

/**
 * Compares the hand-written adapters in `dir` with the model: a stub for each missing handler, a new file
 * for each interface that no file implements, a diagnostic for each handler without an operation.
 * Pure but for reading the files: writes nothing. `routesModule` is the absolute path of the generated routes.
 */
export async function planAdapters(
  groups: HandlerGroup[],
  dir: string,
  routesModule: string,
): Promise<AdapterReport> {
  // Everything behind plan.ts needs the compiler, which takes a quarter of a second to load: only when called.
  const { plan } = await import("./plan.js");
  return plan(groups, dir, routesModule);
}

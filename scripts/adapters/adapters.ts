import type { AdapterReport, HandlerGroup } from "./handlers.js";

export { applyAdapterEdits } from "./apply.js";
export { type AdapterReport, handlerGroups } from "./handlers.js";

/**
 * Compares the hand-written adapters in a folder with the operations of a document: plans a stub for each missing
 * handler and a new file for each interface without an implementation, and reports orphaned handlers. Writes nothing.
 *
 * @param routesModule absolute path of the generated routes
 */
export async function planAdapters(
  groups: HandlerGroup[],
  dir: string,
  routesModule: string,
): Promise<AdapterReport> {
  // Imported lazily: ts-morph takes a quarter of a second to load.
  const { plan } = await import("./plan.js");
  return plan(groups, dir, routesModule);
}

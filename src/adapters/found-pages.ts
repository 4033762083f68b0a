import type { Schema } from "../domain/schema.js";
import { readPages } from "../storage/pages.js";
import type { FoundPage } from "../storage/query/rows.js";
import type { Store } from "../storage/store.js";
import { type PageBody, renderPages, renderSelfContained, type Viewer } from "./page-view.js";

/** Bounds the memory for pages that were shown before. */
const MAX_KEPT = 5000;

/** What was shown of a page: of which state of it, and of the properties of its database. */
interface Kept {
  readonly version: number;
  readonly schema: Schema;
  readonly body: PageBody;
}

/** Makes what responses show of pages of a database that a query found. */
export type ShowFound = (
  viewer: Viewer,
  schema: Schema,
  found: readonly FoundPage[],
  wanted: readonly string[] | undefined,
) => Promise<PageBody[]>;

/**
 * Makes a function that shows pages in the order in which they were found. It keeps those that it has shown: only what
 * has changed since is read again.
 */
export function createShowFound(store: Store): ShowFound {
  const kept = new Map<string, Kept>();

  return async (viewer, schema, found, wanted) => {
    const keyOf = (id: string): string => `${viewer.workspaceId} ${id}`;
    const bodies = new Map<string, PageBody>();
    if (wanted === undefined) {
      for (const { id, version } of found) {
        const known = kept.get(keyOf(id));
        if (known?.version === version && known.schema === schema) bodies.set(id, known.body);
      }
    }
    const missing = found.filter(({ id }) => !bodies.has(id));
    const pages = await readPages(
      store.read,
      viewer.workspaceId,
      missing.map(({ id }) => id),
    );
    const others = [];
    const versions = new Map(missing.map(({ id, version }) => [id, version]));
    for (const page of pages) {
      const body = wanted === undefined ? renderSelfContained(viewer, { page, schema }) : undefined;
      if (body === undefined) {
        others.push({ page, schema });
        continue;
      }
      bodies.set(page.id, Object.freeze(body));
      if (kept.size >= MAX_KEPT) kept.clear();
      // What was read may be newer than what was found; the next query finds a newer version then, and reads again.
      kept.set(keyOf(page.id), { version: versions.get(page.id) ?? 0, schema, body });
    }
    for (const body of await renderPages(store.read, viewer, others, wanted)) bodies.set(body.id, body);
    return found.flatMap(({ id }) => bodies.get(id) ?? []);
  };
}

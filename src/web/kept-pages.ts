import type { StoredSession } from "../storage/sessions.js";
import type { Store } from "../storage/store.js";
import type { Html } from "./html.js";

/** Stands in a kept page where each time another text goes. */
export const SLOT = "00000000-0000-0000-0000-000000000000";

/** Gives the page of a session again as long as nothing that it shows has changed. */
export interface KeptPages {
  /**
   * @param fill What goes where the page has SLOT, which is once.
   * @param make Makes the page anew.
   */
  page(session: StoredSession, fill: string, make: () => Promise<Html>): Promise<string>;
}

interface KeptPage {
  readonly state: number;
  readonly minute: number;
  readonly before: string;
  readonly after: string;
}

/** Bounds the memory for pages. */
const MAX_PAGES = 50;
const MINUTE = 60_000;

/** Makes what keeps pages; where the store cannot tell whether something has changed, none is kept. */
export function createKeptPages(store: Store): KeptPages {
  const kept = new Map<string, KeptPage>();
  return {
    async page(session, fill, make) {
      const key = `${session.hash} ${session.workspaceId}`;
      // Before anything is read: what changes meanwhile makes it another state.
      const state = store.stateOf(session.workspaceId);
      const minute = Math.floor(Date.now() / MINUTE);
      const known = kept.get(key);
      if (known && known.state === state && known.minute === minute) return known.before + fill + known.after;
      const [before = "", ...rest] = (await make()).text.split(SLOT);
      const after = rest.join(SLOT);
      kept.delete(key);
      if (state !== undefined) {
        const [oldest] = kept.keys();
        if (oldest !== undefined && kept.size >= MAX_PAGES) kept.delete(oldest);
        kept.set(key, { state, minute, before, after });
      }
      return before + fill + after;
    },
  };
}

import { mayManage } from "../access/member-keys.js";
import { newToken } from "../access/sessions.js";
import type { Usage } from "../access/usage.js";
import { newId } from "../domain/ids.js";
import { auditExtent, listAuditEvents } from "../storage/audit.js";
import { keysExtent, type ListedApiKey, listKeys } from "../storage/keys.js";
import { listHalfHours, listRequestCounts, type RequestCount } from "../storage/request-counts.js";
import { Html } from "./html.js";
import { type ApiSettings, apiSettingsPage } from "./pages/api-settings.js";
import { toBuckets } from "./pages/chart.js";
import { usageSection } from "./pages/usage.js";
import { type SignedIn, viewerOf, type WebContext } from "./visit.js";

/** What the page says of something that was done just now. */
export type Done = Pick<ApiSettings, "notice" | "newKey" | "name">;

/** Makes the page of the settings around the API. */
export type SettingsView = (visit: SignedIn, done?: Done) => Promise<Buffer>;

/** Of the page that was made last for a session. */
interface KeptPage {
  /** What it was made from. */
  readonly from: string;
  /** It, without what differs each time: the id of the next key, and the usage. */
  readonly parts: readonly Buffer[];
  readonly earlier: EarlierCounts;
  /** The usage, and the counts that it shows beside the earlier ones. */
  usage: { readonly recent: string; readonly text: Buffer } | undefined;
}

/** Requests until a little while ago, of which there will be no more. */
interface EarlierCounts {
  readonly hour: readonly RequestCount[];
  readonly day: readonly RequestCount[];
}

const MINUTE = 60_000;
/** Entries of the log that are shown. */
const LOG_LENGTH = 50;
/** Bounds the memory for pages. */
const MAX_PAGES = 50;
/** Stand where the id of the next key and the usage go; nobody can type them. */
const NEXT_ID = newToken();
const USAGE = newToken();
const SLOTS = new RegExp(`${NEXT_ID}|${USAGE}`);
const NOTHING = Buffer.alloc(0);

/**
 * Makes the view. Most of its work would be to make the same text again: a page is kept for its session, together with all
 * that it was made from, which is read each time.
 */
export function createSettingsView(context: WebContext, usage: Usage): SettingsView {
  const { store } = context;
  const kept = new Map<string, KeptPage>();

  /** The minutes of the last two, of which counts still come in, and with `earlier` those before them too. */
  function readCounts(workspaceId: string, minute: number, earlier: boolean) {
    const { read } = store;
    const recent = minute - 1;
    return usage.readWith(workspaceId, async () => {
      const [late, hour, day] = await Promise.all([
        listRequestCounts(read, workspaceId, recent),
        earlier ? listRequestCounts(read, workspaceId, minute - 60, recent) : [],
        earlier ? listHalfHours(read, workspaceId, minute - 1440 - 30, recent) : [],
      ]);
      return { late, earlier: { hour, day } };
    });
  }

  return async (visit, done) => {
    const { session } = visit;
    const { workspaceId, role } = session;
    const now = Date.now();
    const minute = Math.floor(now / MINUTE);
    const known = done ? undefined : kept.get(session.hash);
    const [viewer, keysNow, logNow, lately] = await Promise.all([
      viewerOf(context, visit),
      keysExtent(store.read, workspaceId),
      role === "owner" ? auditExtent(store.read, workspaceId, LOG_LENGTH) : undefined,
      readCounts(workspaceId, minute, false),
    ]);
    let counts = lately;
    const { usedKeys } = counts.unwritten;
    const who = [{ ...session, lastSeenTime: 0 }, viewer.memberships];
    const from = JSON.stringify([minute, ...who, keysNow, usedKeys.toSorted(), logNow]);

    let page = known?.from === from ? known : undefined;
    if (page === undefined) {
      const [stored, log] = await Promise.all([
        listKeys(store.read, workspaceId),
        role === "owner" ? listAuditEvents(store.read, workspaceId, LOG_LENGTH) : undefined,
      ]);
      const keys = stored.map((key) => (usedKeys.includes(key.id) ? usedNow(key, minute) : key));
      const { text } = apiSettingsPage({
        viewer,
        now,
        keys: keys.map((key) => ({ key, mine: mayManage(session, key) })),
        nextId: NEXT_ID,
        usage: new Html(USAGE),
        log,
        ...done,
      });
      // All of them at once: what is written meanwhile must not count twice.
      counts = await readCounts(workspaceId, minute, true);
      const { earlier } = counts.written;
      page = { from, parts: text.split(SLOTS).map((part) => Buffer.from(part)), earlier, usage: undefined };
      if (!done) keep(kept, session.hash, page);
    }
    const { earlier } = page;
    const late = [...counts.written.late, ...counts.unwritten.counts];
    const recent = JSON.stringify(late);
    if (page.usage?.recent !== recent) {
      const section = usageSection(session, {
        hour: toBuckets([...earlier.hour, ...late], now, 1, 60),
        day: toBuckets([...earlier.day, ...late], now, 30, 48),
      });
      page.usage = { recent, text: Buffer.from(section.text) };
    }
    const [before = NOTHING, between = NOTHING, after = NOTHING] = page.parts;
    return Buffer.concat([before, Buffer.from(newId()), between, page.usage.text, after]);
  };
}

/** The key as it will be when its use is written. */
function usedNow(key: ListedApiKey, minute: number): ListedApiKey {
  return { ...key, lastUsedTime: Math.max(key.lastUsedTime ?? 0, minute * MINUTE) };
}

function keep(kept: Map<string, KeptPage>, name: string, page: KeptPage): void {
  kept.delete(name);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MAX_PAGES) kept.delete(oldest);
  kept.set(name, page);
}

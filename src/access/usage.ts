import { addRequestCount, deleteRequestCounts, type RequestCount } from "../storage/request-counts.js";
import { setKeyUsed } from "../storage/keys.js";
import type { Store } from "../storage/store.js";
import type { Principal } from "./authenticate.js";

/** Counts what is asked of the service, for the settings page. */
export interface Usage {
  /** Notes a request; costs next to nothing, nothing is written now. */
  record(principal: Principal, passed: boolean): void;
  /**
   * Reads counts, together with what is noted of a workspace and not written yet: each request is in one of the two.
   *
   * @param read Reads what is written.
   */
  readWith<T>(workspaceId: string, read: () => Promise<T>): Promise<{ written: T; unwritten: Unwritten }>;
  /** Writes what was noted. What cannot be written is kept for the next time. */
  flush(): Promise<void>;
  /** Writes what was noted for the last time. */
  close(): Promise<void>;
}

/** What one process has counted of a workspace and not written yet. */
export interface Unwritten {
  readonly counts: readonly RequestCount[];
  /** The ids of the keys that were used. */
  readonly usedKeys: readonly string[];
}

/** Milliseconds between writes; that long a request may be missing in the charts of other processes. */
const FLUSH_INTERVAL = 5000;
/** How often the last use of a key is written at most, in milliseconds. */
const LAST_USED_PRECISION = 60_000;
/** Minutes that counts are kept: a day, and some to spare. */
const MINUTES_KEPT = 25 * 60;
const MINUTE = 60_000;

/** Requests with one key in one minute. */
interface Noted {
  readonly principal: Principal;
  minute: number;
  passed: number;
  refused: number;
}

/**
 * Makes the counter of requests of this process, which writes to a store that others write to as well.
 *
 * @param onError Is told when the counts cannot be written.
 */
export function createUsage(store: Store, onError: (error: unknown) => void): Usage {
  /** What this minute has brought so far, by key. */
  let noted = new Map<string, Noted>();
  /** What is to be written. */
  let counts = new Counts();
  let used = new Map<string, string>();
  let prunedMinute = 0;

  function gather({ principal, minute, passed, refused }: Noted): void {
    counts.add(principal.workspaceId, minute, passed, refused);
    used.set(principal.keyId, principal.workspaceId);
  }

  async function write(): Promise<void> {
    for (const entry of noted.values()) gather(entry);
    noted = new Map();
    if (used.size === 0) return;
    const [countsNow, usedNow] = [counts, used];
    counts = new Counts();
    used = new Map();
    const now = Date.now();
    const minute = Math.floor(now / MINUTE);
    try {
      await store.write(async (tx) => {
        for (const { workspaceId, ...count } of countsNow) await addRequestCount(tx, workspaceId, count);
        for (const [id, workspaceId] of usedNow) {
          await setKeyUsed(tx, { id, workspaceId }, now, now - LAST_USED_PRECISION);
        }
        if (minute !== prunedMinute) await deleteRequestCounts(tx, minute - MINUTES_KEPT);
      }, null);
    } catch (error) {
      // By minute, so that it is not much even when it goes on for long.
      for (const { workspaceId, ...count } of countsNow) {
        if (count.minute >= minute - MINUTES_KEPT) {
          counts.add(workspaceId, count.minute, count.passed, count.refused);
        }
      }
      for (const [id, workspaceId] of usedNow) used.set(id, workspaceId);
      onError(error);
      return;
    }
    prunedMinute = minute;
  }

  function unwrittenOf(workspaceId: string): Unwritten {
    const mine = [...noted.values()].filter(({ principal }) => principal.workspaceId === workspaceId);
    const usedKeys = new Set(mine.map(({ principal }) => principal.keyId));
    for (const [key, workspace] of used) if (workspace === workspaceId) usedKeys.add(key);
    return { counts: [...mine, ...counts.of(workspaceId)], usedKeys: [...usedKeys] };
  }

  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL).unref();

  return {
    record(principal, passed) {
      const minute = Math.floor(Date.now() / MINUTE);
      let entry = noted.get(principal.keyId);
      if (entry === undefined || entry.minute !== minute) {
        if (entry !== undefined) gather(entry);
        entry = { principal, minute, passed: 0, refused: 0 };
        noted.set(principal.keyId, entry);
      }
      if (passed) entry.passed += 1;
      else entry.refused += 1;
    },
    readWith(workspaceId, read) {
      // Between two writes, of which nobody can tell how far they are; and nothing is noted before the next line.
      const reading = writing.then(async () => {
        const written = await read();
        return { written, unwritten: unwrittenOf(workspaceId) };
      });
      writing = reading.then(
        () => {},
        () => {},
      );
      return reading;
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

type Count = RequestCount & { readonly workspaceId: string };

/** Counts by workspace and minute. */
class Counts {
  readonly #counts = new Map<string, Count>();

  add(workspaceId: string, minute: number, passed: number, refused: number): void {
    const name = `${workspaceId} ${minute}`;
    const known = this.#counts.get(name);
    this.#counts.set(name, {
      workspaceId,
      minute,
      passed: passed + (known?.passed ?? 0),
      refused: refused + (known?.refused ?? 0),
    });
  }

  of(workspaceId: string): Count[] {
    return [...this.#counts.values()].filter((count) => count.workspaceId === workspaceId);
  }

  [Symbol.iterator](): Iterator<Count> {
    return this.#counts.values();
  }
}

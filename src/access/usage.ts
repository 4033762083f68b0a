import {
  addRequestCount,
  deleteRequestCounts,
  listHalfHours,
  listRequestCounts,
  type RequestCount,
} from "../storage/accounts/request-counts.js";
import { setKeyUsed } from "../storage/accounts/keys.js";
import type { Store } from "../storage/engine/store.js";
import type { Principal } from "./authenticate.js";

export type { RequestCount };

/** Counter of requests by workspace and minute, for the settings page. */
export interface Usage {
  /** Counts a request in memory. */
  record(principal: Principal, passed: boolean): void;
  /** Reads the requests of a workspace in the last day, with those that this process has not written yet. */
  read(workspaceId: string): Promise<WorkspaceUsage>;
  /** Writes the counts. If that fails, the next flush writes them. */
  flush(): Promise<void>;
  /** Writes the counts for the last time. */
  close(): Promise<void>;
}

/** Requests of a workspace. */
export interface WorkspaceUsage {
  /** Requests of the last hour, by minute. */
  readonly hour: readonly RequestCount[];
  /** Requests of the last day: written ones by half hour, others by minute. */
  readonly day: readonly RequestCount[];
  /** Ids of keys whose last use this process has not written yet. */
  readonly usedKeyIds: ReadonlySet<string>;
}

/** Interval between writes. Charts of other processes lack the requests of this time. */
const FLUSH_INTERVAL_MS = 5000;
/** The last use of a key is written at most this often. */
const LAST_USED_INTERVAL_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const RETENTION_MINUTES = DAY_MINUTES + HOUR_MINUTES;

/** Requests with one key in one minute. */
interface KeyCount {
  readonly principal: Principal;
  minute: number;
  passed: number;
  refused: number;
}

/**
 * Creates the counter of this process. Several processes can write to the same store.
 *
 * @param onError Called when the counts cannot be written.
 */
export function createUsage(store: Store, onError: (error: unknown) => void): Usage {
  /** Requests of the current minute by workspace and key: two workspaces can have a key of the same id. */
  let current = new Map<string, KeyCount>();
  /** Counts and used keys for the next write. */
  let counts = new Counts();
  let used = new Map<string, Principal>();
  let prunedMinute = 0;

  function addToNextWrite({ principal, minute, passed, refused }: KeyCount): void {
    counts.add(principal.workspaceId, minute, passed, refused);
    used.set(toCountKey(principal), principal);
  }

  async function write(): Promise<void> {
    for (const entry of current.values()) addToNextWrite(entry);
    current = new Map();
    if (used.size === 0) return;
    const [countsNow, usedNow] = [counts, used];
    counts = new Counts();
    used = new Map();
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    try {
      await store.write(async (tx) => {
        for (const { workspaceId, ...count } of countsNow) await addRequestCount(tx, workspaceId, count);
        for (const { userId: id, workspaceId } of usedNow.values()) {
          await setKeyUsed(tx, { id, workspaceId }, now, now - LAST_USED_INTERVAL_MS);
        }
        if (minute !== prunedMinute) await deleteRequestCounts(tx, minute - RETENTION_MINUTES);
      }, null);
    } catch (error) {
      // Summed by minute, so that they stay small during a long outage.
      for (const { workspaceId, ...count } of countsNow) {
        if (count.minute >= minute - RETENTION_MINUTES) {
          counts.add(workspaceId, count.minute, count.passed, count.refused);
        }
      }
      for (const [name, principal] of usedNow) used.set(name, principal);
      onError(error);
      return;
    }
    prunedMinute = minute;
  }

  async function read(workspaceId: string): Promise<WorkspaceUsage> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const [hour, day] = await Promise.all([
      listRequestCounts(store.read, workspaceId, minute - HOUR_MINUTES),
      listHalfHours(store.read, workspaceId, minute - RETENTION_MINUTES),
    ]);
    const unwritten = [...current.values()].filter(({ principal }) => principal.workspaceId === workspaceId);
    const recent = [...unwritten, ...counts.of(workspaceId)];
    const usedKeyIds = new Set(unwritten.map(({ principal }) => principal.userId));
    for (const principal of used.values()) {
      if (principal.workspaceId === workspaceId) usedKeyIds.add(principal.userId);
    }
    return { hour: [...hour, ...recent], day: [...day, ...recent], usedKeyIds };
  }

  let queue: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => (queue = queue.then(write));
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();

  return {
    record(principal, passed) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const name = toCountKey(principal);
      let entry = current.get(name);
      if (entry === undefined || entry.minute !== minute) {
        if (entry !== undefined) addToNextWrite(entry);
        entry = { principal, minute, passed: 0, refused: 0 };
        current.set(name, entry);
      }
      if (passed) entry.passed += 1;
      else entry.refused += 1;
    },
    read(workspaceId) {
      // Between two writes, so that each request is counted once, either as written or as unwritten.
      const reading = queue.then(() => read(workspaceId));
      queue = reading.then(
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

function toCountKey({ workspaceId, userId }: Principal): string {
  return `${workspaceId} ${userId}`;
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

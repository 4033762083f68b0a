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

/** Records the requests of each workspace by minute and the last use of each key, for the settings page. */
export interface UsageRecorder {
  /** Counts a request in memory, as passed or as refused by the rate limit. */
  record(principal: Principal, passed: boolean): void;
  /** Reads the requests of a workspace in the last day, including the ones that this process has not written yet. */
  read(workspaceId: string): Promise<WorkspaceUsage>;
  /** Writes the counts. If that fails, the next flush writes them. */
  flush(): Promise<void>;
  /** Stops the timer and writes the remaining counts. */
  close(): Promise<void>;
}

/** Requests of a workspace. */
export interface WorkspaceUsage {
  /** Requests of the last hour, by minute. */
  readonly lastHour: readonly RequestCount[];
  /** Requests of the last day: stored ones by half hour, and the ones that are not written yet by minute. */
  readonly lastDay: readonly RequestCount[];
  /** Ids of keys that were used since this process last wrote their last use. */
  readonly recentlyUsedKeyIds: ReadonlySet<string>;
}

/** Interval between writes, and the maximum delay until other processes see the counts. */
const FLUSH_INTERVAL_MS = 5000;
/** The last use of a key is written at most this often. */
const LAST_USED_INTERVAL_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
/** Stored counts are deleted when they are older: an hour more than the day that the settings page shows. */
const RETENTION_MINUTES = 25 * HOUR_MINUTES;

/** Requests with one key in one minute. */
interface KeyCount {
  readonly principal: Principal;
  /** Minutes since 1970. */
  readonly minute: number;
  passed: number;
  refused: number;
}

/**
 * Creates the recorder of this process. Several processes can write to the same store.
 *
 * @param onError Called when the counts cannot be written.
 */
export function createUsageRecorder(store: Store, onError: (error: unknown) => void): UsageRecorder {
  /** Requests of the current minute by workspace and key, because keys of two workspaces can have the same id. */
  let currentMinute = new Map<string, KeyCount>();
  /** Counts of earlier minutes, and principals of the keys that were used, for the next write. */
  let counts = new RequestCounts();
  let usedKeys = new Map<string, Principal>();
  /** Minute of the last deletion of old counts, which runs at most once per minute. */
  let cleanupMinute = 0;

  function addToNextWrite({ principal, minute, passed, refused }: KeyCount): void {
    counts.add(principal.workspaceId, minute, passed, refused);
    usedKeys.set(formatMapKey(principal), principal);
  }

  async function writeCounts(): Promise<void> {
    for (const keyCount of currentMinute.values()) addToNextWrite(keyCount);
    currentMinute = new Map();
    if (usedKeys.size === 0) return;
    const [writtenCounts, writtenKeys] = [counts, usedKeys];
    counts = new RequestCounts();
    usedKeys = new Map();
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    try {
      await store.write(async (tx) => {
        for (const { workspaceId, ...count } of writtenCounts) await addRequestCount(tx, workspaceId, count);
        for (const { userId: keyId, workspaceId } of writtenKeys.values()) {
          await setKeyUsed(tx, { id: keyId, workspaceId }, now, now - LAST_USED_INTERVAL_MS);
        }
        if (minute !== cleanupMinute) await deleteRequestCounts(tx, minute - RETENTION_MINUTES);
      }, null);
    } catch (error) {
      // Kept for the next write. During a long outage, sums by minute and the retention bound the memory.
      for (const { workspaceId, ...count } of writtenCounts) {
        if (count.minute >= minute - RETENTION_MINUTES) {
          counts.add(workspaceId, count.minute, count.passed, count.refused);
        }
      }
      for (const [key, principal] of writtenKeys) usedKeys.set(key, principal);
      onError(error);
      return;
    }
    cleanupMinute = minute;
  }

  async function readUsage(workspaceId: string): Promise<WorkspaceUsage> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const [lastHour, lastDay] = await Promise.all([
      listRequestCounts(store.read, workspaceId, minute - HOUR_MINUTES),
      listHalfHours(store.read, workspaceId, minute - RETENTION_MINUTES),
    ]);
    const current = [...currentMinute.values()].filter(
      ({ principal }) => principal.workspaceId === workspaceId,
    );
    const unwritten = [...current, ...counts.listByWorkspace(workspaceId)];
    const recentlyUsedKeyIds = new Set(current.map(({ principal }) => principal.userId));
    for (const principal of usedKeys.values()) {
      if (principal.workspaceId === workspaceId) recentlyUsedKeyIds.add(principal.userId);
    }
    return {
      lastHour: [...lastHour, ...unwritten],
      lastDay: [...lastDay, ...unwritten],
      recentlyUsedKeyIds,
    };
  }

  /** Settles when the last queued write or read has ended. */
  let queue: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => (queue = queue.then(writeCounts));
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();

  return {
    record(principal, passed) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const key = formatMapKey(principal);
      let keyCount = currentMinute.get(key);
      if (keyCount === undefined || keyCount.minute !== minute) {
        if (keyCount !== undefined) addToNextWrite(keyCount);
        keyCount = { principal, minute, passed: 0, refused: 0 };
        currentMinute.set(key, keyCount);
      }
      if (passed) keyCount.passed += 1;
      else keyCount.refused += 1;
    },
    read(workspaceId) {
      // Queued between two writes, so that no request is counted twice, as written and as unwritten.
      const reading = queue.then(() => readUsage(workspaceId));
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

/** Formats the identity of a principal as a key of a map. */
function formatMapKey({ workspaceId, userId }: Principal): string {
  return `${workspaceId} ${userId}`;
}

type WorkspaceMinuteCount = RequestCount & { readonly workspaceId: string };

/** Request counts of the next write, summed by workspace and minute. */
class RequestCounts {
  readonly #counts = new Map<string, WorkspaceMinuteCount>();

  add(workspaceId: string, minute: number, passed: number, refused: number): void {
    const key = `${workspaceId} ${minute}`;
    const existing = this.#counts.get(key);
    this.#counts.set(key, {
      workspaceId,
      minute,
      passed: passed + (existing?.passed ?? 0),
      refused: refused + (existing?.refused ?? 0),
    });
  }

  listByWorkspace(workspaceId: string): WorkspaceMinuteCount[] {
    return [...this.#counts.values()].filter((count) => count.workspaceId === workspaceId);
  }

  [Symbol.iterator](): Iterator<WorkspaceMinuteCount> {
    return this.#counts.values();
  }
}

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
  /** Counts a request in memory. */
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
  /** Requests of the last day: by half hour, except that counts that are not written yet are by minute. */
  readonly lastDay: readonly RequestCount[];
  /** Ids of keys whose last use this process has not written yet. */
  readonly usedKeyIds: ReadonlySet<string>;
}

/** Interval between writes, and the maximum delay until other processes see the counts. */
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
 * Creates the recorder of this process. Several processes can write to the same store.
 *
 * @param onError Called when the counts cannot be written.
 */
export function createUsageRecorder(store: Store, onError: (error: unknown) => void): UsageRecorder {
  /** Requests of the current minute by workspace and key, because keys of two workspaces can have the same id. */
  let currentMinute = new Map<string, KeyCount>();
  /** Counts and used keys for the next write. */
  let counts = new RequestCounts();
  let usedKeys = new Map<string, Principal>();
  let prunedMinute = 0;

  function addToNextWrite({ principal, minute, passed, refused }: KeyCount): void {
    counts.add(principal.workspaceId, minute, passed, refused);
    usedKeys.set(formatPrincipalKey(principal), principal);
  }

  async function write(): Promise<void> {
    for (const entry of currentMinute.values()) addToNextWrite(entry);
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
        for (const { userId: id, workspaceId } of writtenKeys.values()) {
          await setKeyUsed(tx, { id, workspaceId }, now, now - LAST_USED_INTERVAL_MS);
        }
        if (minute !== prunedMinute) await deleteRequestCounts(tx, minute - RETENTION_MINUTES);
      }, null);
    } catch (error) {
      // Kept for the next write. Sums by minute bound the memory during a long outage.
      for (const { workspaceId, ...count } of writtenCounts) {
        if (count.minute >= minute - RETENTION_MINUTES) {
          counts.add(workspaceId, count.minute, count.passed, count.refused);
        }
      }
      for (const [key, principal] of writtenKeys) usedKeys.set(key, principal);
      onError(error);
      return;
    }
    prunedMinute = minute;
  }

  async function read(workspaceId: string): Promise<WorkspaceUsage> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const [lastHour, lastDay] = await Promise.all([
      listRequestCounts(store.read, workspaceId, minute - HOUR_MINUTES),
      listHalfHours(store.read, workspaceId, minute - RETENTION_MINUTES),
    ]);
    const unwritten = [...currentMinute.values()].filter(
      ({ principal }) => principal.workspaceId === workspaceId,
    );
    const recent = [...unwritten, ...counts.listByWorkspace(workspaceId)];
    const usedKeyIds = new Set(unwritten.map(({ principal }) => principal.userId));
    for (const principal of usedKeys.values()) {
      if (principal.workspaceId === workspaceId) usedKeyIds.add(principal.userId);
    }
    return { lastHour: [...lastHour, ...recent], lastDay: [...lastDay, ...recent], usedKeyIds };
  }

  let queue: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => (queue = queue.then(write));
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();

  return {
    record(principal, passed) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const key = formatPrincipalKey(principal);
      let entry = currentMinute.get(key);
      if (entry === undefined || entry.minute !== minute) {
        if (entry !== undefined) addToNextWrite(entry);
        entry = { principal, minute, passed: 0, refused: 0 };
        currentMinute.set(key, entry);
      }
      if (passed) entry.passed += 1;
      else entry.refused += 1;
    },
    read(workspaceId) {
      // Queued between two writes, so that no request is counted twice, as written and as unwritten.
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

function formatPrincipalKey({ workspaceId, userId }: Principal): string {
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

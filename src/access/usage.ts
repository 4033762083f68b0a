import {
  addRequestCount,
  deleteRequestCounts,
  listHalfHours,
  listRequestCounts,
  type RequestCount,
} from "../storage/accounts/request-counts.js";
import { addWrittenBytes, readStoredBytes } from "../storage/accounts/stored-bytes.js";
import { setKeyUsed } from "../storage/accounts/keys.js";
import type { Store } from "../storage/engine/store.js";
import type { Principal } from "./authenticate.js";

export type { RequestCount };

/**
 * Records the requests of each workspace by minute and the last use of each key, for the settings page, and the bytes that
 * were written to each workspace, for its storage limit.
 */
export interface UsageRecorder {
  /**
   * Counts a request in memory.
   *
   * @param principal the bot of the request's API key
   * @param passed whether the rate limit allowed the request
   */
  record(principal: Principal, passed: boolean): void;
  /** Reads the usage of a workspace, including the part that this process has not written yet. */
  read(workspaceId: string): Promise<WorkspaceUsage>;
  /** Writes the usage. If that fails, it calls onError, and the next flush writes it. */
  flush(): Promise<void>;
  /** Stops the timer and writes the remaining usage. */
  close(): Promise<void>;
}

/** Requests of a workspace and use of its keys. A minute can occur twice in a list: as stored and as not written yet. */
export interface WorkspaceUsage {
  /** Requests of the last hour, by minute. */
  readonly lastHour: readonly RequestCount[];
  /** Requests of the last 25 hours: stored ones by half hour, and the ones that are not written yet by minute. */
  readonly lastDay: readonly RequestCount[];
  /** Ids of keys that were used since this process last wrote their last use. */
  readonly recentlyUsedKeyIds: ReadonlySet<string>;
  /** Upper bound of the bytes that the workspace stores. */
  readonly storedBytes: number;
}

/** Interval between writes, and the maximum delay until other processes see the usage. */
const FLUSH_INTERVAL_MS = 5000;
/** The last use of a key is written at most this often. */
const LAST_USED_INTERVAL_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
/** Age at which stored counts are deleted: an hour more than the day that the settings page shows. */
const RETENTION_MINUTES = 25 * HOUR_MINUTES;

/** Usage of one workspace that is not in the store yet. */
class UnwrittenUsage {
  readonly countsByMinute = new Map<number, RequestCount>();
  readonly usedKeyIds = new Set<string>();

  addCount({ minute, passed, refused }: RequestCount): void {
    const previous = this.countsByMinute.get(minute);
    this.countsByMinute.set(minute, {
      minute,
      passed: passed + (previous?.passed ?? 0),
      refused: refused + (previous?.refused ?? 0),
    });
  }
}

/**
 * Creates the recorder of this process. Several processes can write to the same store.
 *
 * @param onError Called when the usage cannot be written.
 */
export function createUsageRecorder(store: Store, onError: (error: unknown) => void): UsageRecorder {
  let unwrittenByWorkspace = new Map<string, UnwrittenUsage>();
  /** Minute of the last deletion of old counts, which runs at most once per minute. */
  let cleanupMinute = 0;

  function getUnwritten(workspaceId: string): UnwrittenUsage {
    let unwritten = unwrittenByWorkspace.get(workspaceId);
    if (unwritten === undefined) {
      unwritten = new UnwrittenUsage();
      unwrittenByWorkspace.set(workspaceId, unwritten);
    }
    return unwritten;
  }

  async function writeUsage(): Promise<void> {
    const bytesByWorkspace = store.writtenBytes.takeAll();
    if (unwrittenByWorkspace.size === 0 && bytesByWorkspace.size === 0) return;
    const usageByWorkspace = unwrittenByWorkspace;
    unwrittenByWorkspace = new Map();
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    const oldestMinute = minute - RETENTION_MINUTES;
    try {
      await store.write(async (tx) => {
        for (const [workspaceId, { countsByMinute, usedKeyIds }] of usageByWorkspace) {
          for (const count of countsByMinute.values()) await addRequestCount(tx, workspaceId, count);
          for (const id of usedKeyIds) {
            await setKeyUsed(tx, { id, workspaceId }, now, now - LAST_USED_INTERVAL_MS);
          }
        }
        for (const [workspaceId, bytes] of bytesByWorkspace) await addWrittenBytes(tx, workspaceId, bytes);
        if (minute !== cleanupMinute) await deleteRequestCounts(tx, oldestMinute);
        // null, because counts do not change the state of a workspace.
      }, null);
      cleanupMinute = minute;
    } catch (error) {
      // Kept for the next write. During a long outage, sums by minute and the retention bound the memory.
      for (const [workspaceId, { countsByMinute, usedKeyIds }] of usageByWorkspace) {
        const unwritten = getUnwritten(workspaceId);
        for (const count of countsByMinute.values()) {
          if (count.minute >= oldestMinute) unwritten.addCount(count);
        }
        for (const id of usedKeyIds) unwritten.usedKeyIds.add(id);
      }
      for (const [workspaceId, bytes] of bytesByWorkspace) store.writtenBytes.add(workspaceId, bytes);
      onError(error);
    }
  }

  async function readUsage(workspaceId: string): Promise<WorkspaceUsage> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const [lastHour, lastDay, storedBytes] = await Promise.all([
      listRequestCounts(store.read, workspaceId, minute - HOUR_MINUTES),
      listHalfHours(store.read, workspaceId, minute - RETENTION_MINUTES),
      readStoredBytes(store.read, workspaceId),
    ]);
    const unwritten = unwrittenByWorkspace.get(workspaceId);
    const unwrittenCounts = [...(unwritten?.countsByMinute.values() ?? [])];
    return {
      lastHour: [...lastHour, ...unwrittenCounts],
      lastDay: [...lastDay, ...unwrittenCounts],
      recentlyUsedKeyIds: new Set(unwritten?.usedKeyIds),
      storedBytes: storedBytes + store.writtenBytes.get(workspaceId),
    };
  }

  /** Settles when the last queued write or read has ended; never rejects. */
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs writes and reads one after another, so that no read counts a request twice, as written and as unwritten. */
  function enqueue<T>(run: () => Promise<T>): Promise<T> {
    const result = queue.then(run);
    queue = result.catch(() => {});
    return result;
  }

  const flush = (): Promise<void> => enqueue(writeUsage);
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();

  return {
    record({ workspaceId, userId }, passed) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const unwritten = getUnwritten(workspaceId);
      unwritten.addCount({ minute, passed: passed ? 1 : 0, refused: passed ? 0 : 1 });
      unwritten.usedKeyIds.add(userId);
    },
    read: (workspaceId) => enqueue(() => readUsage(workspaceId)),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

import { REQUEST_COUNT_TTL_MS, USAGE_BATCH_ROWS } from "../../budgets.js";
import { MINUTE_MS } from "../../units.js";
import { chunk } from "../../lists.js";
import {
  addRequestCount,
  findRequestCounts,
  type RequestCount,
} from "../../storage/access/request-counts.js";
import { addWrittenBytes, readStoredBytes } from "../../storage/access/stored-bytes.js";
import { type ApiKey, setKeyUsed } from "../../storage/access/keys.js";
import type { Store } from "../../storage/engine/store.js";
import type { Db } from "../../storage/tables.js";
import type { Principal } from "../keys/authenticate.js";

export type { RequestCount };

export interface WorkspaceUsage {
  /** Requests of the last 25 hours, by minute. The settings page shows the last 24 of them. */
  readonly requestCounts: readonly RequestCount[];
  /** Upper bound of the bytes that the workspace stores. */
  readonly storedBytes: number;
}

/** Interval between writes. Other processes see the usage after this time at most. */
const FLUSH_INTERVAL_MS = 5000;
/** Minimum time between two writes of a key's last use. */
const LAST_USED_INTERVAL_MS = MINUTE_MS;

type UsedKey = Pick<ApiKey, "workspaceId" | "id">;

interface WorkspaceRequestCount extends RequestCount {
  readonly workspaceId: string;
}

/** A row that a flush changes. */
interface UsageChange {
  write(tx: Db): Promise<void>;
  /** Puts the change back into the memory. */
  keep(): void;
}

/**
 * Records the requests of each workspace by minute and the last use of each key, for the settings page, and the bytes that
 * were written to each workspace, for its storage limit. Several processes can record to the same store.
 */
export class UsageRecorder {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Counts that are not in the store yet, by workspace and minute. */
  #counts = new Map<string, WorkspaceRequestCount>();
  /** Keys whose last use is not in the store yet, by workspace and id, because imported workspaces can have the same keys. */
  #usedKeys = new Map<string, UsedKey>();
  /** Settles with the last write. */
  #writing: Promise<void> = Promise.resolve();

  /** @param onError called when the usage cannot be written */
  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Counts a request of an API key in memory; `passed` is whether the rate limit allowed it. */
  record({ workspaceId, userId }: Principal, passed: boolean): void {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    this.#addCount({ workspaceId, minute, passed: passed ? 1 : 0, refused: passed ? 0 : 1 });
    this.#addUsedKey({ workspaceId, id: userId });
  }

  /** Writes the usage that is still in memory, and reads the usage of a workspace. */
  async flushAndRead(workspaceId: string): Promise<WorkspaceUsage> {
    await this.flush();
    const scope = { db: this.#store.read, workspaceId };
    const [requestCounts, storedBytes] = await Promise.all([
      findRequestCounts(scope, Math.floor((Date.now() - REQUEST_COUNT_TTL_MS) / MINUTE_MS)),
      readStoredBytes(scope),
    ]);
    return { requestCounts, storedBytes };
  }

  /** Writes the usage. If that fails, calls onError, and the next flush tries again. */
  flush(): Promise<void> {
    const write = (): Promise<void> => this.#write();
    this.#writing = this.#writing.then(write, write);
    return this.#writing;
  }

  /** Stops the timer and writes the remaining usage. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const changes = this.#takeChanges();
    let writtenCount = 0;
    try {
      for (const part of chunk(changes, USAGE_BATCH_ROWS)) {
        await this.#store.writeWithoutInvalidation(async (tx) => {
          for (const change of part) await change.write(tx);
        });
        writtenCount += part.length;
      }
    } catch (error) {
      // Kept for the next write. This takes little memory even in a long outage, because counts are summed by minute.
      for (const change of changes.slice(writtenCount)) change.keep();
      this.#onError(error);
    }
  }

  /** Takes the usage out of the memory. */
  #takeChanges(): UsageChange[] {
    const now = Date.now();
    const oldestMinute = Math.floor((now - REQUEST_COUNT_TTL_MS) / MINUTE_MS);
    const changes: UsageChange[] = [];
    for (const { workspaceId, ...count } of this.#counts.values()) {
      changes.push({
        write: (db) => addRequestCount({ db, workspaceId }, count),
        keep: () => {
          if (count.minute >= oldestMinute) this.#addCount({ workspaceId, ...count });
        },
      });
    }
    for (const key of this.#usedKeys.values()) {
      const { workspaceId, id } = key;
      changes.push({
        write: (db) => setKeyUsed({ db, workspaceId }, id, now, now - LAST_USED_INTERVAL_MS),
        keep: () => this.#addUsedKey(key),
      });
    }
    this.#counts = new Map();
    this.#usedKeys = new Map();
    const { writtenBytes } = this.#store;
    for (const [workspaceId, bytes] of writtenBytes.takeAll()) {
      changes.push({
        write: (db) => addWrittenBytes({ db, workspaceId }, bytes),
        keep: () => writtenBytes.add(workspaceId, bytes),
      });
    }
    return changes;
  }

  #addUsedKey(key: UsedKey): void {
    this.#usedKeys.set(`${key.workspaceId} ${key.id}`, key);
  }

  #addCount(count: WorkspaceRequestCount): void {
    const key = `${count.workspaceId} ${count.minute}`;
    const previous = this.#counts.get(key);
    this.#counts.set(key, {
      ...count,
      passed: count.passed + (previous?.passed ?? 0),
      refused: count.refused + (previous?.refused ?? 0),
    });
  }
}

import { type BigIntStats, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Bounds of the polling interval. It grows when polling takes more than a twentieth of it. */
const MIN_INTERVAL_MS = 50;
const MAX_INTERVAL_MS = 1000;

/**
 * Detects changed files by polling, which unlike events of the operating system works on every file system, for files
 * that an editor replaces, and for files that do not exist yet.
 */
export class FileWatcher {
  readonly #states = new Map<string, string>();
  #intervalMs = MIN_INTERVAL_MS;

  /**
   * Watches a file, or the direct entries of a folder; it does not have to exist. Call this before reading the file, so
   * that no change is missed. Does nothing for a file that is watched already.
   */
  add(file: string): void {
    if (!this.#states.has(file)) this.#states.set(file, readState(file));
  }

  /** Marks the current state of a watched file as seen, so that it does not count as a change. */
  markAsSeen(file: string): void {
    if (this.#states.has(file)) this.#states.set(file, readState(file));
  }

  /**
   * Waits for a change since the last one that was seen, and then until nothing changes for one interval, because a
   * save can take several steps.
   * @returns the changed files, sorted; empty when the signal ended the wait
   */
  async waitForChange(signal: AbortSignal): Promise<string[]> {
    const changed = new Set<string>();
    while (!signal.aborted) {
      const found = this.#poll();
      if (found.length === 0 && changed.size > 0) return [...changed].sort();
      for (const file of found) changed.add(file);
      await sleep(this.#intervalMs, undefined, { signal }).catch(() => undefined);
    }
    return [];
  }

  #poll(): string[] {
    const started = performance.now();
    const changed = [...this.#states].filter(([file, known]) => readState(file) !== known);
    for (const [file] of changed) this.markAsSeen(file);
    this.#intervalMs = Math.min(
      MAX_INTERVAL_MS,
      Math.max(MIN_INTERVAL_MS, 20 * (performance.now() - started)),
    );
    return changed.map(([file]) => file);
  }
}

/** Returns a text that changes when the file, or a direct entry of the folder, is written, replaced or removed. */
function readState(file: string): string {
  const stats = readStats(file);
  if (!stats?.isDirectory()) return formatState(stats);
  const names = readdirSync(file).sort();
  return JSON.stringify(names.map((name) => [name, formatState(readStats(path.join(file, name)))]));
}

function readStats(file: string): BigIntStats | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false });
}

function formatState(stats: BigIntStats | undefined): string {
  return stats?.isFile() ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "";
}

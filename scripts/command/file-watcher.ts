import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const MIN_INTERVAL_MS = 50;
const MAX_INTERVAL_MS = 1000;
/** The interval grows when polling takes more than this share of it. */
const MAX_POLLING_SHARE = 1 / 20;

/**
 * Detects changed files by polling, which unlike events of the operating system works on every file system, for files
 * that an editor replaces, and for files that do not exist yet.
 */
export class FileWatcher {
  private readonly fingerprints = new Map<string, string>();
  private intervalMs = MIN_INTERVAL_MS;

  /**
   * Watches a file, or the direct entries of a folder; it does not have to exist. Call this before reading the file, so
   * that no change is missed. Does nothing for a file that is watched already.
   */
  add(file: string): void {
    if (!this.fingerprints.has(file)) this.fingerprints.set(file, readFingerprint(file));
  }

  /** Runs a function whose changes of a watched file or folder do not count. A change before it that was not seen yet does. */
  async ignoreChanges(file: string, change: () => Promise<void>): Promise<void> {
    const isSeen = readFingerprint(file) === this.fingerprints.get(file);
    await change();
    if (isSeen) this.fingerprints.set(file, readFingerprint(file));
  }

  /**
   * Waits until a file differs from the state that was seen last, and then until nothing changes for one interval, because
   * a save can take several steps.
   * @returns the changed files, sorted; empty when the signal ended the wait
   */
  async waitForChange(signal: AbortSignal): Promise<string[]> {
    const changed = new Set<string>();
    while (!signal.aborted) {
      const changedFiles = this.poll();
      if (changedFiles.length === 0 && changed.size > 0) return [...changed].sort();
      for (const file of changedFiles) changed.add(file);
      // Rejects when the signal aborts, which ends the loop.
      await sleep(this.intervalMs, undefined, { signal }).catch(() => undefined);
    }
    return [];
  }

  private poll(): string[] {
    const started = performance.now();
    const changed = [...this.fingerprints].filter(
      ([file, fingerprint]) => readFingerprint(file) !== fingerprint,
    );
    for (const [file] of changed) this.fingerprints.set(file, readFingerprint(file));
    this.intervalMs = Math.min(
      MAX_INTERVAL_MS,
      Math.max(MIN_INTERVAL_MS, (performance.now() - started) / MAX_POLLING_SHARE),
    );
    return changed.map(([file]) => file);
  }
}

/** Returns a fingerprint of a file, or of the direct entries of a folder. It changes when one is written, replaced or removed. */
function readFingerprint(file: string, isEntry = false): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats?.isFile()) return `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    if (isEntry || !stats?.isDirectory()) return "";
    const names = readdirSync(file).sort();
    return JSON.stringify(names.map((name) => [name, readFingerprint(path.join(file, name), true)]));
  } catch {
    // It has been deleted since, or cannot be read at the moment.
    return "";
  }
}

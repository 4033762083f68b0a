import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two looks; more when looking itself takes more than a twentieth of that. */
const SHORTEST = 50;
const LONGEST = 1000;

/**
 * Notices when files change. It looks at them again and again instead of asking the operating system for events:
 * that works on every file system, for files that an editor replaces, and for files that are not there yet.
 */
export class FileWatcher {
  readonly #states = new Map<string, string>();
  #interval = SHORTEST;

  /**
   * Watches a file, or what is directly in a folder, from now on; there need not be anything yet. To be called
   * before it is read, so that no change is missed. What is watched already stays as it is known.
   */
  add(file: string): void {
    if (!this.#states.has(file)) this.#states.set(file, stateOf(file));
  }

  /** Takes what is there now for known: it does not count as a change. */
  accept(file: string): void {
    if (this.#states.has(file)) this.#states.set(file, stateOf(file));
  }

  /**
   * Waits until something is another than it was known to be, also if it became so before this call, and then until
   * nothing changes for a moment: a save can take several steps.
   * @returns what changed, sorted; nothing when the signal ended the wait
   */
  async nextChange(signal: AbortSignal): Promise<string[]> {
    const changed = new Set<string>();
    while (!signal.aborted) {
      const found = this.#look();
      if (found.length === 0 && changed.size > 0) return [...changed].sort();
      for (const file of found) changed.add(file);
      await sleep(this.#interval, undefined, { signal }).catch(() => undefined);
    }
    return [];
  }

  #look(): string[] {
    const started = performance.now();
    const changed = [...this.#states].filter(([file, known]) => stateOf(file) !== known);
    for (const [file] of changed) this.accept(file);
    this.#interval = Math.min(LONGEST, Math.max(SHORTEST, 20 * (performance.now() - started)));
    return changed.map(([file]) => file);
  }
}

/** A text that is another one once the file, or anything directly in the folder, was written, replaced or removed. */
function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!stats) return "";
  if (!stats.isDirectory()) return `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  const names = readdirSync(file).sort();
  return JSON.stringify(names.map((name) => [name, stateOfEntry(path.join(file, name))]));
}

function stateOfEntry(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "";
}

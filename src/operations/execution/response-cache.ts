import { LRUCache } from "lru-cache";
import { RESPONSE_CACHE_BYTES } from "../../budgets.js";

/** Maximum share of the cache for one response, so that it does not evict most others. */
const MAX_ENTRY_SHARE = 1 / 8;

/** Memory of an entry besides its JSON: its key, version and objects. Measured with 20,000 pages: 510 bytes. */
const ENTRY_OVERHEAD_BYTES = 600;

interface Entry {
  readonly value: unknown;
  /** Version of the data that the value was made from. */
  readonly version: string;
  /** Generation of the workspace when the version was last compared; undefined if unknown. */
  generation: number | undefined;
}

/** LRU cache of response bodies, bounded by bytes. An entry is valid for one version of its page. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes = RESPONSE_CACHE_BYTES) {
    this.#entries = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes * MAX_ENTRY_SHARE });
  }

  /** Returns the value of a version. `T` must be the type with which the value was set. */
  get<T>(key: string, version: string): T | undefined {
    const entry = this.#entries.get(key);
    // Safe cast: see above.
    return entry?.version === version ? (entry.value as T) : undefined;
  }

  /**
   * Returns a value if its version is current. Calls `readVersion` unless `generation` shows that nothing was written since the
   * last comparison, see Store.getGeneration.
   */
  async getCurrent<T>(
    key: string,
    generation: number | undefined,
    readVersion: (value: T) => Promise<string | undefined>,
  ): Promise<T | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // Safe cast: see get.
    const value = entry.value as T;
    if (generation !== undefined && entry.generation === generation) return value;
    if ((await readVersion(value)) !== entry.version) return undefined;
    entry.generation = generation;
    return value;
  }

  /** Adds an entry, or replaces it. A value that is too large is not cached. */
  set<T>(key: string, version: string, value: T, jsonBytes: number): void {
    const size = ENTRY_OVERHEAD_BYTES + jsonBytes;
    this.#entries.set(key, { value, version, generation: undefined }, { size });
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Estimated bytes of all entries. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}

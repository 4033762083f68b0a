import type { StoreStats } from "../storage/store.js";
import { Buckets } from "./buckets.js";

/** Seconds of an answer. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Writes of a group. */
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** An operation of the API, as far as metrics tell of it. */
interface Operation {
  readonly id: string;
  readonly method: string;
}

/** Requests of one operation. */
export interface Answers {
  /** The operation's id; "none" where no operation has the path and method. */
  readonly operation: string;
  readonly method: string;
  /** By class of the status: that of 2xx at 2. */
  readonly durations: (Buckets | undefined)[];
}

/** Who was refused for asking too much: a workspace, or an address without a valid key. */
export type Caller = "workspace" | "address";

/** What this process has done since it started. No label names a workspace, an id or a path. */
export class Metrics {
  readonly #answers = new Map<Operation | string, Answers>();
  readonly refusals: Record<Caller, number> = { workspace: 0, address: 0 };
  readonly groups = new Buckets(GROUP_SIZES);

  /**
   * Notes an answer.
   *
   * @param operation the same object each time; undefined when no operation has the path and method
   * @param method of the request
   */
  answered(operation: Operation | undefined, method: string, status: number, seconds: number): void {
    const key = operation ?? method;
    let answers = this.#answers.get(key);
    if (answers === undefined) {
      answers = { operation: operation?.id ?? "none", method, durations: [] };
      this.#answers.set(key, answers);
    }
    const statusClass = Math.floor(status / 100);
    (answers.durations[statusClass] ??= new Buckets(DURATIONS)).observe(seconds);
  }

  /** The requests that were answered, by operation. */
  get answers(): Iterable<Answers> {
    return this.#answers.values();
  }
}

/** What metrics tell of besides, as it is when they are asked for. */
export interface Gauges {
  store(): StoreStats;
  /** Whether processes share their counts in Redis now; undefined without Redis. */
  redis(): boolean | undefined;
}

/** Time that a group waits for further writes. */
const GATHERING_MS = 5;

/** Time after a commit for which the queue expects further writes of the same clients. */
const EXPECTED_NEXT_WRITE_MS = 20;

/** Decides how long a group of writes waits for further ones: clients that just got their responses mostly write again at once. */
export class GroupGathering {
  readonly #countWaiting: () => number;
  /** Number of writes for which the next group waits. */
  #expectedCount = 0;
  /** Duration of the last commit. */
  #lastCommitMs = 0;
  /** End of the last group, on the clock of performance.now(). */
  #lastGroupEnd = -EXPECTED_NEXT_WRITE_MS;
  #wakeFromPause: (() => void) | undefined;

  /** @param countWaiting returns the number of writes that wait for a group */
  constructor(countWaiting: () => number) {
    this.#countWaiting = countWaiting;
  }

  /** Waits up to GATHERING_MS for the expected number of writes. Stops when a wait of one commit's length brings no further write. */
  async wait(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (now - this.#lastGroupEnd > EXPECTED_NEXT_WRITE_MS) return;
    let previousCount = -1;
    while (
      !this.#isComplete &&
      this.#countWaiting() > previousCount &&
      performance.now() - now < GATHERING_MS
    ) {
      previousCount = this.#countWaiting();
      await this.#pause();
    }
  }

  /** Called when a write arrives. */
  notifyArrival(): void {
    if (this.#isComplete) this.#wakeFromPause?.();
  }

  recordCommit(commitMs: number): void {
    this.#lastCommitMs = commitMs;
  }

  /** Records the end of a group of `count` writes that took `runMs`, to estimate the number of writes in the next one. */
  recordGroup(count: number, runMs: number): void {
    // Clients with writes in this group or behind it.
    const clientCount = count + this.#countWaiting();
    // If a commit is shorter than the writes of all clients, two groups of half the clients alternate: one runs while the other
    // commits. Otherwise one group of all clients saves a commit.
    const isShort = this.#lastCommitMs < (runMs / count) * clientCount;
    this.#expectedCount = isShort ? Math.ceil(clientCount / 2) : clientCount;
    this.#lastGroupEnd = performance.now();
  }

  get #isComplete(): boolean {
    return this.#countWaiting() >= this.#expectedCount;
  }

  /** Waits for the duration of a commit, or until the expected number of writes have arrived. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(this.#lastCommitMs, GATHERING_MS));
      this.#wakeFromPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

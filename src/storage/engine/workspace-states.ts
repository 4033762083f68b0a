/**
 * Numbers the states of workspaces, so that caches can check whether an entry is current. A commit of this process changes
 * the state of its workspace, and a commit of another process the states of all workspaces.
 */
export class WorkspaceStates {
  readonly #foreignCommits: () => number;
  /** The last state that was assigned. Each number is used once. */
  #last = 0;
  /** State of all workspaces without a later commit of this process. */
  #common = 0;
  readonly #states = new Map<string, number>();
  #foreign: number | undefined;
  #isFresh = false;

  /** @param foreignCommits returns a number that changes with each commit of another process */
  constructor(foreignCommits: () => number) {
    this.#foreignCommits = foreignCommits;
  }

  /** Records a commit of this process in a workspace. Call it before the write resolves. */
  recordChange(workspaceId: string): void {
    this.#last += 1;
    this.#states.set(workspaceId, this.#last);
  }

  /** Records a commit that can have changed any workspace. */
  recordServiceWideChange(): void {
    this.#last += 1;
    this.#common = this.#last;
  }

  /** See Store.stateOf. */
  stateOf(workspaceId: string): number | undefined {
    if (!this.#isFresh && !this.#readForeignCommits()) return undefined;
    return Math.max(this.#common, this.#states.get(workspaceId) ?? 0);
  }

  /** Reads the number of foreign commits once per turn of the event loop: the requests of a turn were sent before. */
  #readForeignCommits(): boolean {
    try {
      const foreign = this.#foreignCommits();
      if (foreign !== this.#foreign) this.recordServiceWideChange();
      this.#foreign = foreign;
    } catch {
      // The caller reads the database next, and gets the error.
      return false;
    }
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
    return true;
  }
}

/**
 * Numbers the states of workspaces, so that caches can check whether an entry is current. A commit of this process changes
 * the state of its workspace. A commit of another process changes the states of all workspaces.
 */
export class WorkspaceStates {
  readonly #readDataVersion: () => number;
  #lastState = 0;
  /** State of all workspaces without a later state in `#states`. */
  #commonState = 0;
  readonly #states = new Map<string, number>();
  #dataVersion: number | undefined;
  /** Whether the data version was read in this turn of the event loop. */
  #isFresh = false;

  /** @param readDataVersion returns a number that changes with each commit of another process */
  constructor(readDataVersion: () => number) {
    this.#readDataVersion = readDataVersion;
  }

  /** Records a commit of this process in a workspace. Call it before the write resolves. */
  recordChange(workspaceId: string): void {
    this.#lastState += 1;
    this.#states.set(workspaceId, this.#lastState);
  }

  /** Records a commit that can have changed any workspace. */
  recordServiceWideChange(): void {
    this.#lastState += 1;
    this.#commonState = this.#lastState;
    this.#states.clear();
  }

  /** See Store.readState. */
  readState(workspaceId: string): number | undefined {
    if (!this.#isFresh && !this.#checkOtherProcesses()) return undefined;
    return this.#states.get(workspaceId) ?? this.#commonState;
  }

  /**
   * Checks for commits of other processes. Valid for one turn of the event loop: requests that are handled in this turn were
   * sent before it, so they need not see later commits. Returns false when the database cannot be read.
   */
  #checkOtherProcesses(): boolean {
    try {
      const dataVersion = this.#readDataVersion();
      if (dataVersion !== this.#dataVersion) this.recordServiceWideChange();
      this.#dataVersion = dataVersion;
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

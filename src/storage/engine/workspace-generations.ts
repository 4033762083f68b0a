/** Numbers by which caches know that a workspace is unchanged. A commit of another process changes those of all workspaces. */
export class WorkspaceGenerations {
  readonly #readDataVersion: () => number;
  #lastGeneration = 0;
  /** Generation of all workspaces without a later one in `#generations`. */
  #commonGeneration = 0;
  readonly #generations = new Map<string, number>();
  #dataVersion: number | undefined;
  /** Whether the data version was read in this turn of the event loop. */
  #isFresh = false;

  /** @param readDataVersion returns a number that changes with each commit of another process */
  constructor(readDataVersion: () => number) {
    this.#readDataVersion = readDataVersion;
  }

  /** Records a commit of this process in a workspace. Call it before the write resolves. */
  recordChange(workspaceId: string): void {
    this.#lastGeneration += 1;
    this.#generations.set(workspaceId, this.#lastGeneration);
  }

  /** Records a commit that can have changed any workspace. */
  recordServiceWideChange(): void {
    this.#lastGeneration += 1;
    this.#commonGeneration = this.#lastGeneration;
    this.#generations.clear();
  }

  /** See Store.getGeneration. */
  get(workspaceId: string): number | undefined {
    if (!this.#isFresh && !this.#checkOtherProcesses()) return undefined;
    return this.#generations.get(workspaceId) ?? this.#commonGeneration;
  }

  /**
   * Checks for commits of other processes. The result is reused until the next turn of the event loop: requests that are handled in
   * this turn arrived before it, so they may miss commits made during it. Returns false when the database cannot be read.
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

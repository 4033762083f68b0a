/**
 * Numbers the states that workspaces are in, so that whoever keeps what was read can tell whether it is still so.
 * Commits of this process count for their workspace, those of other processes for all.
 */
export class WorkspaceStates {
  readonly #foreignCommits: () => number;
  /** The last number given; none is given twice. */
  #last = 0;
  #ofAll = 0;
  readonly #states = new Map<string, number>();
  #foreign: number | undefined;
  #isFresh = false;

  /** @param foreignCommits A number that is another one after a commit of another process. */
  constructor(foreignCommits: () => number) {
    this.#foreignCommits = foreignCommits;
  }

  /** Notes a commit of this process, before anybody is told of it; of all workspaces when none is named. */
  changed(workspaceId: string | undefined): void {
    this.#last += 1;
    if (workspaceId === undefined) this.#ofAll = this.#last;
    else this.#states.set(workspaceId, this.#last);
  }

  /** See Store.stateOf. */
  stateOf(workspaceId: string): number | undefined {
    if (!this.#isFresh && !this.#lookForOthers()) return undefined;
    return Math.max(this.#ofAll, this.#states.get(workspaceId) ?? 0);
  }

  /** Asks the database once in a turn of the event loop; requests that came together were sent before it was asked. */
  #lookForOthers(): boolean {
    try {
      const foreign = this.#foreignCommits();
      if (foreign !== this.#foreign) this.changed(undefined);
      this.#foreign = foreign;
    } catch {
      // Whoever asks will read, and learn what is wrong.
      return false;
    }
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
    return true;
  }
}

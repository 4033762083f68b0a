import type { Job } from "../../storage/jobs.js";
import type { Container } from "../../storage/trash.js";
import type { Preparation } from "./preparation.js";

/** The part of a write that does not fit into its transaction. */
export interface LongWork {
  /** Values that were converted before the transaction. */
  readonly preparation: Preparation | undefined;
  /** Moves that the transaction starts, and that are finished after it. */
  readonly moves: StartedMove[];
}

/** A move to the trash or back whose contents are moved piece by piece. */
export interface StartedMove {
  readonly job: Job;
  /** Containers whose contents are still to be moved. */
  readonly containers: readonly Container[];
}

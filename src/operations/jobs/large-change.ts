import type { Store } from "../../storage/engine/store.js";
import type { Preparation } from "./preparation.js";

/** The part of a write that does not fit into its transaction. */
export interface LargeChange {
  /** Values that were converted before the transaction. */
  readonly preparation: Preparation | undefined;
  /** Finish the jobs that the transaction starts. They run after its commit. */
  readonly followUps: ((store: Store) => Promise<void>)[];
}

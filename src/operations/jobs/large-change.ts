import type { Store } from "../../storage/engine/store.js";
import type { LargeConversion } from "./large-conversion.js";

/** The part of a write that does not fit into its transaction. */
export interface LargeChange {
  /** The conversion that ran before the transaction. */
  readonly conversion: LargeConversion | undefined;
  /** Functions that finish the jobs of the transaction after its commit. */
  readonly followUps: ((store: Store) => Promise<void>)[];
}

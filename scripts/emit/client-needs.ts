/** Whether there are parameters in a place, and one whose style has to be told. */
export type Need = "none" | "plain" | "styled";

/** What the operations of a document ask of the client; what none asks for is not there. */
export interface ClientNeeds {
  /** Bodies of other media types than application/json, or of one that the caller names. */
  bodies: boolean;
  /** Answers that are read as something else than JSON. */
  reads: boolean;
  /** Media types that have to be asked for. */
  accept: boolean;
  /** Headers of successes that the document has no single status for. */
  ranges: boolean;
  path: Need;
  query: Need;
  headers: Need;
  cookies: boolean;
}

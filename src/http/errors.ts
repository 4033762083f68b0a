/** Why the runtime refused a request before any handler saw it. */
export type RefusalReason =
  | "invalid_json"
  | "invalid_value"
  | "missing_body"
  | "unsupported_media_type"
  | "payload_too_large"
  | "aborted";

/** A request that does not satisfy its operation. `message` names the place and what was expected there. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }

  /** The usual HTTP status for the reason; an error mapper may choose another. */
  get status(): number {
    if (this.reason === "payload_too_large") return 413;
    return this.reason === "unsupported_media_type" ? 415 : 400;
  }
}

/** Reason why the runtime refused a request before it reached a handler. */
export type InvalidRequestReason =
  | "invalid_json"
  | "invalid_value"
  | "missing_body"
  | "unsupported_media_type"
  | "payload_too_large"
  | "aborted";

/** Maximum length of a value or name in a message. */
export const MAX_SHOWN_CHARACTERS = 100;

/** Shortens a text of a message to the maximum length, and marks the cut with an ellipsis. Splits no surrogate pair. */
export function shorten(text: string): string {
  if (text.length <= MAX_SHOWN_CHARACTERS) return text;
  return `${text.slice(0, MAX_SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A request that its operation does not allow. The message names the location and the expected value. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";

  constructor(
    readonly reason: InvalidRequestReason,
    message: string,
  ) {
    super(message);
  }

  /** The usual HTTP status of the reason. `onError` of createBinder can use another. */
  get status(): number {
    if (this.reason === "payload_too_large") return 413;
    return this.reason === "unsupported_media_type" ? 415 : 400;
  }
}

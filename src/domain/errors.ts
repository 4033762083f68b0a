/** What went wrong: the request contradicts the state, names something that is not there, or came too late. */
export type DomainErrorKind = "validation" | "not_found" | "conflict";

/** A rule of the service was broken. The message is meant for the caller of the API. */
export class DomainError extends Error {
  override readonly name = "DomainError";

  constructor(
    readonly kind: DomainErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The error for an id that is unknown, or that belongs to another workspace: a caller must not be able to
 * tell the two apart.
 */
export function notFound(what: "page" | "database", id: string): DomainError {
  return new DomainError(
    "not_found",
    `Could not find ${what} with ID: ${id}. Make sure that it belongs to the workspace of the API key.`,
  );
}

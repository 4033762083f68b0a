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
export function notFound(
  what: "page" | "database" | "block" | "user" | "comment" | "discussion",
  id: string,
): DomainError {
  return new DomainError(
    "not_found",
    `Could not find ${what} with ID: ${id}. Make sure that it belongs to the workspace of the API key.`,
  );
}

/** The error for an id that leads to an object of another kind than the one that is asked for. */
export function wrongKind(id: string, kind: "page" | "database", wanted: "page" | "database"): DomainError {
  return new DomainError(
    "validation",
    `Provided ID ${id} is a ${kind}, not a ${wanted}. Use the operation that retrieves a ${kind} instead.`,
  );
}

/** Longest piece of a refused value that a message shows. */
const SHOWN = 100;

/**
 * The error for a value of a request that is not as it should be, in a way that no schema can say.
 *
 * @param place where the value is, from the part of the request on: `body.children[0].table.children`
 * @param expectation what it should be, to follow "should be": `defined`
 */
export function shapeError(place: string, expectation: string, value: unknown): DomainError {
  const [part] = place.split(".", 1);
  // Of undefined there is no JSON.
  const text: string | undefined = JSON.stringify(value);
  const shown = text === undefined ? "undefined" : text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new DomainError(
    "validation",
    `${part} failed validation: ${place} should be ${expectation}, instead was \`${shown}\`.`,
  );
}

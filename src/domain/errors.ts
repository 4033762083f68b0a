import { abbreviate } from "./text.js";

/** Kinds of domain errors. src/service/error-response.ts maps each to a status and an error code. */
export type DomainErrorKind = "validation" | "invalid_cursor" | "not_found" | "conflict" | "restricted";

/** Error for a request that breaks a rule of the service. The message is for the caller of the API. */
export class DomainError extends Error {
  override readonly name = "DomainError";

  constructor(
    readonly kind: DomainErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** Creates the error for a request that is invalid in a way that the OpenAPI schema cannot express. */
export function createValidationError(message: string): DomainError {
  return new DomainError("validation", message);
}

/** Creates the error for an unknown id, or an id of another workspace: the same one, so that callers cannot probe for ids. */
export function createNotFoundError(objectName: string, id: string): DomainError {
  return new DomainError(
    "not_found",
    `Could not find ${objectName} with ID: ${id}. Make sure that it belongs to the workspace of the API key.`,
  );
}

/** Creates the error for the id of a page where a database is required, or vice versa. */
export function createWrongKindError(id: string, kind: "page" | "database"): DomainError {
  const required = kind === "page" ? "database" : "page";
  return createValidationError(
    `Provided ID ${id} is a ${kind}, not a ${required}. Use the operations for ${kind}s instead.`,
  );
}

/** Creates the error for an invalid value at a path such as `body.children[0].table`. `expectation` follows "should be". */
export function createInvalidValueError(path: string, expectation: string, value: unknown): DomainError {
  const [part] = path.split(".", 1);
  // JSON.stringify(undefined) is undefined, although its type is string.
  const quoted = abbreviate(String(JSON.stringify(value)));
  return createValidationError(
    `${part} failed validation: ${path} should be ${expectation}, instead was \`${quoted}\`.`,
  );
}

/** The details of a call that did not succeed. */
export interface Failure {
  operation: string;
  status: number;
  headers: Headers;
  /** The parsed JSON body, or its text when it is not JSON; undefined when it is empty. */
  body: unknown;
  response: Response;
}

/** Thrown for every status that is not a success, and for a success whose body is not of the declared kind. */
export class ApiError extends Error implements Failure {
  override name = "ApiError";
  declare readonly operation: string;
  declare readonly status: number;
  declare readonly headers: Headers;
  declare readonly body: unknown;
  declare readonly response: Response;

  constructor(failure: Failure, message?: string) {
    const { operation, status } = failure;
    const reason = status < 300 ? ": the body is not JSON" : "";
    super(message ?? `${operation} failed with status ${status}${reason}.`);
    Object.assign(this, failure);
  }
}

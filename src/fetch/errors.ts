/** The details of a call that did not succeed. */
export interface Failure {
  /** Name of the operation. */
  operation: string;
  status: number;
  headers: Headers;
  /** The parsed JSON body, or its text when it is not JSON; undefined when it is empty or has not been read. */
  body: unknown;
  response: Response;
  /** Why a success cannot be read, e.g. `the body is not JSON`; undefined for any other status. */
  reason?: string | undefined;
}

/** Creates the error for a success that is not of the declared kind, with its body as far as it has been read. */
export type CreateError = (body: unknown, reason: string) => Error;

/** Thrown for every status that is not a success, and for a success whose body or header is not of the declared kind. */
export class ApiError extends Error implements Failure {
  override name = "ApiError";
  // Declared only, because the constructor assigns all of them at once.
  declare readonly operation: string;
  declare readonly status: number;
  declare readonly headers: Headers;
  declare readonly body: unknown;
  declare readonly response: Response;
  declare readonly reason: string | undefined;

  constructor(failure: Failure, message?: string) {
    const { operation, status, reason } = failure;
    super(message ?? `${operation} failed with status ${status}${reason ? `: ${reason}` : ""}.`);
    Object.assign(this, failure);
    // Not enumerable, because a printed Response has about 100 lines.
    Object.defineProperty(this, "response", { enumerable: false });
  }
}

/**
 * The error responses that the document declares for an operation of `types.ts`, one member per status, range and `default`; an
 * ApiError if it declares none. A JSON body has its declared type, any other body the type `unknown`. A range such as `4XX` has the
 * statuses that are not declared by themselves, and `default` all others from 300 to 599, so that the status determines the body.
 */
export type ErrorResponse<Operation extends { responses: object }> = [Operation["responses"]] extends [never]
  ? ApiError
  : keyof ErrorsByKey<Operation["responses"]> extends never
    ? ApiError
    : ErrorsByKey<Operation["responses"]>[keyof ErrorsByKey<Operation["responses"]>];

type ErrorsByKey<Responses> = {
  [Key in keyof Responses as `${Key & (string | number)}` extends `2${string}` ? never : Key]: ApiError & {
    readonly status: Key extends "default"
      ? Exclude<StatusesOf<"3XX" | "4XX" | "5XX">, StatusesOf<keyof Responses>>
      : Exclude<StatusesOf<Key>, Exclude<keyof Responses, Key>>;
    readonly body: ErrorBody<Responses[Key]>;
  };
};

/** The statuses of response keys such as 404 and `4XX`; none for `default`. */
type StatusesOf<Key> = Key extends `${infer First}${"XX" | "xx"}`
  ? ParseStatus<`${First}${Digit}${Digit}`>
  : Key & number;
type ParseStatus<Text> = Text extends `${infer Status extends number}` ? Status : never;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type ErrorBody<Response> = Response extends { content: infer Content }
  ? keyof Content extends JsonMediaType
    ? Content[keyof Content]
    : unknown
  : unknown;

type JsonMediaType = WithParameters<"application/json" | "text/json" | `${string}/${string}+json`>;
type WithParameters<Name extends string> = Name | `${Name};${string}`;

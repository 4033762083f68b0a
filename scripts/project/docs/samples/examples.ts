import type { JsonValue, Operation, Parameter } from "../../../model/model.js";

/** The request of a sample: a value for each required parameter, and the body if the operation has one. */
export interface Request {
  parameters: { parameter: Parameter; value: JsonValue }[];
  body: JsonValue | undefined;
}

/** A request that the document's examples make, by the name that the example of its body has. */
export interface NamedRequest {
  /** Undefined where the operation has no body, or an example without a name. */
  example: string | undefined;
  request: Request;
}

/**
 * The requests of an operation that the document's own examples make: one for each example of a JSON body, one for an
 * operation without a body. None when a required parameter or the body has no example, or the body is not JSON.
 */
export function exampleRequests({ parameters, body }: Operation): NamedRequest[] {
  const given = parameters
    .filter(({ required }) => required)
    .map((parameter) => ({
      parameter,
      value: parameter.examples[0]?.value,
    }));
  const known = given.flatMap(({ parameter, value }) => (value === undefined ? [] : [{ parameter, value }]));
  if (known.length < given.length) return [];
  if (!body) return [{ example: undefined, request: { parameters: known, body: undefined } }];
  const json = body.mediaTypes.find(({ kind }) => kind === "json");
  return (json?.examples ?? []).map(({ name, value }) => ({
    example: name,
    request: { parameters: known, body: value },
  }));
}

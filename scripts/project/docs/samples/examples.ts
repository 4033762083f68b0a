import type { JsonValue, Operation, Parameter } from "../../../model/model.js";

/** The request of a sample: a value for each required parameter, and the body if the operation has one. */
export interface Request {
  parameters: { parameter: Parameter; value: JsonValue }[];
  body: JsonValue | undefined;
}

/** A request made from examples of the document. */
export interface NamedRequest {
  /** Name of the body's example; undefined if there is no body or the example has no name. */
  example: string | undefined;
  request: Request;
}

/**
 * Creates requests from the examples of the document: one for each example of a JSON body, or one for an operation
 * without a body. Empty if a required parameter or the body has no example, or the body is not JSON.
 */
export function exampleRequests({ parameters, body }: Operation): NamedRequest[] {
  const required = parameters
    .filter((parameter) => parameter.required)
    .map((parameter) => ({
      parameter,
      value: parameter.examples[0]?.value,
    }));
  const parameterValues = required.flatMap(({ parameter, value }) =>
    value === undefined ? [] : [{ parameter, value }],
  );
  if (parameterValues.length < required.length) return [];
  if (!body) return [{ example: undefined, request: { parameters: parameterValues, body: undefined } }];
  const json = body.mediaTypes.find(({ kind }) => kind === "json");
  return (json?.examples ?? []).map(({ name, value }) => ({
    example: name,
    request: { parameters: parameterValues, body: value },
  }));
}

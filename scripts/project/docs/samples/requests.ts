import type { Api, Operation, Parameter } from "../../../model/model.js";
import type { JsonValue } from "../../../json.js";

/** A request made from examples of the document: a value for each required parameter, and the body if there is one. */
export interface SampleRequest {
  /** Name of the body's example; undefined if there is no body or the example has no name. */
  exampleName: string | undefined;
  parameters: { parameter: Parameter; value: JsonValue }[];
  body: JsonValue | undefined;
}

/**
 * Creates requests from the examples of the document: one for each example of a JSON body, or one for an operation
 * without a body. Empty if a required parameter or the body has no example, or the body is not JSON.
 */
export function createRequests({ parameters, body }: Operation): SampleRequest[] {
  const required = parameters.filter((parameter) => parameter.required);
  const requiredValues = required.flatMap((parameter) =>
    parameter.examples.slice(0, 1).map(({ value }) => ({ parameter, value })),
  );
  if (requiredValues.length < required.length) return [];
  if (!body) return [{ exampleName: undefined, parameters: requiredValues, body: undefined }];
  const json = body.mediaTypes.find(({ kind }) => kind === "json");
  return (json?.examples ?? []).map(({ name, value }) => ({
    exampleName: name,
    parameters: requiredValues,
    body: value,
  }));
}

/** Returns the address of the document's first server, with the defaults of its variables. */
export function getServerAddress({ servers }: Api): string {
  return (servers[0]?.url ?? "http://localhost").replace(/\/+$/, "");
}

import type { Operation, Response } from "../model/model.js";

/** Returns the success responses of an operation. Includes `default` only if no 2XX response is declared. */
export function successResponses({ responses }: Operation): Response[] {
  const successes = responses.filter(({ statuses }) =>
    statuses.some((status) => status >= 200 && status < 300),
  );
  const declared = successes.filter(({ key }) => key !== "default");
  return declared.length > 0 ? declared : successes;
}

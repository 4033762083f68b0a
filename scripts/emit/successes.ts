import type { Operation, Response } from "../model/model.js";

/**
 * The responses that are successes for a client. `default` describes errors when a 2XX response is declared; without
 * one it can be a success.
 */
export function successesOf({ responses }: Operation): Response[] {
  const successes = responses.filter(({ statuses }) =>
    statuses.some((status) => status >= 200 && status < 300),
  );
  const declared = successes.filter(({ key }) => key !== "default");
  return declared.length > 0 ? declared : successes;
}

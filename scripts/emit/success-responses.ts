import type { Operation, Response } from "../model/model.js";

/**
 * Lists the responses with a 2XX status as clients receive them: those to HEAD have no body (RFC 9110, section 9.3.2). The
 * model gives `default` such a status only if the document declares no 2XX response.
 */
export function listSuccessResponses({ method, responses }: Operation): Response[] {
  const successes = responses.filter(({ statuses }) => statuses.some(isSuccessStatus));
  return method === "head" ? successes.map((response) => ({ ...response, mediaTypes: [] })) : successes;
}

/** Whether a status is in the range 2XX. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

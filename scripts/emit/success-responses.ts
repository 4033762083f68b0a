import type { Operation, Response } from "../model/model.js";

/** Lists the success responses of an operation. Includes `default` only if the document declares no 2XX response. */
export function listSuccessResponses({ responses }: Operation): Response[] {
  const successes = responses.filter(({ statuses }) => statuses.some(isSuccessStatus));
  const declared = successes.filter(({ key }) => key !== "default");
  return declared.length > 0 ? declared : successes;
}

/** Whether a status is in the range 2XX. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

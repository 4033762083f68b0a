import type { Operation, Response } from "../model/model.js";

/** Lists the responses with a 2XX status. The model gives `default` one only if the document declares no 2XX response. */
export function listSuccessResponses({ responses }: Operation): Response[] {
  return responses.filter(({ statuses }) => statuses.some(isSuccessStatus));
}

/** Whether a status is in the range 2XX. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

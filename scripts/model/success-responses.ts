import { NO_FIELDS } from "./bodies/body-fields.js";
import type { HttpMethod, MediaType, Operation, Response } from "./model.js";
import { FINAL_STATUSES } from "./messages.js";

/**
 * Lists the responses with a 2XX status as clients receive them, with `default` only if there are no others. Without others, clients
 * receive the target of a declared redirect, because `fetch` follows it.
 */
export function listSuccessResponses({ method, responses }: Operation): Response[] {
  const successes = responses.filter(({ statuses }) => statuses.some(isSuccessStatus));
  const redirect = responses.find(
    ({ key, statuses }) => key !== "default" && statuses.some((status) => REDIRECT_STATUSES.has(status)),
  );
  if (!redirect || successes.some(({ key }) => key !== "default")) return successes;
  return [followRedirect(redirect, method)];
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Statuses of responses that `fetch` follows (Fetch standard, redirect status). */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates the response at the target of a redirect: bytes, or no content for HEAD (RFC 9110, section 9.3.2). */
function followRedirect({ pointer, description }: Response, method: HttpMethod): Response {
  const content: MediaType = {
    pointer,
    name: "*/*",
    range: { prefix: "", suffix: "" },
    kind: "binary",
    schema: undefined,
    examples: [],
    ...NO_FIELDS,
    item: undefined,
  };
  return {
    pointer,
    description,
    component: undefined,
    key: "2XX",
    statuses: FINAL_STATUSES.filter(isSuccessStatus),
    headers: [],
    mediaTypes: method === "head" ? [] : [content],
  };
}

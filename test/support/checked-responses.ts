import { appendFileSync } from "node:fs";
import { inject } from "vitest";
import { ApiDocument } from "./api-document.js";
import { createResponseChecker, type ResponseChecker, type SeenResponse } from "./check-response.js";
import { createCheckedFetch } from "./checked-fetch.js";

/** Created for the first response, because many tests receive none. */
let checker: ResponseChecker | undefined;
const seenFile = inject("seenResponses");
const recorded = new Set<string>();
const violations: unknown[] = [];

/**
 * Checks a response of the service against the committed document and counts it as seen. In tests `fetch` does this
 * automatically; this function is for responses received in another way.
 *
 * @throws ResponseViolation; the test fails too when the error is caught
 */
export function checkResponse(response: SeenResponse): void {
  try {
    checker ??= createResponseChecker(ApiDocument.committed());
    const pair = checker.check(response);
    if (pair === undefined || recorded.has(pair)) return;
    recorded.add(pair);
    appendFileSync(seenFile, `${pair}\n`);
  } catch (error) {
    violations.push(error);
    throw error;
  }
}

/** Throws the first violation since the last call, so that no test passes by swallowing one. */
export function failOnViolation(): void {
  const [first] = violations.splice(0);
  if (first !== undefined) throw first;
}

/** The platform's fetch, for tests that talk to a server that is not the service. */
export const uncheckedFetch = globalThis.fetch;

/** A fetch whose responses from local servers go through `checkResponse`. */
export const checkedFetch = createCheckedFetch(uncheckedFetch, checkResponse);
